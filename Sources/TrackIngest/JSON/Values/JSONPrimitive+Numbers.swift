extension JSONPrimitive {
  /// True for `null`, and for a text without characters.
  var isNothing: Bool {
    text.isEmpty || (!isString && text.count == 4 && JSONNames.matches(text, "null"))
  }

  /// The number, also if it is written as a text; nil if it is not one, or not finite.
  var number: Double? {
    guard let number = DecimalText.double(text), number.isFinite else { return nil }
    return number
  }

  /// The number as an accuracy, which may be infinite: the filter drops such fixes.
  var accuracy: Double? { DecimalText.double(text) }

  /// The number, rounded to an integer; nil if it is not one, or beyond ±10^15.
  ///
  /// Sound: every index is compared with the count first.
  var integer: Int64? {
    var index = 0
    let isNegative = text.first == 0x2D
    if isNegative { index = 1 }
    if (index + 1...index + 15).contains(text.count) {
      var value: Int64 = 0
      while index < text.count, text[index] &- 0x30 < 10 {
        value = value &* 10 &+ Int64(text[index] &- 0x30)
        index += 1
      }
      if index == text.count { return isNegative ? -value : value }
    }
    guard let number, abs(number) <= 1e15 else { return nil }
    return Int64(number.rounded())
  }
}
