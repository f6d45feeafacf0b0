/// A value as stored by SQLite.
package enum StoredValue: Hashable, Sendable {
  /// NULL, or a missing column.
  case null
  /// A whole number.
  case integer(Int64)
  /// A real number.
  case real(Double)
  /// A text. The app stores no blobs; they read as null.
  case text(String)

  /// The number, including the number in a text.
  package var number: Double? {
    switch self {
    case .null: nil
    case .integer(let value): Double(value)
    case .real(let value): value
    case .text(let text): Double(text)
    }
  }

  /// The text, unless it is empty.
  package var text: String? { if case .text(let text) = self, !text.isEmpty { text } else { nil } }
}

/// A row of the table `visited_regions` of the Roqua app.
package struct AppRow: Sendable {
  /// Its number. If the table does not number its rows (WITHOUT ROWID), its position in the order
  /// of the key, from 1.
  package let id: Int64
  /// The complete row, including unknown columns, as a JSON object with members in the order of the
  /// columns (`docs/formats/roqua-app.md`).
  package let original: String
  let values: [String: StoredValue]

  /// The value of a column, by its lowercase name; null if there is no such column.
  package subscript(column: String) -> StoredValue { values[column] ?? .null }
}
