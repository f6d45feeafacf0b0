import GeoStore
import SQLiteLayer

extension Explorer {
  /// Writes the visited regions, as they are at this moment, to a database of the Roqua app: one
  /// file with the app's table and indexes, which the app opens. Imports may go on meanwhile.
  ///
  /// Rows are numbered from 1 in the order of their first times, which are whole seconds, as the
  /// app reads no others. A region without a time gets an empty text, since the app's column takes
  /// no NULL; the app does not list it. `docs/formats/roqua-app.md` describes every column.
  ///
  /// The file is readable by its owner only, and appears under its name when it is whole. It never
  /// takes the place of the store.
  ///
  /// - Parameters:
  ///   - path: Where to. A file that is there is left as it is, unless `isReplacing`.
  ///   - isReplacing: Whether a file that is there may be replaced.
  ///   - progress: Called now and then with the regions that are written, and all.
  /// - Complexity: O(regions · log regions); memory does not grow with their number.
  /// - Throws: `DatabaseError.fileExists(path:)` or `DatabaseError.cannotWrite(path:reason:)`, and
  ///   what reading the store throws. Then there is no new file.
  @discardableResult
  public func exportAppDatabase(
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
