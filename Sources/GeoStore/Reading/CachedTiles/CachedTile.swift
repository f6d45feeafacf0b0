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
  /// Number of columns by which a row is indexed.
  static let columnCount = 32
  /// Height of a row in units of 1e-7 degree: 180° / 2¹⁰ / 16, 1.2 km.
  static let rowHeightE7 = 1_800_000_000 / Double(columns * rowCount)

  /// A region's position and number: 16 bytes.
  struct Entry {
    let coordinate: Coordinate
    let id: Int64
  }

  let entries: [Entry]
  /// The start of each column of each row, row by row, followed by the end of the last.
  private let starts: [Int32]
  /// The number of the westernmost of the tile's columns, counted from 180° W.
  private let westColumn: Int
  /// The details of the entries; nil until they are read.
  let details: CachedDetails?

  /// Creates the tile of a geohash of four characters from regions in any order.
  ///
  /// A region outside the tile, as in a damaged store, belongs to the nearest column.
  ///
  /// - Complexity: O(regions), if they are spread over the columns.
  convenience init(_ entries: [Entry], in geohash: Geohash) {
    // A tile is 3,515,625 units wide, so its edge is a whole number.
    let west = Self.column(Int32((geohash.bounds.west * 1e7).rounded()))
    let cells = entries.map { Self.cell(of: $0.coordinate, westColumn: west) }
    var starts = [Int32](repeating: 0, count: Self.rowCount * Self.columnCount + 1)
    for cell in cells { starts[Int(cell) + 1] += 1 }
    for cell in 1..<starts.count { starts[cell] += starts[cell - 1] }
    var sorted = entries
    var next = starts
    for (cell, entry) in zip(cells, entries) {
      sorted[Int(next[Int(cell)])] = entry
      next[Int(cell)] += 1
    }
    sorted.withUnsafeMutableBufferPointer { sorted in
      for cell in 1..<starts.count where starts[cell] - starts[cell - 1] > 1 {
        sorted[Int(starts[cell - 1])..<Int(starts[cell])].sort {
          ($0.coordinate.longitudeE7, $0.id) < ($1.coordinate.longitudeE7, $1.id)
        }
      }
    }
    self.init(entries: sorted, starts: starts, westColumn: west, details: nil)
  }

  /// Returns the number of a position's column of a row, counted row by row.
  @inline(__always)
  private static func cell(of coordinate: Coordinate, westColumn: Int) -> UInt16 {
    let column = min(columnCount - 1, max(0, column(coordinate.longitudeE7) - westColumn))
    return UInt16(row(coordinate.latitudeE7) * columnCount + column)
  }

  private init(entries: [Entry], starts: [Int32], westColumn: Int, details: CachedDetails?) {
    self.entries = entries
    self.starts = starts
    self.westColumn = westColumn
    self.details = details
  }

  /// Returns the same tile with details.
  func with(_ details: CachedDetails) -> CachedTile {
    CachedTile(entries: entries, starts: starts, westColumn: westColumn, details: details)
  }

  /// Approximate size in bytes.
  var byteCount: Int {
    250 + starts.count * MemoryLayout<Int32>.stride + entries.count * MemoryLayout<Entry>.stride
      + (details?.byteCount ?? 0)
  }

  /// Returns the row of a latitude in its tile, 0..<16: the next four bits of the latitude.
  static func row(_ latitudeE7: Int32) -> Int {
    let rows = Int64(columns * rowCount)
    return Int(min(rows - 1, (Int64(latitudeE7) + 900_000_000) * rows / 1_800_000_000))
      & (rowCount - 1)
  }

  /// Returns the number of the column of a longitude, counted from 180° W: its first 15 bits.
  @inline(__always)
  private static func column(_ longitudeE7: Int32) -> Int {
    let columns = Int64(columns * columnCount)
    return Int(
      min(columns - 1, (Int64(longitudeE7) + 1_800_000_000) * columns / Coordinate.unitsPerTurn))
  }

  /// Calls `body` with the index and value of every entry in some rows between two longitudes,
  /// edges included, in the tile's order.
  ///
  /// Sound: runs lie within the entries.
  @inline(__always)
  func forEachEntry(
    rows: ClosedRange<Int>, westE7: Int32, eastE7: Int32, _ body: (Int, Entry) -> Void
  ) {
    entries.withUnsafeBufferPointer { entries in
      for row in rows {
        for index in run(ofRow: row, westE7: westE7, eastE7: eastE7) { body(index, entries[index]) }
      }
    }
  }

  /// Returns the entries of a row, 0..<16, between two longitudes, edges included. The longitudes
  /// may lie outside the tile.
  @inline(__always)
  func run(ofRow row: Int, westE7: Int32, eastE7: Int32) -> Range<Int> {
    let start = firstIndex(inRow: row, near: westE7) { $0 >= westE7 }
    return start..<max(start, firstIndex(inRow: row, near: eastE7) { $0 > eastE7 })
  }

  /// Returns the index of the first entry of a row whose longitude is `isBeyond` a given one, as
  /// all after it are.
  ///
  /// Sound: `starts` was computed from the entries, so that the run of a column lies within them.
  @inline(__always)
  private func firstIndex(
    inRow row: Int, near longitudeE7: Int32, isBeyond: (Int32) -> Bool
  ) -> Int {
    let column = Self.column(longitudeE7) - westColumn
    let first = row * Self.columnCount
    guard column >= 0 else { return Int(starts[first]) }
    guard column < Self.columnCount else { return Int(starts[first + Self.columnCount]) }
    var (low, high) = (Int(starts[first + column]), Int(starts[first + column + 1]))
    return entries.withUnsafeBufferPointer { entries in
      // Few entries are read one after the other, which the processor predicts well.
      while high - low > 32 {
        let middle = (low + high) / 2
        if isBeyond(entries[middle].coordinate.longitudeE7) { high = middle } else { low = middle }
      }
      while low < high, !isBeyond(entries[low].coordinate.longitudeE7) { low += 1 }
      return low
    }
  }
}
