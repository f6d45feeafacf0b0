import ByteStreams
import Foundation

/// What may be done with a store's file, by what the system says of it.
package enum DatabaseAccess {
  /// Questions and changes.
  case readWrite
  /// Questions only; a change throws the error, which says why.
  case readOnly(DatabaseError)

  /// What may be done with the file at a path.
  package init(path: String) {
    let file = FilePath(FilePath(path).resolved)
    var status = stat()
    if stat(path, &status) == 0, status.st_nlink > 1 {
      self = .readOnly(.linked(path: path, names: Int(clamping: status.st_nlink)))
    } else if access(path, W_OK) != 0 {
      self = .readOnly(.readOnly(path: path, reason: Self.reason(errno, "the file")))
    } else if access(file.folder, W_OK | X_OK) != 0 {
      // SQLite makes its log there.
      self = .readOnly(.readOnly(path: path, reason: Self.reason(errno, "its folder")))
    } else {
      self = .readWrite
    }
  }

  private static func reason(_ code: Int32, _ what: String) -> String {
    code == EROFS
      ? "its file system is mounted read-only"
      : "\(what) cannot be written (\(String(cString: strerror(code))))"
  }
}

/// The place of an open store: the path, and the file that it named when it was opened.
package struct DatabasePlace {
  private let path: String
  /// From any working directory, through symbolic links as they are at the time.
  private let absolutePath: String
  private let identity: FileIdentity

  /// The place of the file that a connection has open.
  ///
  /// - Throws: ``DatabaseError/moved(path:)`` where the path names another one already.
  package init(of connection: Connection) throws(DatabaseError) {
    path = connection.path
    absolutePath = FilePath(path).absolute
    guard let identity = FileIdentity(path: absolutePath), try !connection.hasMoved() else {
      throw .moved(path: path)
    }
    self.identity = identity
  }

  /// Makes sure that the path names the open file. Complexity: one call of the system.
  ///
  /// - Throws: ``DatabaseError/moved(path:)``: what is stored from now on would be lost.
  package func check() throws(DatabaseError) { _ = try status() }

  /// Makes sure that the path names the open file, and that no other path does.
  ///
  /// - Throws: ``DatabaseError/moved(path:)`` and ``DatabaseError/linked(path:names:)``.
  package func checkIsOnlyName() throws(DatabaseError) {
    let names = try status().st_nlink
    guard names <= 1 else { throw .linked(path: path, names: Int(clamping: names)) }
  }

  private func status() throws(DatabaseError) -> stat {
    var status = stat()
    guard stat(absolutePath, &status) == 0, FileIdentity(status) == identity else {
      throw .moved(path: path)
    }
    return status
  }
}
