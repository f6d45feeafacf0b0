import SQLiteLayer

/// The number of regions that have each place.
struct PlaceUses: Sendable {
  /// The number of regions by the number of the place.
  private var counts: [Int32]

  /// The highest number of a place that is counted: the counts take 16 MB at most.
  private static let lastPlace: Int64 = 4 << 20

  /// Counts; nil if a place has a number above four million, or below one.
  ///
  /// - Complexity: O(regions).
  init?(in connection: Connection) throws(DatabaseError) {
    let first = try connection.integer("SELECT min(id) FROM places") ?? 1
    let last = try connection.integer("SELECT max(id) FROM places") ?? 0
    guard first >= 1, last <= Self.lastPlace else { return nil }
    counts = Array(repeating: 0, count: Int(last) + 1)
    let select = try Statement("SELECT place_id FROM regions", on: connection)
    while try select.step() {
      let place = Int(select.int64(at: 0))  // 0, which no place has, if the region has none
      if counts.indices.contains(place) { counts[place] += 1 }
    }
  }

  /// The number of regions that have a place; 0 if there was no such place.
  subscript(place: Int64) -> Int {
    counts.indices.contains(Int(place)) ? Int(counts[Int(place)]) : 0
  }
}
