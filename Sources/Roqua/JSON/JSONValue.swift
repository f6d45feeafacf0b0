import ByteStreams

/// A JSON document whose objects keep the order of their members.
///
/// Roqua prints members in the documented order, with `null` for missing values. Foundation's
/// encoder neither keeps the order nor writes nil.
package enum JSONValue: Hashable, Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// An integer.
  case integer(Int64)
  /// A number. NaN and infinity become `null`: JSON has neither.
  case number(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object, with its members in order.
  case object([Member])

  /// One member of an object.
  package struct Member: Hashable, Sendable {
    /// The member's name.
    package let name: String
    /// The member's value.
    package let value: JSONValue
    /// Creates a member.
    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// A string, or null for nil.
  package static func string(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
  /// An integer.
  package static func integer(_ value: Int) -> JSONValue { .integer(Int64(value)) }
  /// An integer, or null for nil.
  package static func integer(_ value: Int?) -> JSONValue {
    value.map { .integer(Int64($0)) } ?? .null
  }
  /// A number, or null for nil.
  package static func number(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// Creates an object with its members in the order of the literal.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}

extension JSONValue: CustomStringConvertible {
  /// The document on one line, in UTF-8. Escapes the characters that a terminal interprets: control
  /// and format characters, and line and paragraph separators (RFC 8259, section 7). It reads back
  /// as the same text.
  package var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// Appends the document to a string.
  package func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value): text += Self.text(value)
    case .string(let value): Self.write(value, to: &text)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.write(member.name, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  /// The fewest digits that read back as the same number; integers have no decimal point.
  private static func text(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    // Every integer up to 2⁵³ is a Double.
    if value == value.rounded(), abs(value) <= 9_007_199_254_740_992 { return String(Int64(value)) }
    return "\(value)"
  }

  /// Whether a byte is a character that needs no escape, as nearly all names consist of.
  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func write(_ value: String, to text: inout String) {
    text += "\""
    if value.utf8.allSatisfy(isPlain) {
      text += value
      text += "\""
      return
    }
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isObeyedByTerminals:
        // Characters beyond the first 65 536 take two units.
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          let digits = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
