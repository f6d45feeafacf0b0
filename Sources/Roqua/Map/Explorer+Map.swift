import ByteStreams
import GeoStore
import SQLiteLayer

extension Explorer {
  /// Writes a map as one self-contained HTML page, which any browser opens from disk without a
  /// connection. The file is readable by its owner only, gets its name once it is complete, and
  /// never replaces the store.
  ///
  /// - Parameters:
  ///   - path: the path of the file; `-` for standard output.
  ///   - query: what the map shows.
  ///   - isReplacing: true to replace an existing file.
  /// - Throws: `DatabaseError.fileExists(path:)`, `DatabaseError.cannotWrite(path:reason:)`, and
  ///   errors of reading the store.
  /// - Complexity: O(n log n) in kept fixes; memory for the coverage and the page.
  public func writeMap(
    to path: String, of query: MapQuery = MapQuery(), replacing isReplacing: Bool = false
  ) throws -> MapExport {
    let file = try DatabaseOutput(path: path, keeping: store.files, replacing: isReplacing)
    guard let made = try read({ try MapPageMaker(explorer: self, query: query).make(of: $0) })
    else { throw DatabaseError.cannotWrite(path: path, reason: "there is not enough memory") }
    _ = file.write(made.html)
    try file.finish()
    let export = made.export
    return MapExport(
      path: path, bytes: export.bytes, cells: export.cells, visitedRegions: export.visitedRegions,
      tracks: export.tracks, precision: export.precision, notes: export.notes)
  }
}
