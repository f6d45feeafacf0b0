import ByteStreams
import Foundation

/// A file that is made from a database, such as a backup: written beside its place, and moved there
/// when it is whole.
///
/// It never takes the place of the database that is read, nor of a file that SQLite keeps beside a
/// database, and of another file only where that was asked for; a database only while nobody has it
/// open.
package final class DatabaseOutput {
  private let file: OutputFile
  private let path: String
  /// Keeps others from what is replaced; nil where it is no database, or nothing is there.
  private let replaced: ReplacedDatabase?

  /// Where the file is until it is whole; nil for standard output, a device or a pipe.
  package var partialPath: String? { file.partialPath }

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - keeping: files that are never written over, and what each is
  ///     (``DatabaseFile/files(of:name:)``).
  ///   - isReplacing: whether a file that exists may be replaced.
  /// - Throws: ``DatabaseError/fileExists(path:)``, and ``DatabaseError/cannotWrite(path:reason:)``
  ///   for every other reason.
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
    // SQLite would take a log that is there for the new file's.
    for suffix in DatabaseFile.logSuffixes {
      var status = stat()
      let log = file.target + suffix
      guard stat(log, &status) == 0, status.st_size > 0 else { continue }
      throw .cannotWrite(
        path: path,
        reason: "\(log) exists: a database of that name is open, or was not closed properly")
    }
  }

  /// Writes bytes; false where that fails, which ``finish()`` then reports.
  package func write(_ bytes: [UInt8]) -> Bool { file.write(bytes) }

  /// Brings the file to the disk and puts it in its place.
  ///
  /// - Throws: as ``init(path:keeping:replacing:)``; what was in its place stays.
  package func finish() throws(DatabaseError) {
    try replaced?.leaveLog()
    try Self.rethrowing { () throws(OutputFailure) in try file.finish() }
  }

  /// - Throws: ``DatabaseError/cannotWrite(path:reason:)`` for a name that SQLite uses beside a
  ///   database.
  private static func checkName(of target: String, path: String) throws(DatabaseError) {
    for suffix in ["-shm"] + DatabaseFile.logSuffixes where target.hasSuffix(suffix) {
      let database = String(target.dropLast(suffix.count))
      guard DatabaseFile.isDatabase(path: database) else { continue }
      throw .cannotWrite(
        path: path, reason: "SQLite keeps a file of this name beside the database \(database)")
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
