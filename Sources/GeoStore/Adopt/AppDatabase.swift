import CSQLite
import Foundation

/// A database of the Roqua app, opened to be read. Nothing in its folder is ever written.
///
/// A database without a log is read in its place, as one that nobody changes (SQLite's `immutable`), since any other way of
/// opening makes files beside it. One with a log that was not brought in is copied into a folder of its own, its owner's alone, and
/// read there. Where it changes meanwhile, ``verifyUnchanged()`` says so.
public final class AppDatabase {
  private let path: String
  private let connection: Connection
  private let copyFolder: String?
  private let fingerprint: [FileState?]
  private let table: AppTable

  /// Opens a database.
  ///
  /// - Throws: ``StoreError/notAnAppDatabase(path:reason:)``.
  public init(path: String) throws(StoreError) {
    self.path = path
    fingerprint = Self.states(of: path)
    do throws(StoreError) {
      try StoreFile.prepare(path: path, creating: false)
      let source = try Self.source(for: path)
      copyFolder = source.copyFolder
      do throws(StoreError) {
        connection = try Connection(path: path, flags: source.flags, name: source.name)
        table = try AppTable(of: connection)
      } catch {
        Self.removeCopy(source.copyFolder)
        throw error
      }
    } catch {
      throw Self.explained(error, path)
    }
  }

  deinit { Self.removeCopy(copyFolder) }

  /// Hands out all rows, in the order of their numbers.
  ///
  /// - Complexity: O(rows); memory of one.
  public func forEachRow(_ body: (AppRow) throws(StoreError) -> Void) throws(StoreError) {
    let select = try explaining { () throws(StoreError) in try Statement(table.select, on: connection) }
    var place: Int64 = 0
    while try explaining({ () throws(StoreError) in try select.step() }) {
      place += 1
      try body(table.row(select, place: place))
    }
  }

  private func explaining<T: ~Copyable>(
    _ body: () throws(StoreError) -> T
  ) throws(StoreError) -> T {
    do { return try body() } catch { throw Self.explained(error, path) }
  }

  /// - Throws: ``StoreError/notAnAppDatabase(path:reason:)`` where the files are not those that were opened any more.
  public func verifyUnchanged() throws(StoreError) {
    guard Self.states(of: path) == fingerprint else {
      throw .notAnAppDatabase(
        path: path, reason: "it was changed while it was read; close the app and try again")
    }
  }

  /// When a file was changed last, and how large it is.
  private struct FileState: Equatable {
    let size: Int
    let modified: Date?
    let number: Int
  }

  /// Of the database and its logs.
  private static func states(of path: String) -> [FileState?] {
    let file = StoreFile.resolved(path)
    return ([""] + StoreFile.logSuffixes).map { state(of: file + $0) }
  }

  private static func state(of file: String) -> FileState? {
    (try? FileManager.default.attributesOfItem(atPath: file)).map { attributes in
      FileState(
        size: attributes[.size] as? Int ?? -1, modified: attributes[.modificationDate] as? Date,
        number: attributes[.systemFileNumber] as? Int ?? -1)
    }
  }

  /// What to open: the database in its place, or a copy of it with its log.
  private static func source(
    for path: String
  ) throws(StoreError) -> (copyFolder: String?, name: String, flags: Int32) {
    let file = StoreFile.resolved(path)
    let inPlace = try Connection(path: path, flags: SQLITE_OPEN_READONLY, name: file)
    try StoreFile.checkWholeness(of: inPlace)
    let logs = StoreFile.logSuffixes.filter { (state(of: file + $0)?.size ?? 0) > 0 }
    guard !logs.isEmpty else {
      let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "/-_.~"))
      let name = file.addingPercentEncoding(withAllowedCharacters: allowed) ?? file
      return (nil, "file:\(name)?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
    }
    let temporary = NSTemporaryDirectory() + "/roqua-adopt-"
    guard let folder = InterruptCleanup.makeFolder(temporary, for: copyNames) else {
      throw .notAnAppDatabase(path: path, reason: "no temporary folder can be made for a copy")
    }
    do {
      try copy(inPlace, to: folder + "/app")
      for suffix in logs {
        try FileManager.default.copyItem(atPath: file + suffix, toPath: folder + "/app" + suffix)
      }
    } catch {
      removeCopy(folder)
      throw .notAnAppDatabase(path: path, reason: "it cannot be copied with its log")
    }
    return (folder, folder + "/app", SQLITE_OPEN_READWRITE)
  }

  /// The files of a copy: what is copied, and what SQLite makes beside it.
  private static let copyNames = (["", "-shm"] + StoreFile.logSuffixes).map { "app" + $0 }

  private static func removeCopy(_ folder: String?) {
    if let folder { InterruptCleanup.removeFolder(folder, with: copyNames) }
  }

  /// Copies the file as it is, through SQLite's hands: the app may have it open in this very process.
  private static func copy(_ database: Connection, to path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
      let copy = FileHandle(forWritingAtPath: path)
    else { throw CocoaError(.fileWriteUnknown) }
    defer { try? copy.close() }
    var offset: Int64 = 0
    while case let bytes = try database.fileBytes(at: offset, count: 1 << 20), !bytes.isEmpty {
      try copy.write(contentsOf: bytes)
      offset += Int64(bytes.count)
    }
  }

  /// The words for a store's errors are not those for the app's database.
  private static func explained(_ error: StoreError, _ path: String) -> StoreError {
    switch error {
    case .missing: .notAnAppDatabase(path: path, reason: "there is no such file, or it is empty")
    case .notADatabase: .notAnAppDatabase(path: path, reason: "it is not an SQLite database")
    case .damaged(_, let detail, _): .notAnAppDatabase(path: path, reason: "it is damaged (\(detail))")
    case .cannotOpen(_, let reason, _): .notAnAppDatabase(path: path, reason: reason)
    case .sqlite(_, let cause):
      .notAnAppDatabase(path: path, reason: "its table visited_regions cannot be read (\(cause.message))")
    default: error
    }
  }
}
