import ByteStreams

/// An escape sequence in a string, as far as it has been read.
///
/// Characters beyond U+FFFF are written as two sequences; each becomes U+FFFD, since no name or
/// value that Roqua knows has one.
struct JSONEscape {
  /// 0 outside a sequence, 1 after the backslash, 2...5 before the digits of `\u`.
  private var step: UInt8 = 0
  private var unit: UInt32 = 0

  /// True if a sequence has begun.
  var isOpen: Bool { step > 0 }

  /// A backslash was read.
  mutating func begin() { (step, unit) = (1, 0) }

  /// Takes the next byte, and appends the character if the sequence is complete.
  ///
  /// - Returns: false if the byte does not belong to the sequence, which then ends before it.
  mutating func take(_ byte: UInt8, into text: inout BoundedText) -> Bool {
    guard step > 1 else {
      step = byte == UInt8(ascii: "u") ? 2 : 0
      if step == 0 { text.append(Self.meaning(of: byte)) }
      return true
    }
    guard let digit = Hexadecimal.value(ofDigit: byte) else {
      step = 0
      append(0xFFFD, to: &text)
      return false
    }
    unit = unit << 4 | UInt32(digit)
    step = step == 5 ? 0 : step + 1
    if step == 0 { append((0xD800...0xDFFF).contains(unit) ? 0xFFFD : unit, to: &text) }
    return true
  }

  private static func meaning(of byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    default: byte
    }
  }

  /// Appends a character of up to 16 bits in UTF-8.
  private func append(_ unit: UInt32, to text: inout BoundedText) {
    if unit < 0x80 {
      text.append(UInt8(unit))
    } else if unit < 0x800 {
      text.append(UInt8(0xC0 | unit >> 6))
      text.append(UInt8(0x80 | unit & 0x3F))
    } else {
      text.append(UInt8(0xE0 | unit >> 12))
      text.append(UInt8(0x80 | unit >> 6 & 0x3F))
      text.append(UInt8(0x80 | unit & 0x3F))
    }
  }
}
