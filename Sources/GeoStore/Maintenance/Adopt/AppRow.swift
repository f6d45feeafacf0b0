/// A value as SQLite keeps it.
package enum StoredValue: Hashable, Sendable {
  /// NULL, or a column that is not there.
  case null
  /// A whole number.
  case integer(Int64)
  /// A number.
  case real(Double)
  /// A text. Bytes of a blob are none of the app's, and read as null.
  case text(String)

  /// A number, also where a text is one.
  package var number: Double? {
    switch self {
    case .null: nil
    case .integer(let value): Double(value)
    case .real(let value): value
    case .text(let text): Double(text)
    }
  }

  /// A text that is not empty.
  package var text: String? { if case .text(let text) = self, !text.isEmpty { text } else { nil } }
}

/// A row of the table `visited_regions` of the Roqua app.
package struct AppRow: Sendable {
  /// Its number; where the table numbers no rows (WITHOUT ROWID), its place in the order of its
  /// key, from 1.
  package let id: Int64
  /// All of it, columns that nobody knows too, as a JSON object whose members are in the order of
  /// the columns (`docs/formats/roqua-app.md`).
  package let original: String
  let values: [String: StoredValue]

  /// The value of a column, by its name in lower case; null where there is no such column.
  package subscript(column: String) -> StoredValue { values[column] ?? .null }
}
