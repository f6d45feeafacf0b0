import ByteStreams
import CSQLite
import SQLiteLayer

/// Writes a row as a JSON object from which every value can be recovered.
///
/// SQLite's own `json_object` accepts only about fifty columns, and rounds numbers to 15 digits.
struct OriginalText {
  /// The quoted names of the columns, with the surrounding punctuation.
  private let openings: [String]

  init(columns: [String]) {
    openings = columns.enumerated().map { index, name in
      var text = index == 0 ? "{" : ","
      Self.append(string: name, to: &text)
      return text + ":"
    }
  }

  /// Returns the object for the current row of a statement, whose columns begin at `first`.
  func object(_ row: borrowing Statement, from first: Int32) -> String {
    var text = ""
    for (index, opening) in openings.enumerated() {
      text += opening
      Self.append(row, column: first + Int32(index), to: &text)
    }
    return text.isEmpty ? "{}" : text + "}"
  }

  private static func append(_ row: borrowing Statement, column: Int32, to text: inout String) {
    switch row.type(at: column) {
    case SQLITE_INTEGER: text += String(row.int64(at: column))
    case SQLITE_FLOAT: text += number(row.double(at: column))
    case SQLITE_TEXT:
      let bytes = row.textBytes(at: column)
      if let string = String(validating: bytes, as: UTF8.self) {
        append(string: string, to: &text)
      } else {
        text += "{\"text\":\"\(Hexadecimal.text(bytes, uppercase: true))\"}"
      }
    case SQLITE_BLOB:
      let bytes = (try? row.bytes(at: column)) ?? []
      text += "{\"blob\":\"\(Hexadecimal.text(bytes, uppercase: true))\"}"
    default: text += "null"
    }
  }

  /// Returns the fewest digits that read back as the same number, at most 17. Infinity is written
  /// as a number too large for any Double, since JSON has no other form for it; SQLite does not
  /// store NaN.
  private static func number(_ value: Double) -> String {
    guard value.isInfinite else { return "\(value)" }
    return value < 0 ? "-9e999" : "9e999"
  }

  /// Appends a string as defined by RFC 8259, section 7.
  private static func append(string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\u{0}"..."\u{1F}", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
