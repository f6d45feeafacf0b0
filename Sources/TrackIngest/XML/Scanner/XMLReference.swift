import ByteStreams

/// A character reference of XML: `&amp;`, `&#52;`, `&#x34;`.
struct XMLReference {
  /// The bytes after the `&`.
  private var text = BoundedText(limit: 32)
  /// The line of the `&`.
  private(set) var line = 1
  /// True if it is in text, not in an attribute value.
  private(set) var isInText = true

  /// Starts another reference.
  mutating func reset(line: Int, isInText: Bool) {
    text.reset()
    (self.line, self.isInText) = (line, isInText)
  }

  /// Adds a byte after the `&`; returns false if no reference contains such a byte.
  mutating func take(_ byte: UInt8) -> Bool {
    guard text.count < text.limit, Self.isNameByte(byte) else { return false }
    text.append(byte)
    return true
  }

  /// The bytes after the `&`.
  var name: [UInt8] { text.withBytes { Array($0) } }

  /// The character that it represents; nil if XML itself does not define it.
  var character: Unicode.Scalar? { text.withBytes(Self.resolve) }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x23, 0x5F, 0x2E, 0x2D, 0x3A, 0x80...0xFF: true
    default: false
    }
  }

  private static func resolve(_ name: UnsafeBufferPointer<UInt8>) -> Unicode.Scalar? {
    if name.first == 0x23 { return numeric(UnsafeBufferPointer(rebasing: name.dropFirst())) }
    let predefined: [(String, Unicode.Scalar)] = [
      ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"),
    ]
    return predefined.first { name.elementsEqual($0.0.utf8) }?.1
  }

  private static func numeric(_ digits: UnsafeBufferPointer<UInt8>) -> Unicode.Scalar? {
    let isHexadecimal = digits.first == 0x78
    let body = isHexadecimal ? UnsafeBufferPointer(rebasing: digits.dropFirst()) : digits
    guard !body.isEmpty else { return nil }
    var value: UInt32 = 0
    for byte in body {
      guard let digit = Hexadecimal.value(ofDigit: byte), isHexadecimal || digit < 10 else {
        return nil
      }
      value = value * (isHexadecimal ? 16 : 10) + UInt32(digit)
      guard value <= 0x10FFFF else { return nil }
    }
    return value == 0 ? nil : Unicode.Scalar(value)
  }
}
