import ByteStreams
import Foundation
import Roqua
import RoquaSQL

/// Prints the rows of queries as they come.
final class QueryOutput {
  /// The form of the rows.
  enum Form {
    /// Aligned columns, in blocks of ``QueryOutput/blockRows`` rows.
    case table
    /// An object per row.
    case json
    /// RFC 4180, with LF.
    case csv
  }

  private let form: Form
  private var columns: [String] = []
  private var block: [[SQLValue]] = []
  private var isFirstBlock = true
  private var statements = 0
  private var buffer = ""

  /// Number of rows of a table that are aligned with each other: the memory that it takes.
  static let blockRows = 1_000
  /// Number of bytes of other rows that are printed at once.
  private static let bufferBytes = 1 << 16
  /// Number of bytes of a blob that a table shows.
  private static let shownBlobBytes = 16

  init(_ form: Form) { self.form = form }

  /// Begins the rows of a statement.
  func begin(_ statement: QueryStatement) {
    end()
    columns = statement.columns
    (isFirstBlock, statements) = (true, statements + 1)
    switch form {
    case .table: if statements > 1 { Console.print("") }
    case .json: break
    case .csv:
      if statements > 1 { buffer += "\n" }
      buffer += columns.map(Self.csv).joined(separator: ",") + "\n"
    }
  }

  /// Adds a row.
  func add(_ statement: QueryStatement) {
    let values = columns.indices.map { statement.value(at: Int32($0)) }
    switch form {
    case .table:
      block.append(values)
      if block.count == Self.blockRows { end() }
    case .json:
      JSONValue.object(zip(columns, values).map { .init($0, Self.json($1)) }).write(to: &buffer)
      buffer += "\n"
    case .csv:
      buffer += values.map { Self.csv(Self.text($0, isShort: false)) }.joined(separator: ",") + "\n"
    }
    if buffer.utf8.count >= Self.bufferBytes { end() }
  }

  /// Prints what has not been printed yet.
  func end() {
    if !buffer.isEmpty { Console.printLines(buffer) }
    buffer = ""
    guard !block.isEmpty else { return }
    var table = Table(columns.indices.map(alignment))
    if isFirstBlock { table.addHeader(columns) }
    for row in block { table.add(row.map { Self.text($0, isShort: true) }) }
    table.lines().forEach(Console.print)
    (block, isFirstBlock) = ([], false)
  }

  /// Columns of nothing but numbers are aligned to the right.
  private func alignment(ofColumn column: Int) -> Table.Alignment {
    var hasReal = false
    for row in block {
      switch row[column] {
      case .null, .integer: break
      case .real: hasReal = true
      case .text, .blob: return .left
      }
    }
    return hasReal ? .point : .right
  }

  private static func text(_ value: SQLValue, isShort: Bool) -> String {
    switch value {
    case .null: return ""
    case .integer(let integer): return "\(integer)"
    case .real(let real): return "\(real)"
    case .text(let text): return text
    case .blob(let bytes):
      guard isShort, bytes.count > shownBlobBytes else {
        return "X'\(Hexadecimal.text(bytes, uppercase: true))'"
      }
      let shown = Hexadecimal.text(bytes[..<shownBlobBytes], uppercase: true)
      return "X'\(shown)…' (\(bytes.count) bytes)"
    }
  }

  private static func json(_ value: SQLValue) -> JSONValue {
    switch value {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .real(let real): .number(real)
    case .text(let text): .string(text)
    case .blob: .string(text(value, isShort: false))
    }
  }

  /// A field of CSV, in quotation marks if it needs them.
  private static func csv(_ text: String) -> String {
    let text = Console.safe(text)
    guard text.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }) else {
      return text
    }
    return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
  }
}
