import ByteStreams
import GeoStore
import SQLiteLayer

extension Explorer {
  /// Does what the async form does, on the calling thread; the path `-` is standard output.
  package func writeMap(
    to path: String, of query: MapQuery = MapQuery(), replacing isReplacing: Bool = false
  ) throws -> MapExport {
    let file = try DatabaseOutput(path: path, keeping: store.files, replacing: isReplacing)
    WorkMeter.current?.begin(.drawing)
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
