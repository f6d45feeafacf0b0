import Geodesy

/// Collects the explorer tiles of tracks, and when each was first visited.
///
/// A tile is visited if a fix lies in it, or if the straight line between two joined fixes passes
/// through it (`docs/explorer-tiles.md`). The caller says which fixes are joined; of those, fixes
/// more than ``longestLineMeters`` apart are not.
///
/// - Memory: about 30 bytes for each tile.
package struct ExplorerTileTally {
  /// The largest distance of two fixes between which a line visits tiles: 500 m. Roads keep within
  /// some tens of meters of a line of this length; of a longer one nobody knows where it went.
  package static let longestLineMeters = 500.0
  /// The time of a tile that was visited only by fixes without a time.
  package static let undated = Int64.max

  /// The zoom of the tiles.
  package let zoom: Int
  /// The number of fixes beyond 85.0511° of latitude, which no tile contains.
  package private(set) var fixesBeyondMap = 0
  /// The first time of each tile in milliseconds since 1970, by `y << 32 | x`.
  private var times: [UInt64: Int64] = [:]
  private var last: (coordinate: Coordinate, point: MercatorPoint, key: UInt64)?
  /// The earliest time of the last key since it became the last.
  private var lastTime = undated

  /// Creates an empty tally.
  package init(zoom: Int) { self.zoom = zoom }

  /// Adds the next fix of a track.
  ///
  /// - Parameter isJoined: whether the track leads without a gap from the fix before to this one.
  /// - Complexity: O(1), O(tiles touched) for a line.
  package mutating func add(_ coordinate: Coordinate, time: Timestamp?, isJoined: Bool) {
    guard let point = MercatorPoint(coordinate) else {
      fixesBeyondMap += 1
      last = nil
      return
    }
    let time = time?.millisecondsSince1970 ?? Self.undated
    let (column, row) = (point.column(zoom: zoom), point.row(zoom: zoom))
    let key = Self.key(column, row)
    defer { last = (coordinate, point, key) }
    if let last, last.key == key {
      // Most fixes are in the tile of the fix before, at a later time.
      if time >= lastTime { return }
    } else if isJoined, let last, needsLine(from: last.key, toColumn: column, row: row),
      last.coordinate.distanceMeters(to: coordinate) <= Self.longestLineMeters
    {
      let mask = 1 << zoom - 1
      var touched: [UInt64] = []
      TileLine.forEachTile(from: last.point, to: point, zoom: zoom) { column, row in
        touched.append(Self.key(column & mask, row))
      }
      for key in touched where key != last.key { visit(key, at: time) }
    }
    visit(key, at: time)
    lastTime = time
  }

  /// The tiles that were visited, each with the time of its first visit in milliseconds since 1970
  /// (``undated`` if unknown), in order.
  ///
  /// - Complexity: O(n log n) for n tiles.
  package func firstVisits() -> [(tile: ExplorerTile, time: Int64)] {
    times.sorted { $0.key < $1.key }.map { (Self.tile($0.key, zoom: zoom), $0.value) }
  }

  private mutating func visit(_ key: UInt64, at time: Int64) {
    if let index = times.index(forKey: key) {
      if time < times.values[index] { times.values[index] = time }
    } else {
      times[key] = time
    }
  }

  /// Whether a line may touch a tile besides those of its ends: not if they share an edge, as two
  /// such tiles form a convex area.
  private func needsLine(from key: UInt64, toColumn column: Int, row: Int) -> Bool {
    let (lastColumn, lastRow) = (Int(key & 0xFFFF_FFFF), Int(key >> 32))
    let columns = abs(column - lastColumn)
    return min(columns, 1 << zoom - columns) + abs(row - lastRow) > 1
  }

  private static func key(_ column: Int, _ row: Int) -> UInt64 {
    UInt64(row) << 32 | UInt64(column)
  }

  private static func tile(_ key: UInt64, zoom: Int) -> ExplorerTile {
    ExplorerTile(uncheckedZoom: zoom, x: Int(key & 0xFFFF_FFFF), y: Int(key >> 32))
  }
}
