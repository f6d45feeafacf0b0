extension Place {
  /// What a ``Place`` is made of.
  ///
  /// A type of its own, because the initializer that Swift writes for it sets all fields at once.
  /// A handwritten one copies the finished value of a type with 14 fields, and so counts a
  /// reference to each string.
  struct Fields: Hashable, Sendable, Codable {
    var countryCode: String?
    var countryCodeAlpha3: String?
    var country: String?
    var continent: String?
    var regionCode: String?
    var region: String?
    var regionLocalName: String?
    var district: String?
    var city: String?
    var localName: String?
    var cityDistanceMeters: Double?
    var quarter: String?
    var timeZone: String?
    var sea: String?
  }
}

/// Encodes, decodes and mirrors a place as if the fields were its own properties.
extension Place: Codable, CustomReflectable {
  /// Decodes a place from its fields.
  ///
  /// - Throws: what the decoder throws if a field has another type.
  public init(from decoder: any Decoder) throws { try self.init(Fields(from: decoder)) }

  /// Encodes the fields that are not nil.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws { try fields.encode(to: encoder) }

  /// The fields, for `print` and debuggers.
  public var customMirror: Mirror {
    Mirror(self, children: Mirror(reflecting: fields).children, displayStyle: .struct)
  }
}
