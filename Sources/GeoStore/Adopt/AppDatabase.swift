import CSQLite
import Foundation

/// A value as SQLite keeps it.
public enum StoredValue: Hashable, Sendable {
  /// NULL, or a column that is not there.
  case null
  /// A whole number.
  case integer(Int64)
  /// A number.
  case real(Double)
  /// A text. Bytes of a blob are none of the app's, and read as null.
  case text(String)

  /// A number, also where a text is one.
  public var number: Double? {
    switch self {
    case .null: nil
    case .integer(let value): Double(value)
    case .real(let value): value
    case .text(let text): Double(text)
    }
  }

  /// A text that is not empty.
  public var text: String? { if case .text(let text) = self, !text.isEmpty { text } else { nil } }
}

/// A row of the table `visited_regions` of the Roqua app.
public struct AppRow: Sendable {
  /// Its number.
  public let id: Int64
  /// All of it, columns that nobody knows too, as a JSON object.
  public let original: String
  fileprivate let values: [String: StoredValue]

  /// The value of a column; null where there is no such column.
  public subscript(column: String) -> StoredValue { values[column] ?? .null }
}

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
  private let columns: [String]

  /// The columns by which a database is told to be the app's.
  private static let requiredColumns = ["latitude", "longitude", "timestamp_start", "visit_count"]
  /// Beside them those that mean something here. The rest is only kept.
  private static let knownColumns =
    requiredColumns + [
      "radius", "timestamp_end", "city", "district", "country", "country_code", "accuracy", "created_at",
      "updated_at",
    ]

  /// Opens a database.
  ///
  /// - Throws: ``StoreError/notAnAppDatabase(path:reason:)``.
  public init(path: String) throws(StoreError) {
    self.path = path
    try Self.checkFile(path)
    fingerprint = Self.state(of: path)
    let (folder, name, flags) = try Self.source(for: path)
    copyFolder = folder
    do throws(StoreError) {
      connection = try Connection(path: path, flags: flags, name: name)
      columns = try Self.columns(of: connection)
    } catch {
      Self.removeCopy(folder)
      throw Self.explained(error, path)
    }
  }

  deinit { Self.removeCopy(copyFolder) }

  /// Hands out all rows, in the order of their numbers.
  ///
  /// - Complexity: O(rows); memory of one.
  public func forEachRow(_ body: (AppRow) throws(StoreError) -> Void) throws(StoreError) {
    let known = Self.knownColumns.filter(columns.contains)
    func quoted(_ name: String) -> String { "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\"" }
    func literal(_ name: String) -> String { "'" + name.replacingOccurrences(of: "'", with: "''") + "'" }
    // JSON has no bytes: a blob is kept as hexadecimal digits.
    let members = columns.map { name in
      "\(literal(name)), CASE typeof(\(quoted(name))) WHEN 'blob' THEN hex(\(quoted(name))) ELSE \(quoted(name)) END"
    }
    let sql = """
      SELECT rowid, json_object(\(members.joined(separator: ", "))), \(known.map(quoted).joined(separator: ", "))
      FROM visited_regions ORDER BY rowid
      """
    do throws(StoreError) {
      let select = try Statement(sql, on: connection)
      while try select.step() {
        var values: [String: StoredValue] = [:]
        for (index, name) in known.enumerated() { values[name] = select.value(at: Int32(index) + 2) }
        try body(AppRow(id: select.int64(at: 0), original: select.text(at: 1) ?? "{}", values: values))
      }
    } catch {
      throw Self.explained(error, path)
    }
  }

  /// - Throws: ``StoreError/notAnAppDatabase(path:reason:)`` where the files are not those that were opened any more.
  public func verifyUnchanged() throws(StoreError) {
    guard Self.state(of: path) == fingerprint else {
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

  private static let logSuffixes = ["-wal", "-journal"]

  private static func state(of path: String) -> [FileState?] {
    ([""] + logSuffixes).map { suffix in
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix) else {
        return nil
      }
      return FileState(
        size: attributes[.size] as? Int ?? -1, modified: attributes[.modificationDate] as? Date,
        number: attributes[.systemFileNumber] as? Int ?? -1)
    }
  }

  private static func checkFile(_ path: String) throws(StoreError) {
    do throws(StoreError) {
      try StoreFile.prepare(path: path, creating: false)
    } catch {
      throw explained(error, path)
    }
  }

  /// What to open: the database in its place, or a copy of it with its log.
  private static func source(for path: String) throws(StoreError) -> (String?, String, Int32) {
    let logs = logSuffixes.filter { (state(of: path + $0).first ?? nil).map { $0.size > 0 } ?? false }
    guard !logs.isEmpty else {
      let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "/-_.~"))
      let absolute = URL(fileURLWithPath: path).path
      let name = absolute.addingPercentEncoding(withAllowedCharacters: allowed) ?? absolute
      return (nil, "file:\(name)?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
    }
    let temporary = NSTemporaryDirectory() + "/roqua-adopt-"
    guard let folder = InterruptCleanup.makeFolder(temporary, for: copyNames) else {
      throw .notAnAppDatabase(path: path, reason: "no temporary folder can be made for a copy")
    }
    do {
      for suffix in [""] + logs {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: folder + "/app" + suffix)
      }
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder + "/app")
    } catch {
      removeCopy(folder)
      throw .notAnAppDatabase(path: path, reason: "it cannot be copied with its log")
    }
    return (folder, folder + "/app", SQLITE_OPEN_READWRITE)
  }

  /// The files of a copy: what is copied, and what SQLite makes beside it.
  private static let copyNames = (["", "-shm"] + logSuffixes).map { "app" + $0 }

  private static func removeCopy(_ folder: String?) {
    if let folder { InterruptCleanup.removeFolder(folder, with: copyNames) }
  }

  private static func columns(of connection: Connection) throws(StoreError) -> [String] {
    let path = connection.path
    guard try connection.integer("PRAGMA application_id") != Schema.applicationID else {
      throw .notAnAppDatabase(path: path, reason: "it is a store of this program; name it with --store")
    }
    let select = try Statement(
      "SELECT name FROM pragma_table_info('visited_regions') ORDER BY cid", on: connection)
    var columns: [String] = []
    while try select.step() { columns.append(select.text(at: 0) ?? "") }
    guard !columns.isEmpty else {
      throw .notAnAppDatabase(path: path, reason: "it has no table visited_regions")
    }
    for name in requiredColumns where !columns.contains(name) {
      throw .notAnAppDatabase(path: path, reason: "its table visited_regions has no column \(name)")
    }
    return columns
  }

  /// The words for a store's errors are not those for the app's database.
  private static func explained(_ error: StoreError, _ path: String) -> StoreError {
    switch error {
    case .missing: .notAnAppDatabase(path: path, reason: "there is no such file, or it is empty")
    case .notADatabase: .notAnAppDatabase(path: path, reason: "it is not an SQLite database")
    case .damaged(_, let detail): .notAnAppDatabase(path: path, reason: "it is damaged (\(detail))")
    case .cannotOpen(_, let reason): .notAnAppDatabase(path: path, reason: reason)
    default: error
    }
  }
}

extension Statement {
  /// The value in a column, of the type that it has there.
  fileprivate func value(at column: Int32) -> StoredValue {
    switch type(at: column) {
    case SQLITE_INTEGER: .integer(int64(at: column))
    case SQLITE_FLOAT: .real(double(at: column))
    case SQLITE_TEXT: .text(text(at: column) ?? "")
    default: .null
    }
  }
}
