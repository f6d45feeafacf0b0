import ByteStreams
import GeoExport
import GeoStore
import Geodesy
import GridHash
import SQLiteLayer

/// Writes the explored tiles and the visited regions of a person as a folder of Parquet files
/// (`docs/formats/parquet-dataset.md`).
///
/// - Memory: 16 bytes for each region, and for each open square (``DatasetFiles``) a row group and
///   the compressed file.
struct ParquetDatasetExport {
  let explorer: Explorer
  let options: ExportOptions

  func write(to path: String) throws -> ExportReport {
    guard let person = options.person else {
      throw DatabaseError.cannotWrite(path: path, reason: "it needs the name of a person")
    }
    guard !options.drawsDiscs else {
      throw DatabaseError.cannotWrite(path: path, reason: "it has cells, not discs")
    }
    return try FolderExport.write(to: path) { folder, target in
      try explorer.read { snapshot in
        let files = DatasetFiles(folder, grid: snapshot.settings.grid, person: person, target)
        do {
          let (layers, notes) = try write(snapshot, to: files)
          return ExportReport(
            path: path, format: .parquetDataset, bytes: files.bytes, layers: layers, notes: notes)
        } catch {
          if case .failed(let reason) = files.failure {
            throw DatabaseError.cannotWrite(path: target, reason: reason)
          }
          throw error
        }
      }
    }
  }

  private func write(
    _ snapshot: Snapshot, to files: DatasetFiles
  ) throws(DatabaseError) -> ([ExportReport.Layer], [String]) {
    let layers = options.writtenLayers
    let selection = try ExportSelection(
      options, includingCells: layers.contains(.coverage), of: snapshot, by: explorer)
    try files.writePerson()
    var written: [ExportReport.Layer] = []
    if layers.contains(.regions) {
      let count = try writeRegions(selection, of: snapshot, to: files)
      written.append(ExportReport.Layer(layer: .regions, features: count))
    }
    if layers.contains(.coverage) {
      let count = try writeTiles(selection, of: snapshot, to: files)
      written.append(ExportReport.Layer(layer: .coverage, features: count))
    }
    return (written, selection.notes)
  }

  /// Writes the explored tiles, which come in the order of their keys.
  private func writeTiles(
    _ selection: ExportSelection, of snapshot: Snapshot, to files: DatasetFiles
  ) throws(DatabaseError) -> Int {
    var count = 0
    let grid = snapshot.settings.grid
    try explorer.forEachTile(in: snapshot, of: grid) { (key, tile) throws(DatabaseError) in
      let tile = selection.clipped(tile, at: key)
      if tile.isEmpty { return }
      var row = ExportFeature()
      row.append(tile.count)
      row.append(grid.areaSquareMeters(of: tile, at: key))
      try files.add(.tiles, tile: key, row.values, tile.bitString)
      count += 1
    }
    try files.finish()
    return count
  }

  /// Writes the visited regions in the order of their tiles: their places first, to sort them.
  private func writeRegions(
    _ selection: ExportSelection, of snapshot: Snapshot, to files: DatasetFiles
  ) throws(DatabaseError) -> Int {
    let grid = snapshot.settings.grid
    var places: [(tile: Int64, id: Int64)] = []
    try snapshot.forEachRegion(matching: selection.regionQuery) { region in
      if selection.contains(region) {
        places.append((grid.tileKey(of: grid.cell(containing: region.coordinate)), region.id))
      }
      return true
    }
    places.sort { ($0.tile, $0.id) < ($1.tile, $1.id) }
    var next = places.makeIterator()
    try snapshot.forEachRegion(withIDs: places.lazy.map(\.id)) {
      (region) throws(DatabaseError) in
      guard let tile = next.next()?.tile else { return }
      var row = ExportFeature()
      row.append(region.id)
      row.append(region.coordinate.latitudeDegrees)
      row.append(region.coordinate.longitudeDegrees)
      row.append(region.radiusMeters)
      row.append(region.accuracyMeters)
      row.append(region.timestampStart)
      row.append(region.timestampEnd)
      row.append(region.visitCount)
      for name in region.place.inColumns { row.append(name) }
      try files.add(.regions, tile: tile, row.values)
    }
    try files.finish()
    return places.count
  }
}
