import SQLiteLayer

extension Store {
  /// Number of regions between two reports of progress, and between two checks for cancellation.
  private static let exportStepRegions = 1_000

  /// Writes the visited regions in their present state to a database of the Roqua app: a file with
  /// the app's table and indexes, which the app can open. `docs/formats/roqua-app.md` describes the
  /// columns. Imports may continue meanwhile, in this process and in others.
  ///
  /// The file appears under its name once it is complete and synced to disk. Only its owner can
  /// access it.
  ///
  /// - Parameters:
  ///   - target: the path of the new file. An existing file is left unchanged, unless
  ///     `isReplacing`.
  ///   - isReplacing: whether an existing file may be replaced.
  ///   - progress: called from time to time with the number of regions written and the total.
  /// - Complexity: O(regions · log regions); memory does not grow with their number.
  /// - Throws: `DatabaseError.fileExists(path:)`, `DatabaseError.cannotWrite(path:reason:)`,
  ///   `DatabaseError.interrupted(path:)`, and errors of reading the store.
  @discardableResult
  package func exportAppDatabase(
    to target: String, replacing isReplacing: Bool = false,
    progress: (_ regions: Int, _ of: Int) -> Void = { _, _ in }
  ) throws(DatabaseError) -> AppDatabaseExport {
    let file = try DatabaseOutput(path: target, keeping: files, replacing: isReplacing)
    guard let partialPath = file.partialPath else {
      throw .cannotWrite(path: target, reason: "it is not a file")
    }
    let export: AppDatabaseExport
    do throws(DatabaseError) {
      export = try withReader(isSavingMemory: true) { (source) throws(DatabaseError) in
        try write(source, to: partialPath, target: target, progress: progress)
      }
    } catch {
      // While the store is read, only temporary files for sorting are written.
      guard case .diskFull = error else { throw error }
      throw .cannotWrite(path: target, reason: "no space is left for temporary files")
    }
    try file.finish()
    return export
  }

  private func write(
    _ source: Connection, to partialPath: String, target: String, progress: (Int, Int) -> Void
  ) throws(DatabaseError) -> AppDatabaseExport {
    let cancellation = Cancellation.current
    func checkCancellation() throws(DatabaseError) {
      if cancellation?.isCancelled == true { throw .interrupted(path: path) }
    }
    let all = Int(try source.integer("SELECT count(*) FROM regions") ?? 0)
    let writer = try AppDatabaseWriter(
      path: partialPath, target: target, fileSystem: options.fileSystem)
    try AppExportRow.forEach(of: source) { (row) throws(DatabaseError) in
      try writer.append(row)
      guard writer.rows % Self.exportStepRegions == 0 else { return }
      try checkCancellation()
      progress(writer.rows, all)
    }
    let bytes = try Cancellation.watching(writer.connection) { () throws(DatabaseError) in
      try writer.finish()
    }
    progress(writer.rows, all)
    try checkCancellation()
    return AppDatabaseExport(
      path: target, bytes: bytes, regions: writer.rows, undatedRegions: writer.undatedRows)
  }
}
