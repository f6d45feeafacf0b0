import Geodesy

/// A square of explorer tiles.
///
/// ```swift
/// let tiles = try await explorer.explorerTileReport(ExplorerTileQuery(zoom: 14)).tiles
/// for square in tiles.largestSquares?.squares ?? [] {
///   let meters = here.distanceMeters(to: square.middle)
///   print("\(square.tiles.count) tiles from \(square.northWest), \(Int(meters)) m away")
/// }
/// ```
public struct ExplorerSquare: Hashable, Sendable {
  /// The number of rows, and of columns, of the square.
  public let side: Int
  /// The northwestern tile. Columns continue from there eastwards, across ±180° if necessary.
  public let northWest: ExplorerTile

  /// The middle of the square on the map, to 1e-7 degree.
  public var middle: Coordinate {
    let (zoom, half) = (northWest.zoom, Double(side) / 2)
    let longitude = (Double(northWest.x) + half) / Double(1 << zoom) * 360 - 180
    let latitude = ExplorerTile.latitudeDegrees(Double(northWest.y) + half, zoom)
    let units = Int64((longitude * 1e7).rounded())
    return Coordinate(
      uncheckedLatitudeE7: Int32((latitude * 1e7).rounded()),
      longitudeE7: Int32(units >= 1_800_000_000 ? units - 3_600_000_000 : units))
  }

  /// The tiles of the square, row by row.
  public var tiles: [ExplorerTile] {
    (0..<side).flatMap { south in
      (0..<side).compactMap { northWest.moved(east: $0, south: south) }
    }
  }
}

/// The largest squares of a set of explorer tiles.
///
/// ```swift
/// let tiles = try await explorer.explorerTileReport(ExplorerTileQuery(zoom: 14)).tiles
/// if let largest = tiles.largestSquares {
///   print("\(largest.squares.count) squares of \(largest.side) × \(largest.side) tiles")
/// }
/// ```
public struct LargestExplorerSquares: Hashable, Sendable {
  /// The number of rows, and of columns, of each.
  public let side: Int
  /// All squares of this size, ordered by their northwestern tile. They may overlap.
  public let squares: [ExplorerSquare]
}

/// A connected set of explorer tiles.
///
/// ```swift
/// let tiles = try await explorer.explorerTileReport(ExplorerTileQuery(zoom: 14)).tiles
/// if let cluster = tiles.largestCluster {
///   print("\(cluster.count) connected tiles, the first is \(cluster.firstTile)")
/// }
/// ```
public struct ExplorerCluster: Hashable, Sendable {
  /// The number of tiles.
  public let count: Int
  /// The first tile by row, then by column.
  public let firstTile: ExplorerTile
}

extension ExplorerTileSet {
  /// The largest squares of which every tile is in the set: VeloViewer's "max square" and
  /// Squadrats' "übersquadrat"; nil if the set is empty.
  ///
  /// - Complexity: O(tiles) time; memory for two rows and the result.
  public var largestSquares: LargestExplorerSquares? {
    var (side, corners) = (0, [ExplorerTile]())
    var above = SquareRow()
    for row in rows {
      if above.row != row.y - 1 { above = SquareRow() }
      let current = SquareRow(
        row: row.y, runs: SquareRow.unrolled(row.runs, columnCount: Int32(columnCount)),
        below: above)
      if let largest = current.largest?.side, largest >= side {
        if largest > side { (side, corners) = (largest, []) }
        current.forEachColumn(withSide: largest) { column in
          // The column is that of the southeastern tile, counted on across ±180°.
          let x = (Int(column) - largest + 1 + columnCount) % columnCount
          corners.append(ExplorerTile(uncheckedZoom: zoom, x: x, y: row.y - largest + 1))
        }
      }
      above = current
    }
    guard side > 0 else { return nil }
    // The columns that are repeated beyond 180° E may give a square twice.
    corners.sort()
    var squares: [ExplorerSquare] = []
    for corner in corners where squares.last?.northWest != corner {
      squares.append(ExplorerSquare(side: side, northWest: corner))
    }
    return LargestExplorerSquares(side: side, squares: squares)
  }

  /// The largest cluster: the largest edge-connected set of tiles whose four neighbors are in the
  /// set too, as in VeloViewer's "max cluster" and Squadrats' "yard"; nil if there is none. At the
  /// northern and southern edges of the map a tile has three neighbors. If several are equally
  /// large, the one with the first tile.
  ///
  /// - Complexity: O(runs) time; memory for a few rows.
  public var largestCluster: ExplorerCluster? {
    let columns = Int32(columnCount)
    var clusters = Clusters(columnCount: columns)
    for row in rows {
      var core = RunAlgebra.shrunk(row.runs, columnCount: columns)
      if row.y > 0 { core = RunAlgebra.intersection(core, runs(ofRow: row.y - 1)) }
      if row.y < columnCount - 1 { core = RunAlgebra.intersection(core, runs(ofRow: row.y + 1)) }
      clusters.add(row: row.y, core)
    }
    return clusters.finish().map { found in
      ExplorerCluster(
        count: found.cells,
        firstTile: ExplorerTile(
          uncheckedZoom: zoom, x: Int(found.firstCell.column), y: Int(found.firstCell.row)))
    }
  }
}
