import GeoStore
import SQLiteLayer

extension Explorer {
  /// Exports the visited regions to a database of the Roqua app: one file with the app's table and
  /// indexes, which the app can open. Imports can continue meanwhile.
  ///
  /// Rows are numbered from 1 in the order of their first times. Times are whole seconds, the only
  /// form that the app reads. A region without a time gets an empty text, since the app's column
  /// does not allow NULL; the app does not list it. `docs/formats/roqua-app.md` describes every
  /// column.
  ///
  /// The file is readable by its owner only and gets its name once it is complete. It never
  /// replaces the store.
  ///
  /// - Parameters:
  ///   - path: the path of the new file. An existing file is left alone, unless `isReplacing`.
  ///   - isReplacing: true to replace an existing file.
  ///   - progress: called from time to time with the number of regions written and their total.
  /// - Complexity: O(regions · log regions); memory does not grow with their number.
  /// - Throws: `DatabaseError.fileExists(path:)` or `DatabaseError.cannotWrite(path:reason:)`, and
  ///   the errors of reading the store. No new file is left behind.
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
