import CSQLite

/// What SQLite reported when something went wrong: for logs, and for callers that tell more cases
/// apart than ``DatabaseError`` does.
///
/// ```swift
/// do {
///   print(try await explorer.sources().count)
/// } catch let error as DatabaseError {
///   print(error, error.sqliteFailure?.extendedCode ?? 0)
/// }
/// ```
public struct SQLiteFailure: Hashable, Sendable {
  /// The extended result code (https://www.sqlite.org/rescode.html); its low 8 bits are the primary
  /// one.
  public let extendedCode: Int32
  /// SQLite's words for it, in one line: of a damaged schema they quote a piece, with its line
  /// breaks and whatever is in it.
  public let message: String
  /// The SQL that ran, with its parameters as they are named in it: values that were bound are
  /// never in it. Nil where it was no statement.
  public let sql: String?

  package init(extendedCode: Int32, message: String, sql: String?) {
    self.extendedCode = extendedCode
    self.message = message.split { character in
      character.isWhitespace
        || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
    .joined(separator: " ")
    self.sql = sql
  }

  /// Whether no space being left would explain it: an error in making, growing or writing a file.
  package var mayMeanFullVolume: Bool {
    extendedCode == SQLITE_CANTOPEN || extendedCode == SQLITE_IOERR
      || extendedCode & 0xFF == SQLITE_IOERR && Self.writingDetails.contains(extendedCode >> 8)
  }

  /// What extended codes have above `SQLITE_IOERR`, from the same page; Swift does not import the
  /// sums: WRITE, FSYNC, DIR_FSYNC, TRUNCATE, SHMOPEN, SHMSIZE, SHMMAP.
  private static let writingDetails: Set<Int32> = [3, 4, 5, 6, 18, 19, 21]
}

extension SQLiteFailure: CustomStringConvertible {
  /// One line: code, words, and the statement without its line breaks and indents.
  public var description: String {
    "SQLite error \(extendedCode): \(message)"
      + (sql.map { " in «\($0.split(whereSeparator: \.isWhitespace).joined(separator: " "))»" }
        ?? "")
  }
}
