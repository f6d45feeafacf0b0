import CSQLite

/// A value of any of SQLite's types, for rows that are copied without being understood.
package enum DatabaseValue: Hashable, Sendable {
  /// NULL.
  case null
  /// An integer.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// A text.
  case text(String)
  /// Bytes.
  case blob([UInt8])
}

extension Statement {
  /// Returns the value in a column, with its type.
  package func value(at column: Int32) throws(DatabaseError) -> DatabaseValue {
    switch type(at: column) {
    case SQLITE_INTEGER: .integer(int64(at: column))
    case SQLITE_FLOAT: .real(double(at: column))
    case SQLITE_TEXT: .text(text(at: column) ?? "")
    case SQLITE_BLOB: .blob(try bytes(at: column))
    default: .null
    }
  }

  /// Returns the values in some columns.
  package func values(at columns: Range<Int32>) throws(DatabaseError) -> [DatabaseValue] {
    var values: [DatabaseValue] = []
    for column in columns { values.append(try value(at: column)) }
    return values
  }

  /// Binds a value with its type.
  package func bind(_ value: DatabaseValue, at index: Int32) {
    switch value {
    case .null: bind(Int64?.none, at: index)
    case .integer(let value): bind(value, at: index)
    case .real(let value): bind(value, at: index)
    case .text(let value): bind(value, at: index)
    case .blob(let value): bind(value, at: index)
    }
  }
}
