import ByteStreams
import Foundation

/// The access to a store's file that the system permits.
package enum DatabaseAccess {
  /// Reading and writing.
  case readWrite
  /// Reading only; a change throws the error, which gives the reason.
  case readOnly(DatabaseError)

  /// Determines the access to the file at a path.
  package init(path: String) {
    let file = FilePath(FilePath(path).resolved)
    var status = stat()
    if stat(path, &status) == 0, status.st_nlink > 1 {
      self = .readOnly(.linked(path: path, names: Int(clamping: status.st_nlink)))
    } else if access(path, W_OK) != 0 {
      self = .readOnly(.readOnly(path: path, reason: Self.reason(errno, "the file")))
    } else if access(file.folder, W_OK | X_OK) != 0 {
      // SQLite creates its log there.
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

/// The place of an open store: the path, and the file that it named when the store was opened.
package struct DatabasePlace {
  private let path: String
  /// Independent of the working directory; symbolic links are resolved at each use.
  private let absolutePath: String
  private let identity: FileIdentity

  /// Records the place of a connection's open file.
  ///
  /// - Throws: ``DatabaseError/moved(path:)`` if the path already names another file.
  package init(of connection: Connection) throws(DatabaseError) {
    path = connection.path
    absolutePath = FilePath(path).absolute
    guard let identity = FileIdentity(path: absolutePath), try !connection.hasMoved() else {
      throw .moved(path: path)
    }
    self.identity = identity
  }

  /// Checks that the path still names the open file. Complexity: one system call.
  ///
  /// - Throws: ``DatabaseError/moved(path:)``: anything stored from now on would be lost.
  package func check() throws(DatabaseError) { _ = try status() }

  /// Checks that the path still names the open file, and that it is the file's only name.
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
