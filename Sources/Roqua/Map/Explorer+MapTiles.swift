import ByteStreams
import GeoStore
import GridHash
import SQLiteLayer

extension Explorer {
  /// Writes the explored area as map tiles: to an MBTiles file if the path ends with `.mbtiles`, to
  /// a PMTiles archive if it ends with `.pmtiles`, otherwise to a folder `ZOOM/COLUMN/ROW.png`.
  ///
  /// An MBTiles file or a folder that an earlier call wrote with the same options, of the same part
  /// of the store and with as many hidden zones, is renewed: only tiles that have changed are
  /// written. A file gets its name once it is complete; it never
  /// replaces the store, and is readable by its owner only.
  ///
  /// ```swift
  /// let report = try await explorer.writeMapTiles(to: "explored.mbtiles")
  /// print("\(report.written) tiles")
  /// ```
  ///
  /// - Parameters:
  ///   - path: the path of the file or folder; `-` for standard output, to which a PMTiles archive
  ///     is written.
  ///   - options: the format and the zooms of the tiles, and the name of the map.
  ///   - query: which cells are shown. Nothing near a privacy zone is.
  ///   - isReplacing: true to replace a file or folder that cannot be renewed.
  /// - Throws: `DatabaseError.fileExists(path:)` or `DatabaseError.cannotWrite(path:reason:)`.
  public func writeMapTiles(
    to path: String, options: MapTileOptions = MapTileOptions(), of query: MapQuery = MapQuery(),
    replacing isReplacing: Bool = false
  ) throws -> MapTileReport {
    let coverage = try read { snapshot in
      try MapCells.selected(query, of: snapshot, by: self)
    }
    var options = options
    options.subject = query.subject
    return try MapTiles.write(
      coverage, to: path, options, keeping: store.files, replacing: isReplacing)
  }
}
