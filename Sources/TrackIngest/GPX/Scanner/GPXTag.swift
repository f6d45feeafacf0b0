/// The start tag that is being read: its name, and those of its attributes that matter.
struct GPXTag {
  /// The meaning of an attribute.
  enum AttributeUse: UInt8 { case ignored, latitude, longitude, namespace }

  var name = GPXName()
  /// The name of the attribute that is being read.
  var attribute = BoundedText(limit: GPXLimits.nameBytes)
  var attributeUse = AttributeUse.ignored
  private(set) var latitude = GPXPoint.Axis.missing
  private(set) var longitude = GPXPoint.Axis.missing
  /// True if a coordinate has a decimal comma.
  private(set) var hasComma = false
  /// True if the tag is not well formed.
  var isOdd = false

  /// Starts another tag. Its name is reset separately, because end tags have one too.
  mutating func reset() {
    (latitude, longitude) = (.missing, .missing)
    (hasComma, isOdd) = (false, false)
  }

  /// The meaning of the attribute whose name is complete.
  func useOfAttribute() -> AttributeUse {
    guard !attribute.isTooLong else { return .ignored }
    return attribute.withBytes { name in
      guard name.count >= 3 else { return .ignored }
      // Three bytes rule out almost all other names.
      switch (name.count, name[0], name[1], name[2]) {
      case (3, 0x6C, 0x61, 0x74): return .latitude
      case (3, 0x6C, 0x6F, 0x6E): return .longitude
      case (5..., 0x78, 0x6D, 0x6C):
        return name.elementsEqual("xmlns".utf8) || name.starts(with: "xmlns:".utf8)
          ? .namespace : .ignored
      default: return .ignored
      }
    }
  }

  /// Takes the value of `lat` or `lon`.
  mutating func takeCoordinate(_ value: BoundedText) {
    if attributeUse == .latitude {
      latitude = axis(value, after: latitude, limitE7: 900_000_000)
    } else {
      longitude = axis(value, after: longitude, limitE7: 1_800_000_000)
    }
  }

  private mutating func axis(
    _ value: BoundedText, after earlier: GPXPoint.Axis, limitE7: Int64
  ) -> GPXPoint.Axis {
    // Given twice: neither value is reliable.
    guard earlier == .missing else {
      isOdd = true
      return .invalid
    }
    switch value.withValue({ DecimalText.degreesE7($0, limitE7: limitE7) }) {
    case .value(let value): return .value(value)
    case .commaValue(let value):
      hasComma = true
      return .value(value)
    case .notANumber, .outOfRange: return .invalid
    }
  }
}
