import Geodesy

/// The regions whose geohash begins with the same four characters, in memory: 0.18° high, 0.35°
/// wide, 19.5 km by at most 39 km. It never changes.
///
/// Regions stand in 16 rows of 1.2 km from the south, each row from west to east, so that a search
/// reads short runs.
final class CachedTile: Sendable {
  /// Characters of the geohash that a page's regions have in common.
  static let length = 4
  /// Pages around the Earth, and from pole to pole.
  static let columns = 1 << 10
  /// Rows of a page.
  static let rowCount = 16
  /// Height of a row in units of 1e-7 degree: 180° / 2¹⁰ / 16, 1.2 km.
  static let rowHeightE7 = 1_800_000_000 / Double(columns * rowCount)

  /// A region's place and number: 16 bytes.
  struct Entry {
    let coordinate: Coordinate
    let id: Int64
  }

  let entries: [Entry]
  /// Where each row begins, and the end.
  let rowStarts: [Int32]
  /// What else is known of the entries; nil until it was read.
  let details: CachedDetails?

  /// A page of some regions, in any order.
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

  /// The same page with its details.
  func with(_ details: CachedDetails) -> CachedTile {
    CachedTile(entries: entries, rowStarts: rowStarts, details: details)
  }

  /// Bytes that it takes, roughly.
  var byteCount: Int {
    250 + entries.count * MemoryLayout<Entry>.stride + (details?.byteCount ?? 0)
  }

  /// The row of a latitude in its page, 0..<16: the next four bits of the latitude.
  static func row(_ latitudeE7: Int32) -> Int {
    let rows = Int64(columns * rowCount)
    return Int(min(rows - 1, (Int64(latitudeE7) + 900_000_000) * rows / 1_800_000_000))
      & (rowCount - 1)
  }

  /// Calls `body` with the index of every entry in some rows between two longitudes, edges
  /// included, in the page's order.
  ///
  /// Sound: the run of a row lies within the entries, from which `rowStarts` was counted.
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

  /// Where those of a row's entries begin that lie not west of a longitude, and end.
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
