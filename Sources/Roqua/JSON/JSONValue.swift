/// A JSON document in memory whose objects keep the order in which their members were given.
///
/// Roqua prints what its contract lists, in the contract's order and with `null` where there is
/// nothing; Foundation's encoder keeps no order and leaves nil out.
package enum JSONValue: Hashable, Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A whole number.
  case integer(Int64)
  /// A number. NaN and infinity become `null`: JSON has neither.
  case number(Double)
  /// A text.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// Members in order.
  case object([Member])

  /// One member of an object.
  package struct Member: Hashable, Sendable {
    /// Its name.
    package let name: String
    /// Its value.
    package let value: JSONValue
    /// A member.
    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// A text, or null.
  package static func string(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
  /// A whole number.
  package static func integer(_ value: Int) -> JSONValue { .integer(Int64(value)) }
  /// A whole number, or null.
  package static func integer(_ value: Int?) -> JSONValue {
    value.map { .integer(Int64($0)) } ?? .null
  }
  /// A number, or null.
  package static func number(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// An object with members in the order of the literal.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}

extension JSONValue: CustomStringConvertible {
  /// The document on one line, in UTF-8 with the characters escaped that a terminal obeys: control
  /// and format characters, and the separators of lines and paragraphs (RFC 8259, section 7). It
  /// reads back as the same text.
  package var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// Appends the document to a text.
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

  /// The fewest digits that read back as the same number; whole numbers without a point.
  private static func text(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    // Up to 2⁵³ every whole number is a Double.
    if value == value.rounded(), abs(value) <= 9_007_199_254_740_992 { return String(Int64(value)) }
    return "\(value)"
  }

  private static func write(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isObeyedByTerminals:
        // Two units beyond the first 65 536 characters.
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
