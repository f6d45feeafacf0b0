import ByteStreams
import Foundation

/// A file made from a database, such as a backup. It is written next to its final path and moved
/// there once it is complete.
///
/// It never replaces the database being read or a file that SQLite keeps next to a database. It
/// replaces another file only on request, and a database only while no process has it open.
package final class DatabaseOutput {
  private let file: OutputFile
  private let path: String
  /// Locks the database to be replaced; nil if there is no file or it is not a database.
  private let replaced: ReplacedDatabase?

  /// The path of the file until it is complete; nil for standard output, a device or a pipe.
  package var partialPath: String? { file.partialPath }

  /// The final path: the path, or the target of its link.
  package var target: String { file.target }

  /// Starts a file.
  ///
  /// - Parameters:
  ///   - keeping: files that are never overwritten, with a description of each
  ///     (``DatabaseFile/files(of:name:)``).
  ///   - isReplacing: whether an existing file may be replaced.
  /// - Throws: ``DatabaseError/fileExists(path:)``, and ``DatabaseError/cannotWrite(path:reason:)``
  ///   for any other reason.
  package init(
    path: String, keeping files: [FileIdentity: String], replacing isReplacing: Bool
  ) throws(DatabaseError) {
    self.path = path
    let target = try Self.rethrowing { () throws(OutputFailure) in
      path == "-" ? path : try OutputFile.resolvingLinks(path)
    }
    try Self.checkName(of: target, path: path)
    file = try Self.rethrowing { () throws(OutputFailure) in
      try OutputFile(path: path, replacing: isReplacing, keeping: files)
    }
    guard file.partialPath != nil else {
      replaced = nil
      return
    }
    replaced = isReplacing ? try ReplacedDatabase(path: file.target) : nil
    // SQLite would take an existing log for the new file's.
    for suffix in DatabaseFile.logSuffixes {
      var status = stat()
      let log = file.target + suffix
      guard stat(log, &status) == 0, status.st_size > 0 else { continue }
      throw .cannotWrite(
        path: path,
        reason: "\(log) exists; a database with that name is open or was not closed properly")
    }
  }

  /// Writes bytes. Returns false if that fails; ``finish()`` then reports the error.
  package func write(_ bytes: [UInt8]) -> Bool { file.write(bytes) }

  /// Syncs the file to disk and moves it to its final path.
  ///
  /// - Throws: the same errors as ``init(path:keeping:replacing:)``; an existing file is kept then.
  package func finish() throws(DatabaseError) {
    try replaced?.leaveLog()
    try Self.rethrowing { () throws(OutputFailure) in try file.finish() }
  }

  /// Checks that the name is not one of SQLite's own files.
  ///
  /// - Throws: ``DatabaseError/cannotWrite(path:reason:)`` for a name that SQLite uses next to a
  ///   database.
  private static func checkName(of target: String, path: String) throws(DatabaseError) {
    for suffix in ["-shm"] + DatabaseFile.logSuffixes where target.hasSuffix(suffix) {
      let database = String(target.dropLast(suffix.count))
      guard DatabaseFile.isDatabase(path: database) else { continue }
      throw .cannotWrite(
        path: path, reason: "SQLite uses this name for a file of the database \(database)")
    }
  }

  private static func rethrowing<T>(_ body: () throws(OutputFailure) -> T) throws(DatabaseError)
    -> T
  {
    do {
      return try body()
    } catch {
      switch error {
      case .exists(let path): throw .fileExists(path: path)
      case .failed(let failure): throw .cannotWrite(path: failure.path, reason: failure.reason)
      }
    }
  }
}
