import CSQLite
import SQLiteLayer

/// A statement that a person wrote, and its rows. Not `Sendable`.
///
/// - Sound: the statement is finalized in `deinit`; the session keeps the connection alive until
///   then.
package final class QueryStatement {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { sqlite3_finalize(handle) }

  /// The names of the columns; empty for a statement that has no rows.
  package var columns: [String] {
    (0..<sqlite3_column_count(handle)).map { column in
      sqlite3_column_name(handle, column).map { String(cString: $0) } ?? ""
    }
  }

  /// The names of the parameters, with the character before them; nil for one without a name.
  var parameters: [String?] {
    (0..<sqlite3_bind_parameter_count(handle)).map { index in
      sqlite3_bind_parameter_name(handle, index + 1).map { String(cString: $0) }
    }
  }

  /// Binds a value, which is copied, to a parameter, counted from 1.
  func bind(_ value: SQLValue, at index: Int32) {
    switch value {
    case .null: sqlite3_bind_null(handle, index)
    case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
    case .real(let real): sqlite3_bind_double(handle, index, real)
    case .text(let text):
      sqlite3_bind_text(handle, index, text, Int32(text.utf8.count), roqua_sqlite_transient())
    case .blob(let bytes):
      sqlite3_bind_blob(handle, index, bytes, Int32(bytes.count), roqua_sqlite_transient())
    }
  }

  /// The value in a column of the present row, counted from 0.
  package func value(at column: Int32) -> SQLValue {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT:
      // Sound: the text is valid until the next step, and copied here. Its address comes before its
      // count.
      guard let text = sqlite3_column_text(handle, column) else { return .null }
      let count = Int(sqlite3_column_bytes(handle, column))
      return .text(String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      // Sound: as for a text; an empty blob has no address.
      guard let address = sqlite3_column_blob(handle, column) else { return .blob([]) }
      let count = Int(sqlite3_column_bytes(handle, column))
      return .blob(Array(UnsafeRawBufferPointer(start: address, count: count)))
    default: return .null
    }
  }
}
