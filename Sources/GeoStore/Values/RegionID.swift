import Geodesy

/// The numbers of visited regions.
///
/// A number is the geohash of the region's center, nine characters of five bits, followed by a
/// counter of eight bits that tells apart regions in one such cell (4.8 by 4.8 m). So the regions
/// of a geohash are a range of numbers, and the greatest number is 2⁵³ - 1, which a JSON reader
/// that knows only doubles takes without a loss.
///
/// A number says where a region is. It stays as it is while tracks are imported, and a region that
/// a rebuild makes at the same place has the same number again, but for the counter.
enum RegionID {
  /// Bits of the counter. Centers of one cell are nearer to each other than 7 m, so unless the
  /// clustering radius is smaller than that, only adopted regions make use of it.
  static let counterBits = 8

  /// All numbers: 0..<2⁵³.
  static let all: Range<Int64> = 0..<1 << Int64(5 * Geohash.storedLength + counterBits)

  /// The numbers of the regions whose geohash begins with another, of at most nine characters.
  static func range(of geohash: Geohash) -> Range<Int64> {
    let shift = Int64(5 * (Geohash.storedLength - geohash.length) + counterBits)
    let first = Int64(geohash.bits) << shift
    return first..<first + (1 << shift)
  }

  /// The numbers that regions with this center may have.
  ///
  /// - Complexity: O(1).
  static func range(of center: Coordinate) -> Range<Int64> { range(of: Geohash(center)) }

  /// Meters between two centers that surely have different geohashes: more than the diagonal of a
  /// cell at the equator, 4.78 by 4.75 m.
  static let cellDiagonalMeters = 7.0

  /// The first number for a center that none of `taken` has; nil if all 256 are taken.
  static func free(for center: Coordinate, among taken: some Sequence<Int64>) -> Int64? {
    let range = range(of: center)
    let taken = Set(taken)
    return range.first { !taken.contains($0) }
  }
}
