/// The coordinates of the start tag that is being read.
struct GPXTag {
  /// The meaning of an attribute.
  enum AttributeUse: UInt8 { case latitude, longitude, namespace }

  private(set) var latitude = GPXPoint.Axis.missing
  private(set) var longitude = GPXPoint.Axis.missing
  /// True if a coordinate has a decimal comma.
  private(set) var hasComma = false

  /// The meaning of the attribute with this name; nil if it is ignored.
  static func use(of attribute: BoundedText) -> AttributeUse? {
    attribute.withBytes { name in
      guard name.count >= 3 else { return nil }
      // Three bytes rule out almost all other names.
      switch (name.count, name[0], name[1], name[2]) {
      case (3, 0x6C, 0x61, 0x74): return .latitude
      case (3, 0x6C, 0x6F, 0x6E): return .longitude
      case (5..., 0x78, 0x6D, 0x6C):
        return name.elementsEqual("xmlns".utf8) || name.starts(with: "xmlns:".utf8)
          ? .namespace : nil
      default: return nil
      }
    }
  }

  /// Takes the value of `lat`. Returns false if there was one before.
  mutating func takeLatitude(_ value: BoundedText) -> Bool {
    let isFirst = latitude == .missing
    latitude = isFirst ? axis(value, limitE7: 900_000_000) : .invalid
    return isFirst
  }

  /// Takes the value of `lon`. Returns false if there was one before.
  mutating func takeLongitude(_ value: BoundedText) -> Bool {
    let isFirst = longitude == .missing
    longitude = isFirst ? axis(value, limitE7: 1_800_000_000) : .invalid
    return isFirst
  }

  private mutating func axis(_ value: BoundedText, limitE7: Int64) -> GPXPoint.Axis {
    switch value.withValue({ DecimalText.degreesE7($0, limitE7: limitE7) }) {
    case .value(let value): return .value(value)
    case .commaValue(let value):
      hasComma = true
      return .value(value)
    case .notANumber, .outOfRange: return .invalid
    }
  }
}
