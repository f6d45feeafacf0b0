import ByteStreams
import GeoStore
import GridHash
import SQLiteLayer

extension Explorer {
  /// Does what the async form does, on the calling thread; the path `-` is standard output, for a
  /// PMTiles archive.
  package func writeMapTiles(
    to path: String, options: MapTileOptions = MapTileOptions(), of query: MapQuery = MapQuery(),
    replacing isReplacing: Bool = false
  ) throws -> MapTileReport {
    WorkMeter.current?.begin(.writingTiles)
    let (coverage, zones) = try read { snapshot in
      (
        try MapCells.selected(query, of: snapshot, by: self),
        try snapshot.history.zoneRecords().map(\.uid)
      )
    }
    var options = options
    (options.subject, options.zones) = (query.subject, zones)
    return try MapTiles.write(
      coverage, to: path, options, keeping: store.files, replacing: isReplacing)
  }
}
