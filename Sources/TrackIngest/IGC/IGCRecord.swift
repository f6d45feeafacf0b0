/// The characters of one record, only valid while its line is.
struct IGCRecord {
  // Sound: the creator keeps the bytes alive, and every index is compared with their count.
  private let text: UnsafeBufferPointer<UInt8>

  /// A record; blanks and control characters around it do not belong to it.
  init(_ line: UnsafeBufferPointer<UInt8>) {
    var (start, end) = (0, line.count)
    while start < end, line[start] <= 0x20 { start += 1 }
    while end > start, line[end - 1] <= 0x20 { end -= 1 }
    text = UnsafeBufferPointer(rebasing: line[start..<end])
  }

  var count: Int { text.count }

  /// Whether this is the header of a date: a source, `DTE`.
  var isDate: Bool { byte(0) == UInt8(ascii: "H") && has("DTE", at: 2) }

  /// The byte at an offset; 0 behind the end.
  func byte(_ offset: Int) -> UInt8 { offset < text.count ? text[offset] : 0 }

  /// The number of exactly these digits; nil if one is missing.
  func number(_ range: Range<Int>) -> Int? {
    guard range.upperBound <= text.count, range.count <= 18, !range.isEmpty else { return nil }
    var value = 0
    for index in range {
      let digit = text[index] &- 0x30
      guard digit <= 9 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }

  /// A number that may begin with a minus sign: `-0012`.
  func signedNumber(_ range: Range<Int>) -> Int? {
    guard byte(range.lowerBound) == UInt8(ascii: "-") else { return number(range) }
    return number(range.lowerBound + 1..<range.upperBound).map { -$0 }
  }

  /// Whether these characters are at an offset, letters in either case. `word` has capitals.
  func has(_ word: StaticString, at offset: Int) -> Bool {
    guard offset + word.utf8CodeUnitCount <= text.count else { return false }
    // A static string is valid for the whole run of the program.
    return UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount).indices
      .allSatisfy { index in
        let byte = text[offset + index]
        let capital = (0x61...0x7A).contains(byte) ? byte & 0xDF : byte
        return capital == word.utf8Start[index]
      }
  }

  /// The first offset from `start` on without a colon or a blank.
  func skippingColon(from start: Int) -> Int {
    var offset = start
    while byte(offset) == UInt8(ascii: ":") || byte(offset) == 0x20 { offset += 1 }
    return offset
  }
}
