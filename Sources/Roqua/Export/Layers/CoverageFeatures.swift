import GeoStore
import GridHash
import SQLiteLayer

extension ExportFeed {
  /// Writes the outlines of the explored cells.
  ///
  /// - Complexity: that of `OutlineTracer`.
  func addCoverage(
    _ selection: ExportSelection, of snapshot: Snapshot, by explorer: Explorer
  ) throws(DatabaseError) {
    let grid = snapshot.settings.grid
    var tracer = OutlineTracer(grid: grid)
    var number = 0
    func add(_ outline: CellOutline) throws(DatabaseError) {
      number += 1
      setPolygon(outline, of: grid)
      feature.append(number)
      feature.append(outline.cells)
      feature.append(outline.areaSquareMeters / 1e6)
      try self.add()
    }
    try explorer.forEachTile(in: snapshot, of: grid) { (key, tile) throws(DatabaseError) in
      let tile = selection.clipped(tile, at: key)
      if tile.isEmpty { return }
      try tracer.add(tile, at: key, add)
    }
    try tracer.finish(add)
  }

  private func setPolygon(_ outline: CellOutline, of grid: Grid) {
    // At once: a large array takes three times its memory while it grows.
    feature.geometry.reserveCapacity(outline.rings.reduce(0) { $0 + $1.count + 1 })
    for ring in outline.rings {
      for corner in ring { append(corner, of: grid) }
      append(ring[0], of: grid)
      feature.geometry.endRing()
    }
  }

  private func append(_ corner: CellCorner, of grid: Grid) {
    feature.geometry.append(
      x: grid.longitudeDegrees(of: corner).roundedForExport,
      y: grid.latitudeDegrees(of: corner).roundedForExport)
  }
}
