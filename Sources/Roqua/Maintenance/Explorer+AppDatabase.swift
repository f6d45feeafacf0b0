import GeoStore
import SQLiteLayer

extension Explorer {
  /// Does what the async form does, on the calling thread.
  @discardableResult
  package func exportAppDatabase(
    to path: String, replacing isReplacing: Bool = false,
    progress: (_ regions: Int, _ of: Int) -> Void = { _, _ in }
  ) throws -> AppDatabaseExport {
    try store.exportAppDatabase(to: path, replacing: isReplacing, progress: progress)
  }
}

extension AppDatabaseExport {
  /// The document that `roqua backup --app-format --json` prints.
  package var json: JSONValue {
    [
      "path": .string(path), "bytes": .integer(bytes), "regions": .integer(regions),
      "undated": .integer(undatedRegions),
    ]
  }
}
