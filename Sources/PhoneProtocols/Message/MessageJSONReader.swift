import ByteStreams
import TrackIngest

/// Reads one JSON document strictly (RFC 8259).
struct MessageJSONReader {
  private let bytes: [UInt8]
  private var index = 0
  private var depth = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // A byte order mark is not JSON, but some libraries write one (RFC 8259, section 8.1).
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  /// Reads the whole document.
  mutating func document() throws(MessageError) -> MessageJSON {
    let value = try value()
    skipSpaces()
    guard index == bytes.count else { throw error("has text after its end") }
    return value
  }

  private func error(_ what: String) -> MessageError {
    .malformed("The JSON \(what) (byte \(index + 1)).")
  }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpaces() {
    while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      index += 1
    }
  }

  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: byte) else { return false }
    index += 1
    return true
  }

  private mutating func value() throws(MessageError) -> MessageJSON {
    skipSpaces()
    switch peek {
    case nil: throw error("is cut off")
    case UInt8(ascii: "{"): return try nested { reader throws(MessageError) in try reader.object() }
    case UInt8(ascii: "["): return try nested { reader throws(MessageError) in try reader.array() }
    case UInt8(ascii: "\""): return .field(FieldText(try string(), isText: true))
    case UInt8(ascii: "t"): return try word("true")
    case UInt8(ascii: "f"): return try word("false")
    case UInt8(ascii: "n"): return try word("null")
    default: return .field(FieldText(try number(), isText: false))
    }
  }

  private mutating func nested(
    _ body: (inout MessageJSONReader) throws(MessageError) -> MessageJSON
  ) throws(MessageError) -> MessageJSON {
    guard depth < MessageJSON.maximumDepth else { throw error("is nested too deep") }
    depth += 1
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func word(_ expected: String) throws(MessageError) -> MessageJSON {
    guard bytes[index...].starts(with: expected.utf8) else { throw error("has an unknown word") }
    index += expected.utf8.count
    return .word
  }

  private mutating func object() throws(MessageError) -> MessageJSON {
    index += 1
    var members: [MessageJSON.Member] = []
    skipSpaces()
    if take("}") { return .object([]) }
    while true {
      skipSpaces()
      guard peek == UInt8(ascii: "\"") else { throw error("lacks the name of a member") }
      let name = String(decoding: try string(), as: UTF8.self)
      skipSpaces()
      guard take(":") else { throw error("lacks a colon") }
      members.append(.init(name: name, value: try value()))
      skipSpaces()
      if take("}") { return .object(members) }
      guard take(",") else { throw error("lacks a comma") }
    }
  }

  private mutating func array() throws(MessageError) -> MessageJSON {
    index += 1
    var elements: [MessageJSON] = []
    skipSpaces()
    if take("]") { return .array([]) }
    while true {
      elements.append(try value())
      skipSpaces()
      if take("]") { return .array(elements) }
      guard take(",") else { throw error("lacks a comma") }
    }
  }

  /// `-`, digits, a point and digits, an exponent.
  private mutating func number() throws(MessageError) -> [UInt8] {
    let start = index
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    return Array(bytes[start..<index])
  }

  private mutating func digits() throws(MessageError) {
    let start = index
    while let byte = peek, byte &- 0x30 < 10 { index += 1 }
    guard index > start else { throw error("has a value that is not one") }
  }

  private mutating func string() throws(MessageError) -> [UInt8] {
    index += 1
    var text: [UInt8] = []
    while let byte = peek {
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return text
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0..<0x20: throw error("has a control character in a string")
      default: text.append(byte)
      }
    }
    throw error("is cut off in a string")
  }

  private mutating func escape(into text: inout [UInt8]) throws(MessageError) {
    guard let byte = peek else { throw error("is cut off in a string") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      var units = [try codeUnit()]
      // The second half of a pair follows as another escape.
      if UTF16.isLeadSurrogate(units[0]), bytes[index...].starts(with: [0x5C, 0x75]) {
        index += 2
        units.append(try codeUnit())
      }
      text += String(decoding: units, as: UTF16.self).utf8
    default: throw error("has an unknown escape")
    }
  }

  private mutating func codeUnit() throws(MessageError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Hexadecimal.value(ofDigit: byte) else {
        throw error("has an unknown escape")
      }
      value = value << 4 | UInt16(digit)
      index += 1
    }
    return value
  }
}
