/// Positions as Google writes them.
extension JSONPoint {
  /// Takes a latitude in units of 1e-7 degree. Returns true if it was repaired.
  mutating func takeLatitude(e7 value: JSONPrimitive) -> Bool {
    let (axis, isRepaired) = Self.axis(e7: value, limit: 900_000_000)
    latitude = latitude == .missing ? axis : .invalid
    return isRepaired
  }

  /// Takes a longitude in units of 1e-7 degree. Returns true if it was repaired.
  mutating func takeLongitude(e7 value: JSONPrimitive) -> Bool {
    let (axis, isRepaired) = Self.axis(e7: value, limit: 1_800_000_000)
    longitude = longitude == .missing ? axis : .invalid
    return isRepaired
  }

  /// Older exports write negative numbers of 32 bits as positive ones: they are 2^32 too large.
  private static func axis(e7 value: JSONPrimitive, limit: Int64) -> (Axis, isRepaired: Bool) {
    guard let number = value.integer else { return (.invalid, false) }
    if abs(number) <= limit { return (.value(Int32(number)), false) }
    let wrapped = number - (1 << 32)
    return abs(wrapped) <= limit ? (.value(Int32(wrapped)), true) : (.invalid, false)
  }

  /// Takes a position of two numbers: `48.8566°, 2.3522°`, `geo:48.8566,2.3522`, or without both
  /// marks. What may follow in a `geo` URI (height, parameters) is ignored. The degree signs may be
  /// in a wrong encoding: the numbers are certain without them.
  ///
  /// - Returns: false if a degree sign is not valid UTF-8.
  /// - Source: RFC 5870, 3.3.
  mutating func takePair(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard latitude == .missing, longitude == .missing else {
      (latitude, longitude) = (.invalid, .invalid)
      return true
    }
    var isValid = true
    (latitude, longitude) = (.invalid, .invalid)
    var index = Self.afterBlanks(text, 0)
    if text.count - index >= 4, text[index] | 0x20 == UInt8(ascii: "g"),
      text[index + 1] | 0x20 == UInt8(ascii: "e"), text[index + 2] | 0x20 == UInt8(ascii: "o"),
      text[index + 3] == UInt8(ascii: ":")
    {
      index += 4
    }
    guard let first = Self.number(text, &index, &isValid), index < text.count,
      text[index] == UInt8(ascii: ",")
    else { return isValid }
    index += 1
    guard let second = Self.number(text, &index, &isValid) else { return isValid }
    if index < text.count {
      let byte = text[index]
      guard byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "?")
      else { return isValid }
    }
    (latitude, longitude) = (.missing, .missing)
    takeLatitude(degrees: first)
    takeLongitude(degrees: second)
    return isValid
  }

  /// The number at an index, without blanks and a degree sign around it. Moves the index after
  /// them. `isValid` becomes false if the degree sign is not valid UTF-8.
  ///
  /// Sound: every index is compared with the count first.
  private static func number(
    _ text: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ isValid: inout Bool
  ) -> UnsafeBufferPointer<UInt8>? {
    let start = afterBlanks(text, index)
    var end = start
    while end < text.count, isNumeral(text[end]) { end += 1 }
    guard end > start else { return nil }
    index = afterBlanks(text, end)
    // U+00B0, the degree sign.
    if text.count - index >= 2, text[index] == 0xC2, text[index + 1] == 0xB0 {
      index = afterBlanks(text, index + 2)
    } else if index < text.count, text[index] != UInt8(ascii: ",") {
      skipDamagedSign(text, &index, &isValid)
    }
    return UnsafeBufferPointer(rebasing: text[start..<end])
  }

  /// Moves an index behind a degree sign that another program damaged, and blanks behind it.
  ///
  /// Sound: every index is compared with the count first.
  private static func skipDamagedSign(
    _ text: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ isValid: inout Bool
  ) {
    for sign in damagedSigns where text[index...].starts(with: sign) {
      if sign == latin1Sign { isValid = false }
      index = afterBlanks(text, index + sign.count)
      return
    }
    // A program wrote a question mark for each byte that it could not write. In a `geo` URI one
    // begins the parameters.
    var marks = index
    while marks < text.count, text[marks] == UInt8(ascii: "?"), marks - index < 2 { marks += 1 }
    marks = afterBlanks(text, marks)
    if marks == text.count || text[marks] == UInt8(ascii: ",") { index = marks }
  }

  /// The degree sign in Latin 1, whose byte is not valid UTF-8 alone.
  private static let latin1Sign: [UInt8] = [0xB0]
  /// The degree sign in UTF-8 twice (`Â°`) and in Latin 1, and U+FFFD, which replaces a character
  /// or each of two bytes.
  private static let damagedSigns: [[UInt8]] = [
    [0xC3, 0x82, 0xC2, 0xB0], latin1Sign, [0xEF, 0xBF, 0xBD, 0xEF, 0xBF, 0xBD],
    [0xEF, 0xBF, 0xBD],
  ]

  /// The index after blanks, of which U+00A0 is one.
  private static func afterBlanks(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    var index = start
    while index < text.count {
      if text[index] == 0x20 {
        index += 1
      } else if text.count - index >= 2, text[index] == 0xC2, text[index + 1] == 0xA0 {
        index += 2
      } else {
        break
      }
    }
    return index
  }

  private static func isNumeral(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || byte == 0x2E || byte == 0x2D || byte == 0x2B || byte | 0x20 == 0x65
  }
}
