/// The folder of a sync, wherever it lies: files in the four folders of ``SyncPath``, and in the
/// folder itself, whose name is the empty text.
///
/// The programs that carry the files between devices may add, rename, delay and remove files at any
/// time.
package protocol SyncDirectory: Sendable {
  /// The files and folders that a folder contains, in any order; none if the folder does not exist.
  ///
  /// - Throws: ``SyncDirectoryError/missing(path:)`` if the sync folder itself does not exist, so
  ///   that a stick that is not plugged in never looks like an empty folder.
  func entries(of folder: String) throws(SyncDirectoryError) -> [SyncDirectoryEntry]

  /// The bytes of a file.
  ///
  /// - Parameter limit: the most bytes that are read.
  /// - Throws: ``SyncDirectoryError/missing(path:)``, ``SyncDirectoryError/tooLarge(path:limit:)``
  ///   and others.
  func read(_ name: String, in folder: String, limit: Int) throws(SyncDirectoryError) -> [UInt8]

  /// Writes a file durably, as a whole or not at all. A file of that name with the same bytes
  /// counts as written. Missing folders are created, except for the sync folder itself.
  ///
  /// - Throws: ``SyncDirectoryError/exists(path:)`` if another file has that name, which is kept.
  func write(_ bytes: [UInt8], to name: String, in folder: String) throws(SyncDirectoryError)

  /// Removes a file. A file that does not exist counts as removed.
  func remove(_ name: String, in folder: String) throws(SyncDirectoryError)
}

extension SyncDirectory {
  /// Writes a file of the sync.
  package func write(_ bytes: [UInt8], to path: SyncPath) throws(SyncDirectoryError) {
    try write(bytes, to: path.name, in: path.folder)
  }

  /// Reads a file of the sync, or a renamed copy of it.
  ///
  /// - Parameter name: its name in the folder, if that is not the path's.
  /// - Throws: ``SyncDirectoryError/tooLarge(path:limit:)`` if it is larger than any file of its
  ///   kind.
  package func read(_ path: SyncPath, name: String? = nil) throws(SyncDirectoryError) -> [UInt8] {
    try read(name ?? path.name, in: path.folder, limit: path.kind.mostBytes)
  }
}

extension Envelope.Kind {
  /// The most bytes of such a file that are read: for millions of sources, or a recording of more
  /// than a hundred million fixes.
  package var mostBytes: Int {
    switch self {
    case .key: 16 << 20
    case .manifest, .backup: 512 << 20
    case .source: 1 << 30
    }
  }
}

/// What a folder contains.
package struct SyncDirectoryEntry: Hashable, Sendable {
  /// The name.
  package var name: String
  /// The size in bytes.
  package var byteCount: Int
  /// When it was last changed, in milliseconds since 1970, by the clock of whoever wrote it.
  package var modifiedMilliseconds: Int64
  /// Whether it is an ordinary file, and not a folder, a symbolic link or something else.
  package var isFile: Bool

  /// Creates an entry.
  package init(name: String, byteCount: Int, modifiedMilliseconds: Int64, isFile: Bool = true) {
    (self.name, self.byteCount) = (name, byteCount)
    (self.modifiedMilliseconds, self.isFile) = (modifiedMilliseconds, isFile)
  }
}

/// Why a sync folder cannot be used.
package enum SyncDirectoryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The folder or file does not exist.
  case missing(path: String)
  /// Another file of that name exists.
  case exists(path: String)
  /// The file has more bytes than any file of its kind.
  case tooLarge(path: String, limit: Int)
  /// The path is not an ordinary file, or one of its folders is not a folder.
  case notAFile(path: String)
  /// The system reports something else, in one line.
  case failed(path: String, reason: String)

  /// One sentence: what happened, and where.
  package var description: String {
    switch self {
    case .missing(let path): "\(path): It does not exist."
    case .exists(let path): "\(path): Another file of that name exists."
    case .tooLarge(let path, let limit): "\(path): It has more than \(limit) bytes."
    case .notAFile(let path): "\(path): It is not an ordinary file."
    case .failed(let path, let reason): "\(path): It cannot be used: \(reason)."
    }
  }
}
