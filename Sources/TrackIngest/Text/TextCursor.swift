/// A position in bytes that are read from left to right.
struct TextCursor {
  // Sound: the caller of `init` keeps the bytes alive, and every read compares its index with their
  // count.
  private let text: UnsafeBufferPointer<UInt8>
  private var index = 0

  /// A cursor at the first byte. `text` must outlive the cursor.
  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// True if nothing is left.
  var isAtEnd: Bool { index >= text.count }

  /// The next byte, nil at the end.
  var peek: UInt8? { index < text.count ? text[index] : nil }

  /// Skips one byte.
  mutating func advance() { index += 1 }

  /// Skips XML white space.
  mutating func skipSpaces() {
    while index < text.count, DecimalText.isSpace(text[index]) { index += 1 }
  }

  /// Skips `byte` if it comes next.
  mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    index += 1
    return true
  }

  /// Skips `mark` if it comes next, ASCII letters in either case. `mark` is lowercase.
  mutating func take(_ mark: String) -> Bool {
    var at = index
    for byte in mark.utf8 {
      guard at < text.count else { return false }
      let found = text[at]
      let lower = (0x41...0x5A).contains(found) ? found | 0x20 : found
      guard lower == byte else { return false }
      at += 1
    }
    index = at
    return true
  }

  /// The value and count of the digits that come next; more than 9 give a count of 10 and a value
  /// of 0.
  mutating func digits() -> (value: Int, count: Int) {
    var value = 0
    var count = 0
    while let byte = peek, (0x30...0x39).contains(byte) {
      if count < 9 { value = value * 10 + Int(byte - 0x30) }
      count += 1
      index += 1
    }
    return count > 9 ? (0, 10) : (value, count)
  }

  /// A number whose count of digits is in `range`; nil otherwise.
  mutating func number(digits range: ClosedRange<Int>) -> Int? {
    let (value, count) = digits()
    return range.contains(count) ? value : nil
  }

  /// The digits of a fraction of a second in milliseconds, rounded half up; nil if there is none.
  mutating func milliseconds() -> Int64? {
    var value: Int64 = 0
    var count = 0
    while let byte = peek, (0x30...0x39).contains(byte) {
      if count < 3 {
        value = value * 10 + Int64(byte - 0x30)
      } else if count == 3, byte >= 0x35 {
        value += 1
      }
      count += 1
      index += 1
    }
    guard count > 0 else { return nil }
    if count == 1 { return value * 100 }
    return count == 2 ? value * 10 : value
  }
}
