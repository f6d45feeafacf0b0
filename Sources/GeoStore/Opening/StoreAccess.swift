import ByteStreams
import Foundation

/// What may be done with a store's file, by what the system says of it.
enum StoreAccess {
  /// Questions and changes.
  case readWrite
  /// Questions only; a change throws the error, which says why.
  case readOnly(StoreError)

  /// What may be done with the file at a path.
  init(path: String) {
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
struct StorePlace {
  private let path: String
  /// From any working directory, through symbolic links as they are at the time.
  private let absolutePath: String
  private let identity: FileIdentity

  /// The place of the file that a connection has open.
  ///
  /// - Throws: ``StoreError/moved(path:)`` where the path names another one already.
  init(of connection: Connection) throws(StoreError) {
    path = connection.path
    absolutePath = FilePath(path).absolute
    guard let identity = FileIdentity(path: absolutePath), try !connection.hasMoved() else {
      throw .moved(path: path)
    }
    self.identity = identity
  }

  /// Makes sure that the path names the open file. Complexity: one call of the system.
  ///
  /// - Throws: ``StoreError/moved(path:)``: what is stored from now on would be lost.
  func check() throws(StoreError) { _ = try status() }

  /// Makes sure that the path names the open file, and that no other path does.
  ///
  /// - Throws: ``StoreError/moved(path:)`` and ``StoreError/linked(path:names:)``.
  func checkIsOnlyName() throws(StoreError) {
    let names = try status().st_nlink
    guard names <= 1 else { throw .linked(path: path, names: Int(clamping: names)) }
  }

  private func status() throws(StoreError) -> stat {
    var status = stat()
    guard stat(absolutePath, &status) == 0, FileIdentity(status) == identity else {
      throw .moved(path: path)
    }
    return status
  }
}
