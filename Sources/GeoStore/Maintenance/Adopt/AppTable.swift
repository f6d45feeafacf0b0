import CSQLite
import SQLiteLayer

/// The table `visited_regions` of the Roqua app: its columns, and how to read its rows.
struct AppTable {
  /// The columns that identify a database as the app's.
  private static let requiredColumns = ["latitude", "longitude", "timestamp_start", "visit_count"]
  /// These and the other columns that Roqua interprets. All others are only kept.
  private static let knownColumns =
    requiredColumns + [
      "radius", "timestamp_end", "city", "district", "country", "country_code", "accuracy",
      "created_at",
      "updated_at",
    ]
  /// SQLite's names for the row number; a column with one of these names hides it.
  private static let rowNumberNames = ["rowid", "_rowid_", "oid"]

  /// Selects all rows: the number, if the table has one, and all columns.
  let select: String
  private let original: OriginalText
  private let hasRowNumber: Bool
  /// The interpreted columns and their indexes.
  private let known: [(name: String, column: Int32)]

  /// Reads the columns of the table.
  ///
  /// - Throws: ``StoreError/notAnAppDatabase(path:reason:)`` if it is not the app's, and SQLite's
  ///   error if it cannot be read.
  init(of connection: Connection) throws {
    let path = connection.path
    guard try connection.integer("PRAGMA application_id") != Schema.format.applicationID else {
      throw StoreError.notAnAppDatabase(
        path: path, reason: "it is already a store")
    }
    let type = try connection.text(
      "SELECT type FROM pragma_table_list('visited_regions') WHERE schema = 'main'")
    guard let type else {
      throw StoreError.notAnAppDatabase(path: path, reason: "it has no table visited_regions")
    }
    guard type == "table" else {
      throw StoreError.notAnAppDatabase(
        path: path, reason: "its visited_regions is a \(type), not a table")
    }
    let list = try Statement(
      "SELECT name, pk, hidden FROM pragma_table_xinfo('visited_regions') ORDER BY cid",
      on: connection)
    var (columns, keys): ([String], [(place: Int, name: String)]) = ([], [])
    while try list.step() {
      columns.append(list.text(at: 0) ?? "")
      if list.int(at: 1) > 0 { keys.append((list.int(at: 1), columns[columns.count - 1])) }
      // SQLite would have to compute the column for each row.
      guard list.int(at: 2) == 0 else {
        throw StoreError.notAnAppDatabase(
          path: path,
          reason:
            "the column \(columns[columns.count - 1]) of its table visited_regions is generated")
      }
    }
    // SQLite compares names without regard to case, for ASCII letters only.
    let names = columns.map(Self.lowercased)
    for name in Self.requiredColumns where !names.contains(name) {
      throw StoreError.notAnAppDatabase(
        path: path, reason: "its table visited_regions has no column \(name)")
    }
    let isNumbered = try connection.integer(
      "SELECT NOT wr FROM pragma_table_list('visited_regions') WHERE schema = 'main'")
    let rowNumber = isNumbered == 1 ? Self.rowNumberNames.first { !names.contains($0) } : nil
    // The key's own order may require a collation of the app's.
    let order =
      rowNumber
      ?? (keys.isEmpty
        ? nil
        : keys.sorted { $0.place < $1.place }.map { Self.quoted($0.name) + " COLLATE BINARY" }
          .joined(separator: ", "))
    select =
      "SELECT "
      + "\(([rowNumber].compactMap { $0 } + columns.map(Self.quoted)).joined(separator: ", ")) "
      + "FROM visited_regions" + (order.map { " ORDER BY \($0)" } ?? "")
    original = OriginalText(columns: columns)
    hasRowNumber = rowNumber != nil
    known = Self.knownColumns.compactMap { name in
      names.firstIndex(of: name).map { (name, Int32($0) + (rowNumber == nil ? 0 : 1)) }
    }
    _ = try Statement(select, on: connection)  // fails before anything is created
  }

  /// Returns the current row of a statement.
  func row(_ statement: borrowing Statement, place: Int64) -> AppRow {
    var values: [String: StoredValue] = [:]
    for (name, column) in known { values[name] = statement.value(at: column) }
    return AppRow(
      id: hasRowNumber ? statement.int64(at: 0) : place,
      original: original.object(statement, from: hasRowNumber ? 1 : 0), values: values)
  }

  private static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  private static func lowercased(_ name: String) -> String {
    String(decoding: name.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }
}

extension Statement {
  /// Returns the value in a column, with its stored type.
  fileprivate func value(at column: Int32) -> StoredValue {
    switch type(at: column) {
    case SQLITE_INTEGER: .integer(int64(at: column))
    case SQLITE_FLOAT: .real(double(at: column))
    case SQLITE_TEXT: .text(text(at: column) ?? "")
    default: .null
    }
  }
}
