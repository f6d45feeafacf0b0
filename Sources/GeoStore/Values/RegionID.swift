import Geodesy

/// The numbers of visited regions.
///
/// A number is the geohash of the region's center (nine characters of five bits), followed by a
/// counter of eight bits that distinguishes regions in one such cell (4.8 by 4.8 m). The regions of
/// a geohash are therefore a range of numbers, and the greatest number is 2⁵³ - 1, which a JSON
/// reader with doubles only can represent exactly.
///
/// A number encodes where a region is. Importing tracks does not change it, and a region that a
/// rebuild makes at the same position gets the same number, except for the counter.
enum RegionID {
  /// Number of bits of the counter. Centers in one cell are less than 7 m apart, so unless the
  /// clustering radius is smaller than that, only adopted regions need it.
  static let counterBits = 8

  /// All numbers: 0..<2⁵³.
  static let all: Range<Int64> = 0..<1 << Int64(5 * Geohash.storedLength + counterBits)

  /// The numbers of the regions whose geohash begins with `geohash`, which has at most nine
  /// characters.
  static func range(of geohash: Geohash) -> Range<Int64> {
    let shift = Int64(5 * (Geohash.storedLength - geohash.length) + counterBits)
    let first = Int64(geohash.bits) << shift
    return first..<first + (1 << shift)
  }

  /// The numbers available to regions with this center.
  ///
  /// - Complexity: O(1).
  static func range(of center: Coordinate) -> Range<Int64> { range(of: Geohash(center)) }

  /// Distance in meters beyond which two centers always have different geohashes: more than the
  /// diagonal of a cell at the equator, 4.78 by 4.75 m.
  static let cellDiagonalMeters = 7.0

  /// The first number for a center that is not in `taken`; nil if all 256 are taken.
  static func free(for center: Coordinate, among taken: some Sequence<Int64>) -> Int64? {
    let range = range(of: center)
    let taken = Set(taken)
    return range.first { !taken.contains($0) }
  }
}
