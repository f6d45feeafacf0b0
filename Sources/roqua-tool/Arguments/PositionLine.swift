import Geodesy

/// A line that holds a position: latitude and longitude in decimal degrees, with a comma, a
/// semicolon, blanks or a tab between.
enum PositionLine {
  /// The position, or nil where the line holds anything else, or degrees out of range.
  static func coordinate(in line: ArraySlice<UInt8>) -> Coordinate? {
    let parts = line.split { isBlank($0) || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }
    guard parts.count == 2, let latitude = DecimalNumber.value(of: parts[0]),
      let longitude = DecimalNumber.value(of: parts[1]),
      abs(latitude) <= 90, abs(longitude) <= 180
    else { return nil }
    return try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  /// Space, tab, CR and their like.
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
