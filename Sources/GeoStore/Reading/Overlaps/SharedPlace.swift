import Geodesy
import SQLiteLayer

/// Measures in how much of the time that two sources share they are in the same place.
///
/// Reads only the chunks around the moments that it looks at, and keeps a bounded number of them.
struct SharedPlace {
  /// The number of moments at which a pair is compared.
  static let moments = 100
  /// The number of chunks kept in memory, 100 kB each.
  private static let knownAtMost = 128

  private let snapshot: Snapshot
  private let longestGap: Int64
  private let radiusMeters: Double
  private var known: [Int64: [Position]] = [:]

  /// A dated fix.
  private struct Position {
    let time: Int64
    let coordinate: Coordinate
  }

  init(_ snapshot: Snapshot, longestGap: Int64) {
    self.snapshot = snapshot
    self.longestGap = longestGap
    radiusMeters = snapshot.settings[.explorationRadiusMeters]
  }

  /// Returns the share of the moments at which both sources are within the radius of each other.
  /// The moments are the middles of equal parts of the shared time.
  ///
  /// - Complexity: O(moments × log(fixes of a chunk)), and decoding the chunks around them.
  mutating func share(
    of one: SourceTimes, _ other: SourceTimes, in spans: [Range<Int64>]
  ) throws(DatabaseError) -> Double {
    let total = spans.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
    guard total > 0 else { return 0 }
    var (span, passed) = (0, Int64(0))
    var together = 0
    for moment in 0..<Self.moments {
      let place = Int64((Double(total) * (Double(moment) + 0.5) / Double(Self.moments)))
      while span < spans.count - 1,
        place - passed >= spans[span].upperBound - spans[span].lowerBound
      {
        passed += spans[span].upperBound - spans[span].lowerBound
        span += 1
      }
      let time = spans[span].lowerBound + (place - passed)
      if let left = try position(of: one, at: time), let right = try position(of: other, at: time),
        isNear(left, right)
      {
        together += 1
      }
    }
    return Double(together) / Double(Self.moments)
  }

  private func isNear(_ one: Coordinate, _ other: Coordinate) -> Bool {
    // A degree of latitude has at least 110 574 m: most pairs that are apart need no distance.
    let degrees = Double(abs(Int64(one.latitudeE7) - Int64(other.latitudeE7))) / 1e7
    if degrees * 110_574 > radiusMeters { return false }
    return one.distanceMeters(to: other) <= radiusMeters
  }

  /// Where a source is at a moment: between the fix before and the one after it.
  private mutating func position(
    of source: SourceTimes, at time: Int64
  ) throws(DatabaseError) -> Coordinate? {
    var (before, after): (Position?, Position?)
    for chunk in source.chunks(around: time, within: longestGap) {
      let positions = try self.positions(ofChunk: chunk.id)
      let index = Self.firstIndex(in: positions, after: time)
      if index > 0, before.map({ positions[index - 1].time > $0.time }) ?? true {
        before = positions[index - 1]
      }
      if index < positions.count, after.map({ positions[index].time < $0.time }) ?? true {
        after = positions[index]
      }
    }
    guard let before else { return after?.coordinate }
    guard let after, after.time > before.time else { return before.coordinate }
    return before.coordinate.interpolated(
      to: after.coordinate,
      Double(time - before.time) / Double(after.time - before.time))
  }

  private static func firstIndex(in positions: [Position], after time: Int64) -> Int {
    var low = 0
    var high = positions.count
    while low < high {
      let middle = (low + high) / 2
      if positions[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The dated fixes of a chunk, in the order of time.
  private mutating func positions(ofChunk id: Int64) throws(DatabaseError) -> [Position] {
    if let positions = known[id] { return positions }
    var positions = try snapshot.keptFixes(ofChunk: id).compactMap { fix in
      fix.time.map { Position(time: $0.millisecondsSince1970, coordinate: fix.coordinate) }
    }
    // Sorting what is sorted already takes one comparison a fix.
    positions.sort { $0.time < $1.time }
    if known.count == Self.knownAtMost { known.removeAll(keepingCapacity: true) }
    known[id] = positions
    return positions
  }
}

extension Coordinate {
  /// The point at a share of the way to `other`, on a straight line in degrees, the short way
  /// around.
  fileprivate func interpolated(to other: Coordinate, _ share: Double) -> Coordinate {
    let turn = Self.unitsPerTurn
    var east = Int64(other.longitudeE7) - Int64(longitudeE7)
    if east > turn / 2 { east -= turn }
    if east < -turn / 2 { east += turn }
    let north = Double(other.latitudeE7) - Double(latitudeE7)
    var longitude = Int64(longitudeE7) + Int64((Double(east) * share).rounded())
    if longitude >= turn / 2 { longitude -= turn }
    if longitude < -turn / 2 { longitude += turn }
    return Coordinate(
      latitudeE7: latitudeE7 + Int32((north * share).rounded()), longitudeE7: Int32(longitude))
      ?? self
  }
}
