import Geodesy

/// Reads the coordinates of a table.
enum CSVCoordinate {
  /// A coordinate in units of 1e-7 degree: decimal degrees with a point or a comma, a degree sign,
  /// and a letter N, S, E or W behind it. Nil for any other text, if it is out of range, or if sign
  /// and letters contradict each other.
  ///
  /// - Parameter hemisphere: the letter of another column; empty if there is none.
  static func read(
    _ text: UnsafeBufferPointer<UInt8>, isE7: Bool, isLatitude: Bool,
    hemisphere: UnsafeBufferPointer<UInt8>
  ) -> Int32? {
    let limit: Int64 = isLatitude ? 900_000_000 : 1_800_000_000
    var end = text.count
    var sign = self.sign(hemisphere, isLatitude: isLatitude)
    // A number there is something else: `lat_ref` may be the latitude of a reference.
    if !hemisphere.isEmpty, sign == nil, DecimalText.double(hemisphere) == nil { return nil }
    if end > 0,
      let own = self.sign(
        UnsafeBufferPointer(rebasing: text[(end - 1)...]), isLatitude: isLatitude)
    {
      if let sign, sign != own { return nil }
      sign = own
      end -= 1
      while end > 0, text[end - 1] == 0x20 { end -= 1 }
    }
    // A degree sign, in UTF-8 and in Latin 1.
    if end > 0, text[end - 1] == 0xB0 {
      end -= end > 1 && text[end - 2] == 0xC2 ? 2 : 1
    }
    let number = UnsafeBufferPointer(rebasing: text[..<end])
    let value: Int32
    if isE7 {
      guard let units = DecimalText.double(number), abs(units) <= Double(limit) else { return nil }
      value = Int32(units.rounded())
    } else {
      switch DecimalText.degreesE7(number, limitE7: limit) {
      case .value(let read), .commaValue(let read): value = read
      case .notANumber, .outOfRange: return nil
      }
    }
    guard let sign else { return value }
    // `-33.45 S` is in the south: some programs write both.
    if sign < 0 { return -abs(value) }
    return value < 0 ? nil : value
  }

  /// The sign of a letter N, S, E or W, or of a whole word such as `North`; nil if it is another
  /// text.
  private static func sign(_ text: UnsafeBufferPointer<UInt8>, isLatitude: Bool) -> Int32? {
    if text.count > 1 {
      let word = String(decoding: text.prefix(6), as: UTF8.self).lowercased()
      switch word {
      case "north" where isLatitude, "east" where !isLatitude: return 1
      case "south" where isLatitude, "west" where !isLatitude: return -1
      default: return nil
      }
    }
    guard text.count == 1 else { return nil }
    switch text[0] & 0xDF {
    case UInt8(ascii: "N") where isLatitude, UInt8(ascii: "E") where !isLatitude: return 1
    case UInt8(ascii: "S") where isLatitude, UInt8(ascii: "W") where !isLatitude: return -1
    default: return nil
    }
  }

  /// The position of a well-known text, `POINT (8.2 48.1)`, longitude first, with a height or
  /// without; nil for any other text.
  static func point(_ text: UnsafeBufferPointer<UInt8>) -> Coordinate? {
    var cursor = TextCursor(text)
    guard isPoint(text) else { return nil }
    _ = cursor.take("srid=4326;")
    guard cursor.take("point") else { return nil }
    cursor.skipSpaces()
    if !cursor.take("zm") { _ = cursor.take("z") || cursor.take("m") }
    cursor.skipSpaces()
    guard let open = text.firstIndex(of: 0x28), text.last == 0x29 else { return nil }
    let numbers = text[(open + 1)..<(text.count - 1)].split(separator: 0x20)
    guard (2...4).contains(numbers.count) else { return nil }
    let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    guard
      let longitude = read(
        UnsafeBufferPointer(rebasing: numbers[0]), isE7: false, isLatitude: false,
        hemisphere: none),
      let latitude = read(
        UnsafeBufferPointer(rebasing: numbers[1]), isE7: false, isLatitude: true, hemisphere: none)
    else { return nil }
    return Coordinate(latitudeE7: latitude, longitudeE7: longitude)
  }

  /// Whether a text begins like a point in well-known text.
  static func isPoint(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var cursor = TextCursor(text)
    _ = cursor.take("srid=4326;")
    return cursor.take("point") && text.contains(0x28)
  }
}
