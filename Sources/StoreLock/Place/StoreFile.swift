import ByteStreams
import Foundation
import SQLiteLayer

/// A file of a store that its encrypted file holds.
struct StoreFile: Hashable {
  /// The end of its path, after that of the store: empty for the store itself.
  let ending: String
  /// Whether it is a database.
  let isDatabase: Bool

  /// The name of the store in the archive, and the beginning of all names.
  static let storeName = "store.sqlite"
  /// The store.
  static let store = StoreFile(ending: "", isDatabase: true)
  /// What phones sent to `roqua serve` and the store has not decided about.
  static let inbox = StoreFile(ending: ".inbox", isDatabase: true)
  /// The tokens of `roqua serve`.
  static let tokens = StoreFile(ending: ".tokens", isDatabase: false)
  /// The folder with the keys of `roqua sync`.
  static let syncFolder = "-sync"
  /// The file in it that only keeps other syncs out.
  static let syncLock = "lock"

  /// Whether a name in that folder is that of a store which a backup has replaced.
  static func isReplaced(_ name: String) -> Bool {
    name.hasPrefix("replaced-") && name.hasSuffix(".sqlite")
  }

  /// The name in the archive.
  var name: String { Self.storeName + ending }

  /// The path, given that of the store.
  func path(of store: String) -> String { store + ending }

  private init(ending: String, isDatabase: Bool) {
    (self.ending, self.isDatabase) = (ending, isDatabase)
  }

  /// The file with a name in the archive; nil if there is no such file.
  init?(name: String) {
    guard name.hasPrefix(Self.storeName) else { return nil }
    let ending = String(name.dropFirst(Self.storeName.count))
    if let known = [Self.store, Self.inbox, Self.tokens].first(where: { $0.ending == ending }) {
      self = known
      return
    }
    let folder = Self.syncFolder + "/"
    let last = ending.dropFirst(folder.count)
    // Bytes, since a slash and a combining mark are one character, and lead to another folder.
    guard ending.hasPrefix(folder), !last.isEmpty, !last.utf8.contains(UInt8(ascii: "/")),
      last != ".", last != "..", last != Self.syncLock
    else { return nil }
    self.init(ending: ending, isDatabase: false)
  }

  /// The files of a store that exist, besides the store itself.
  ///
  /// - Throws: ``LockError/unsuitable(path:reason:)`` if one of them is not an ordinary file.
  static func others(of store: String) throws(LockError) -> [StoreFile] {
    var files = [inbox, tokens]
    let folder = store + syncFolder
    for name in PartialFile.names(in: folder).sorted()
    where ![".", "..", syncLock].contains(name) && !PartialFile.isPartial(name) {
      let path = FilePath(folder).appending(name)
      guard let file = StoreFile(name: storeName + syncFolder + "/" + name),
        file.name.utf8.count <= TarHeader.mostNameBytes
      else { throw .unsuitable(path: path, reason: "its name is too long") }
      files.append(file)
    }
    var found: [StoreFile] = []
    for file in files {
      let path = file.path(of: store)
      guard let kind = LockPlace.kind(of: path) else { continue }
      guard kind == S_IFREG else { throw .unsuitable(path: path, reason: "it is not a file") }
      found.append(file)
    }
    return found
  }

  /// Whether nothing of a database is in a log next to its file.
  static func hasNoLogs(_ path: String) -> Bool {
    for ending in DatabaseFile.logSuffixes {
      var status = stat()
      if lstat(path + ending, &status) == 0, status.st_size > 0 { return false }
    }
    return true
  }

  /// Returns the SHA-256 of a file; nil if it does not exist.
  static func digest(of path: String) throws(LockError) -> [UInt8]? {
    guard let file = SideFile(path: path) else {
      if errno == ENOENT { return nil }
      throw LockError(FileFailure(path: path, code: errno))
    }
    var (hash, offset) = (SHA256(), 0)
    while case let bytes = file.someBytes(at: offset, count: 1 << 20), !bytes.isEmpty {
      bytes.withUnsafeBytes { hash.update($0) }
      offset += bytes.count
    }
    return hash.finalize()
  }
}
