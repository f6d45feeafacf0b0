import Geodesy

/// All regions whose geohashes begin with the same four characters, in memory: 0.18° high and 0.35°
/// wide, or 19.5 km by at most 39 km. Immutable.
///
/// Regions are stored in 16 rows of 1.2 km from south to north, each row from west to east, so that
/// a search reads short runs.
final class CachedTile: Sendable {
  /// Number of geohash characters that the regions of a tile share.
  static let length = 4
  /// Number of tiles around the Earth, and from pole to pole.
  static let columns = 1 << 10
  /// Number of rows in a tile.
  static let rowCount = 16
  /// Height of a row in units of 1e-7 degree: 180° / 2¹⁰ / 16, 1.2 km.
  static let rowHeightE7 = 1_800_000_000 / Double(columns * rowCount)

  /// A region's position and number: 16 bytes.
  struct Entry {
    let coordinate: Coordinate
    let id: Int64
  }

  let entries: [Entry]
  /// The start of each row, followed by the end of the last.
  let rowStarts: [Int32]
  /// The details of the entries; nil until they are read.
  let details: CachedDetails?

  /// Creates a tile from regions in any order.
  convenience init(_ entries: [Entry]) {
    let sorted = entries.sorted {
      (Self.row($0.coordinate.latitudeE7), $0.coordinate.longitudeE7, $0.id)
        < (Self.row($1.coordinate.latitudeE7), $1.coordinate.longitudeE7, $1.id)
    }
    var starts = [Int32](repeating: 0, count: Self.rowCount + 1)
    for entry in sorted { starts[Self.row(entry.coordinate.latitudeE7) + 1] += 1 }
    for row in 0..<Self.rowCount { starts[row + 1] += starts[row] }
    self.init(entries: sorted, rowStarts: starts, details: nil)
  }

  private init(entries: [Entry], rowStarts: [Int32], details: CachedDetails?) {
    self.entries = entries
    self.rowStarts = rowStarts
    self.details = details
  }

  /// Returns the same tile with details.
  func with(_ details: CachedDetails) -> CachedTile {
    CachedTile(entries: entries, rowStarts: rowStarts, details: details)
  }

  /// Approximate size in bytes.
  var byteCount: Int {
    250 + entries.count * MemoryLayout<Entry>.stride + (details?.byteCount ?? 0)
  }

  /// Returns the row of a latitude in its tile, 0..<16: the next four bits of the latitude.
  static func row(_ latitudeE7: Int32) -> Int {
    let rows = Int64(columns * rowCount)
    return Int(min(rows - 1, (Int64(latitudeE7) + 900_000_000) * rows / 1_800_000_000))
      & (rowCount - 1)
  }

  /// Calls `body` with the index and value of every entry in some rows between two longitudes,
  /// edges included, in the tile's order.
  ///
  /// Sound: the run of a row lies within the entries, from which `rowStarts` was computed.
  @inline(__always)
  func forEachEntry(
    rows: ClosedRange<Int>, westE7: Int32, eastE7: Int32, _ body: (Int, Entry) -> Void
  ) {
    entries.withUnsafeBufferPointer { entries in
      for row in rows {
        let (start, end) = run(ofRow: row, westE7: westE7)
        var index = start
        while index < end, entries[index].coordinate.longitudeE7 <= eastE7 {
          body(index, entries[index])
          index += 1
        }
      }
    }
  }

  /// Returns the index of the first entry of a row that is not west of a longitude, and the end of
  /// the row.
  @inline(__always)
  func run(ofRow row: Int, westE7: Int32) -> (start: Int, end: Int) {
    let end = Int(rowStarts[row + 1])
    return entries.withUnsafeBufferPointer { entries in
      (Self.firstIndex(notWestOf: westE7, in: entries, from: Int(rowStarts[row]), to: end), end)
    }
  }

  // Sound: `start` to `end` is the run of a row, which lies within the entries.
  @inline(__always)
  private static func firstIndex(
    notWestOf westE7: Int32, in entries: UnsafeBufferPointer<Entry>, from start: Int, to end: Int
  ) -> Int {
    var (low, high) = (start, end)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].coordinate.longitudeE7 < westE7 { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
