import Geodesy

/// A set of explorer tiles of one zoom.
///
/// ```swift
/// let tile = ExplorerTile(containing: here, zoom: 14)
/// let tiles = ExplorerTileSet([tile].compactMap { $0 }, zoom: 14)
/// print(tiles.count, tiles.largestSquares?.side ?? 0)
/// ```
///
/// - Memory: 8 bytes for each run of neighboring tiles of a row, and some for each row.
public struct ExplorerTileSet: Sendable {
  /// The zoom of all tiles.
  public let zoom: Int
  /// The number of tiles.
  public let count: Int
  /// The rows with tiles, from north to south.
  let rows: [Row]
  /// The index in ``rows`` of each row from the first to the last; -1 for a row without tiles.
  private let indices: [Int32]

  /// The tiles of one row.
  struct Row: Sendable {
    let y: Int
    let runs: Runs
  }

  /// Creates a set. Tiles of another zoom are left out.
  ///
  /// - Complexity: O(n log n) for n tiles.
  public init(_ tiles: some Sequence<ExplorerTile>, zoom: Int) {
    self.init(ordered: tiles.filter { $0.zoom == zoom }.sorted(), zoom: zoom)
  }

  /// Creates a set of tiles that are in order and all of one zoom. Equal tiles count once.
  package init(ordered tiles: [ExplorerTile], zoom: Int) {
    self.zoom = zoom
    var rows: [Row] = []
    var runs: Runs = []
    var count = 0
    for (index, tile) in tiles.enumerated() {
      let column = Int32(tile.x)
      RunAlgebra.append(column..<column + 1, to: &runs)
      if index + 1 < tiles.count, tiles[index + 1].y == tile.y { continue }
      count += runs.reduce(0) { $0 + $1.count }
      rows.append(Row(y: tile.y, runs: runs))
      runs = []
    }
    var indices: [Int32] = []
    if let first = rows.first, let last = rows.last {
      indices = Array(repeating: -1, count: last.y - first.y + 1)
      for (index, row) in rows.enumerated() { indices[row.y - first.y] = Int32(index) }
    }
    (self.rows, self.count, self.indices) = (rows, count, indices)
  }

  /// The number of columns, and of rows, of the map.
  var columnCount: Int { 1 << zoom }

  /// The runs of a row; none for a row without tiles.
  func runs(ofRow y: Int) -> Runs {
    guard let first = rows.first, indices.indices.contains(y - first.y) else { return [] }
    let index = Int(indices[y - first.y])
    return index < 0 ? [] : rows[index].runs
  }

  /// Whether the set contains a tile.
  ///
  /// - Complexity: O(log runs of the row).
  public func contains(_ tile: ExplorerTile) -> Bool {
    guard tile.zoom == zoom else { return false }
    let (runs, column) = (runs(ofRow: tile.y), Int32(tile.x))
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].upperBound <= column { low = middle + 1 } else { high = middle }
    }
    return low < runs.count && runs[low].contains(column)
  }

  /// The tiles from north to south, each row from west to east.
  public var tiles: some Sequence<ExplorerTile> {
    rows.lazy.flatMap { row in
      row.runs.lazy.flatMap { run in
        run.lazy.map { ExplorerTile(uncheckedZoom: zoom, x: Int($0), y: row.y) }
      }
    }
  }
}
