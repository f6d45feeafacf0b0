import ByteStreams
import GridHash
import SQLiteLayer

/// Writes the map tiles of a coverage to the kind of archive that a path stands for.
package enum MapTiles {
  /// Whether a path stands for an archive rather than a folder.
  package static func isArchive(_ path: String) -> Bool {
    let name = FilePath(path).name.lowercased()
    return path == "-" || name.hasSuffix(".mbtiles") || name.hasSuffix(".pmtiles")
  }

  /// Writes or renews tiles.
  ///
  /// - Parameters:
  ///   - path: ends with `.mbtiles` or `.pmtiles`; any other path is that of a folder, and `-` is
  ///     standard output, to which a PMTiles archive is written.
  ///   - files: files that are never overwritten, with a description of each.
  ///   - isReplacing: true to replace what exists and cannot be renewed.
  package static func write(
    _ coverage: Coverage, to path: String, _ options: MapTileOptions,
    keeping files: [FileIdentity: String] = [:], replacing isReplacing: Bool = false
  ) throws(DatabaseError) -> MapTileReport {
    let name = FilePath(path).name.lowercased()
    if name.hasSuffix(".mbtiles") {
      return try MBTilesFile.write(
        coverage, to: path, options, keeping: files, replacing: isReplacing)
    }
    if name.hasSuffix(".pmtiles") || path == "-" {
      return try PMTilesFile.write(
        coverage, to: path, options, keeping: files, replacing: isReplacing)
    }
    guard !path.isEmpty else { throw .cannotWrite(path: path, reason: "its path is empty") }
    return try TileFolder.write(coverage, to: path, options, replacing: isReplacing)
  }
}
