/// What follows the hyphen in an ISO 3166-2 code: one to three letters A to Z and digits, as a
/// number that sorts like the text.
///
/// Each character is a digit in base 37: 0 for none, 1 to 10 for `0` to `9`, 11 to 36 for `A` to
/// `Z`. The first character is the most significant of three digits.
struct SubdivisionSuffix: Hashable {
  let packed: UInt16

  private static let base: UInt16 = 37

  /// Creates the suffix of a packed number; 0 means no suffix.
  init(packed: UInt16) { self.packed = packed }

  /// Creates a suffix from its characters in any case; nil unless they are one to three letters
  /// and digits of ASCII.
  init?(_ text: some StringProtocol) {
    guard (1...3).contains(text.utf8.count) else { return nil }
    var number: UInt16 = 0
    for byte in text.utf8 {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30 + 1
      case 0x41...0x5A: digit = byte - 0x41 + 11
      case 0x61...0x7A: digit = byte - 0x61 + 11
      default: return nil
      }
      number = number * Self.base + UInt16(digit)
    }
    for _ in text.utf8.count..<3 { number *= Self.base }
    packed = number
  }

  private var digits: [UInt16] {
    [packed / (Self.base * Self.base), packed / Self.base % Self.base, packed % Self.base]
  }

  /// Whether the number is 0 or one that ``init(_:)`` makes.
  var isValid: Bool {
    let digits = digits
    return packed == 0
      || (digits[0] < Self.base && digits[0] > 0 && (digits[1] > 0 || digits[2] == 0))
  }

  /// The characters in capital letters; empty for none.
  var text: String {
    // Sound: at most three characters are written, and as many counted.
    String(unsafeUninitializedCapacity: 3) { characters in
      var (rest, divisor, count) = (packed, Self.base * Self.base, 0)
      while rest > 0, count < 3 {
        let digit = rest / divisor
        characters[count] = UInt8(truncatingIfNeeded: digit <= 10 ? digit + 0x2F : digit + 0x36)
        count += 1
        rest %= divisor
        divisor /= Self.base
      }
      return count
    }
  }
}
