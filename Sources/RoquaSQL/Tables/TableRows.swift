import CSQLiteCalls
import Geodesy

/// The rows of one use of a table-valued function, from the first to the last. Not `Sendable`: it
/// belongs to the connection that reads it.
class TableRows {
  /// The connection.
  let database: OpaquePointer

  /// Creates rows that are read on a connection, which outlives them.
  init(database: OpaquePointer) { self.database = database }

  /// Goes to the first row.
  ///
  /// - Parameter argument: the argument of the function; nil if there is none, or NULL.
  func begin(argument: Int64?) throws(FunctionFailure) {}

  /// Goes to the next row.
  func advance() throws(FunctionFailure) {}

  /// Whether there is no row here.
  var isAtEnd: Bool { true }

  /// The number of the row.
  var rowID: Int64 { 0 }

  /// Gives a column of the row to SQLite.
  func write(column: Int32, to context: OpaquePointer) {}

  /// Gives a time to SQLite as text; NULL for none.
  static func write(_ time: Timestamp?, to context: OpaquePointer) {
    guard let time else { return roqua_result_null(context) }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Timestamp.maximumISO8601Bytes) {
      let count = time.writeISO8601(to: $0)
      // Sound: the text has been written, and SQLite copies it.
      UnsafeRawBufferPointer($0).withMemoryRebound(to: CChar.self) {
        roqua_result_text(context, $0.baseAddress, Int32(count))
      }
    }
  }
}

/// A table-valued function: its columns, and how its rows are made.
final class TableFunction: Sendable {
  /// The name.
  let name: String
  /// The declaration of its columns, the last of which is hidden: the argument.
  let schema: String
  /// The number of the argument's column.
  let argumentColumn: Int32
  /// What the argument is, for errors.
  let argumentName: String
  /// The number of columns, from the first, by which the rows are in ascending order.
  let orderedColumns: Int32
  /// Makes the rows for a connection.
  let makeRows: @Sendable (OpaquePointer) -> TableRows

  init(
    name: String, columns: [String], argument: String, argumentName: String, orderedColumns: Int32,
    makeRows: @escaping @Sendable (OpaquePointer) -> TableRows
  ) {
    self.name = name
    schema = "CREATE TABLE x(" + columns.joined(separator: ", ") + ", \(argument) HIDDEN)"
    argumentColumn = Int32(columns.count)
    self.argumentName = argumentName
    self.orderedColumns = orderedColumns
    self.makeRows = makeRows
  }

  /// All table-valued functions.
  static let all = [FixRows.function, TrackRows.function, CellRows.function]
}
