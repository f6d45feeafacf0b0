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
    var start = 0
    for end in outline.ringEnds {
      for place in start...end {
        // The first corner again at the end.
        let corner = outline.corners[place == end ? start : place]
        feature.geometry.append(
          x: grid.longitudeDegrees(of: corner).roundedForExport,
          y: grid.latitudeDegrees(of: corner).roundedForExport)
      }
      feature.geometry.endRing()
      start = end
    }
  }
}
