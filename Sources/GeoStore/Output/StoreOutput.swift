import ByteStreams
import Foundation

/// A file that is made of what a store holds, such as a backup: written beside its place, and moved there
/// when it is whole.
///
/// It never takes the place of the store that is read, nor of a file that SQLite keeps beside a database, and of
/// another file only where that was asked for; a database only while nobody has it open.
package final class StoreOutput {
  private let file: OutputFile
  private let path: String
  /// Keeps others from what is replaced; nil where it is no database, or nothing is there.
  private let replaced: ReplacedDatabase?

  /// Where the file is until it is whole; nil for standard output, a device or a pipe.
  package var partialPath: String? { file.partialPath }

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - store: the store that it is made of.
  ///   - isReplacing: whether a file that exists may be replaced.
  /// - Throws: ``StoreError/fileExists(path:)``, and ``StoreError/cannotWrite(path:reason:)`` for every other reason.
  package init(path: String, of store: Store, replacing isReplacing: Bool) throws(StoreError) {
    self.path = path
    let target = try Self.rethrowing { () throws(OutputFailure) in
      path == "-" ? path : try OutputFile.resolvingLinks(path)
    }
    try Self.checkName(of: target, path: path)
    file = try Self.rethrowing { () throws(OutputFailure) in
      try OutputFile(path: path, replacing: isReplacing, keeping: store.files)
    }
    guard file.partialPath != nil else {
      replaced = nil
      return
    }
    replaced = isReplacing ? try ReplacedDatabase(path: file.target) : nil
    // SQLite would take a log that is there for the new file's.
    for suffix in StoreFile.logSuffixes {
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
  /// - Throws: as ``init(path:of:replacing:)``; what was in its place stays.
  package func finish() throws(StoreError) {
    try replaced?.leaveLog()
    try Self.rethrowing { () throws(OutputFailure) in try file.finish() }
  }

  /// - Throws: ``StoreError/cannotWrite(path:reason:)`` for a name that SQLite uses beside a database.
  private static func checkName(of target: String, path: String) throws(StoreError) {
    for suffix in ["-shm"] + StoreFile.logSuffixes where target.hasSuffix(suffix) {
      let database = String(target.dropLast(suffix.count))
      guard StoreFile.isDatabase(path: database) else { continue }
      throw .cannotWrite(
        path: path, reason: "SQLite keeps a file of this name beside the database \(database)")
    }
  }

  private static func rethrowing<T>(_ body: () throws(OutputFailure) -> T) throws(StoreError) -> T {
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

extension Store {
  /// The files of the store, by whatever name, and what each is. They are never written over, and never opened but by
  /// SQLite: a process that closes such a file loses all its locks on it.
  package var files: [FileIdentity: String] {
    var files: [FileIdentity: String] = [:]
    for suffix in ["-shm"] + StoreFile.logSuffixes {
      guard let identity = FileIdentity(path: StoreFile.resolved(path) + suffix) else { continue }
      files[identity] = "a file that belongs to the store"
    }
    if let identity = FileIdentity(path: path) { files[identity] = "the store itself" }
    return files
  }
}
