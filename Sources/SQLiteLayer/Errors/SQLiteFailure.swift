import CSQLite
import Foundation

/// A failure reported by SQLite: for logs, and for callers that need to distinguish more cases than
/// ``DatabaseError`` does.
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
  /// code.
  public let extendedCode: Int32
  /// SQLite's message in one line. Messages about a damaged schema quote part of it, with its line
  /// breaks and any other contents.
  public let message: String
  /// The SQL that ran, with the names of its parameters, never with bound values. Nil if there was
  /// no statement.
  package let sql: String?
  /// The operating system's reason for an I/O error, such as `File too large`. Nil for other
  /// errors, and if SQLite does not know it.
  package let systemReason: String?

  /// - Parameter systemError: the error number of the operating system; 0 for none. It counts only
  ///   for I/O errors.
  package init(extendedCode: Int32, message: String, sql: String?, systemError: Int32 = 0) {
    self.extendedCode = extendedCode
    self.message = Self.oneLine(message)
    self.sql = sql
    systemReason =
      extendedCode & 0xFF == SQLITE_IOERR && systemError != 0
      ? String(cString: strerror(systemError)) : nil
  }

  /// Returns a text without line breaks and control characters.
  static func oneLine(_ text: String) -> String {
    text.split { character in
      character.isWhitespace
        || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
    .joined(separator: " ")
  }

  /// Whether a full volume could be the cause: an error in creating, growing or writing a file.
  package var mayMeanFullVolume: Bool {
    extendedCode == SQLITE_CANTOPEN || extendedCode == SQLITE_IOERR
      || extendedCode & 0xFF == SQLITE_IOERR && Self.writingDetails.contains(extendedCode >> 8)
  }

  /// The parts of extended codes above `SQLITE_IOERR`, from the same page; Swift does not import
  /// the combined constants: WRITE, FSYNC, DIR_FSYNC, TRUNCATE, SHMOPEN, SHMSIZE, SHMMAP.
  private static let writingDetails: Set<Int32> = [3, 4, 5, 6, 18, 19, 21]
}

extension SQLiteFailure: CustomStringConvertible {
  /// One line: the code, the message, the system's reason, and the statement without line breaks
  /// and indentation.
  public var description: String {
    "SQLite error \(extendedCode): \(message)" + (systemReason.map { " (\($0))" } ?? "")
      + (sql.map { " in «\($0.split(whereSeparator: \.isWhitespace).joined(separator: " "))»" }
        ?? "")
  }
}
