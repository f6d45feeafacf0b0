/// The names of members that are read.
enum GeoJSONName: UInt8 {
  case type, features, geometry, geometries, coordinates, properties, coordinateProperties
  /// The time of a feature, or the times of its positions.
  case time
  case accuracy, hdop, speed
  /// What only a saved or reviewed place of Google Maps has: its address on the web, and an object
  /// with its name and postal address.
  case placeAddress, placeLocation
  /// Every other name.
  case other

  /// The meaning of a name of GeoJSON itself, which is case-sensitive.
  @inline(__always)
  static func named(_ name: UnsafeBufferPointer<UInt8>) -> GeoJSONName {
    switch name.count {
    case 4: if JSONNames.matches(name, "type") { return .type }
    case 8:
      if JSONNames.matches(name, "geometry") { return .geometry }
      if JSONNames.matches(name, "features") { return .features }
    case 10:
      if JSONNames.matches(name, "properties") { return .properties }
      if JSONNames.matches(name, "geometries") { return .geometries }
    case 11: if JSONNames.matches(name, "coordinates") { return .coordinates }
    default: break
    }
    return .other
  }

  /// The longest name of a property that is read.
  private static let longestProperty = 24

  /// The meaning of the name of a property. Programs choose their own, so letters may be of any
  /// case, and `_`, `-` and blanks do not count.
  static func property(_ name: UnsafeBufferPointer<UInt8>) -> GeoJSONName {
    guard name.count <= longestProperty else { return .other }
    // Most names are ruled out by their first letter.
    switch (name.first ?? 0) | 0x20 {
    case UInt8(ascii: "a"), UInt8(ascii: "c"), UInt8(ascii: "d"), UInt8(ascii: "g"),
      UInt8(ascii: "h"), UInt8(ascii: "l"), UInt8(ascii: "r"), UInt8(ascii: "s"), UInt8(ascii: "t"),
      UInt8(ascii: "w"):
      break
    default: return .other
    }
    let letters = name.lazy.filter {
      $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ")
    }
    switch String(decoding: letters.map { $0 | 0x20 }, as: UTF8.self) {
    case "time", "times", "timestamp", "timestamps", "timestampms", "coordtimes", "datetime",
      "date", "when", "tst", "trackedat", "recordedat", "starttime":
      return .time
    case "coordinateproperties": return .coordinateProperties
    case "accuracy", "acc", "hacc", "horizontalaccuracy", "accuracymeters": return .accuracy
    case "hdop": return .hdop
    case "googlemapsurl": return .placeAddress
    case "location": return .placeLocation
    case "speed": return .speed
    default: return .other
    }
  }
}

/// The types of geometries.
enum GeoJSONShape: UInt8 {
  case point, multiPoint, lineString, multiLineString
  /// Polygons: areas are not tracks.
  case area
  case collection

  /// The shape with the name of a type; nil for other types.
  static func named(_ name: UnsafeBufferPointer<UInt8>) -> GeoJSONShape? {
    switch name.count {
    case 5: JSONNames.matches(name, "Point") ? .point : nil
    case 7: JSONNames.matches(name, "Polygon") ? .area : nil
    case 10:
      JSONNames.matches(name, "LineString")
        ? .lineString : JSONNames.matches(name, "MultiPoint") ? .multiPoint : nil
    case 12: JSONNames.matches(name, "MultiPolygon") ? .area : nil
    case 15: JSONNames.matches(name, "MultiLineString") ? .multiLineString : nil
    case 18: JSONNames.matches(name, "GeometryCollection") ? .collection : nil
    default: nil
    }
  }

  /// True if its positions are those of lines.
  var isLine: Bool { self == .lineString || self == .multiLineString }
  /// True if its positions are single ones.
  var isPoint: Bool { self == .point || self == .multiPoint }
}
