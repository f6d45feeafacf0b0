/// A latitude and a longitude in decimal degrees, with a comma, a semicolon, blanks or a tab
/// between: the form of which people have millions of lines.
package enum PlainPosition {
  /// The position, or nil where the text is anything else, or degrees are out of range.
  ///
  /// - Complexity: O(bytes).
  package static func coordinate(in text: ArraySlice<UInt8>) -> Coordinate? {
    if let coordinate = text.withUnsafeBufferPointer(exactCoordinate) { return coordinate }
    guard let (latitude, longitude) = degrees(in: text), abs(latitude) <= 90, abs(longitude) <= 180
    else { return nil }
    return try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  /// The two numbers, whatever they are.
  static func degrees(in text: ArraySlice<UInt8>) -> (Double, Double)? {
    let parts = text.split(whereSeparator: isSeparator)
    guard parts.count == 2, let first = DecimalNumber.value(of: parts[0]),
      let second = DecimalNumber.value(of: parts[1])
    else { return nil }
    return (first, second)
  }

  /// The position if both numbers have at most 7 digits after a point, no exponent and no plus:
  /// such numbers are whole units of 1e-7 degree. Nil if the text is anything else.
  private static func exactCoordinate(in text: UnsafeBufferPointer<UInt8>) -> Coordinate? {
    var index = 0
    func skipSeparators() -> Bool {
      let start = index
      while index < text.count, isSeparator(text[index]) { index += 1 }
      return index > start
    }
    func degreesE7() -> Int? {
      var isNegative = false
      if index < text.count, text[index] == UInt8(ascii: "-") {
        isNegative = true
        index += 1
      }
      let start = index
      var value = 0
      while index < text.count, case let digit = text[index] &- 0x30, digit < 10 {
        value = value &* 10 &+ Int(digit)
        index += 1
      }
      guard (1...9).contains(index - start) else { return nil }
      var places = 0
      if index < text.count, text[index] == UInt8(ascii: ".") {
        index += 1
        while index < text.count, case let digit = text[index] &- 0x30, digit < 10 {
          value = value &* 10 &+ Int(digit)
          index += 1
          places += 1
          if places > 7 { return nil }
        }
        guard places > 0 else { return nil }
      }
      for _ in places..<7 { value = value &* 10 }
      return isNegative ? -value : value
    }
    _ = skipSeparators()
    guard let latitude = degreesE7(), skipSeparators(), let longitude = degreesE7() else {
      return nil
    }
    _ = skipSeparators()
    guard index == text.count, abs(latitude) <= 900_000_000, abs(longitude) <= 1_800_000_000
    else { return nil }
    return Coordinate(latitudeE7: Int32(latitude), longitudeE7: Int32(longitude))
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    isBlank(byte) || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
  }

  /// Space, tab, CR and their like.
  package static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
