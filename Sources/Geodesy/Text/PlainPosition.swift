/// A latitude and a longitude in decimal degrees, with a comma, a semicolon, blanks or a tab
/// between: the form of which people have millions of lines.
package enum PlainPosition {
  /// The position, or nil where the text is anything else, or degrees are out of range.
  ///
  /// - Complexity: O(bytes).
  package static func coordinate(in text: ArraySlice<UInt8>) -> Coordinate? {
    guard let (latitude, longitude) = degrees(in: text), abs(latitude) <= 90, abs(longitude) <= 180
    else { return nil }
    return try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  /// The two numbers, whatever they are.
  static func degrees(in text: ArraySlice<UInt8>) -> (Double, Double)? {
    let parts = text.split { isBlank($0) || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }
    guard parts.count == 2, let first = DecimalNumber.value(of: parts[0]),
      let second = DecimalNumber.value(of: parts[1])
    else { return nil }
    return (first, second)
  }

  /// Space, tab, CR and their like.
  package static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
