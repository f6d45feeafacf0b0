/// The kinds of elements, by their local names.
enum GPXElement: UInt8 {
  /// The document itself, the parent of the root.
  case document
  case gpx
  case track
  case segment
  case route
  case trackPoint
  case routePoint
  case waypoint
  case extensions
  case time
  case elevation
  case hdop
  case speed
  case accuracy
  /// In the extensions of a track: Roqua exported it (`docs/formats/gpx.md`).
  case kept
  /// Every other element.
  case other

  /// The element by its local name, without regard to its namespace.
  init(_ name: XMLName) { self = name.withLocalName(Self.named) }

  /// The element with this local name. XML names are case-sensitive; those of accuracies are
  /// recognized in any case, because programs differ.
  ///
  /// - Complexity: O(1).
  static func named(_ name: UnsafeBufferPointer<UInt8>) -> GPXElement {
    switch name.count {
    case 3:
      if matches(name, "gpx") { return .gpx }
      if matches(name, "trk") { return .track }
      if matches(name, "rte") { return .route }
      if matches(name, "wpt") { return .waypoint }
      if matches(name, "ele") { return .elevation }
    case 4:
      if matches(name, "time") { return .time }
      if matches(name, "hdop") { return .hdop }
      if matches(name, "kept") { return .kept }
      if matchesAnyCase(name, "hacc") { return .accuracy }
    case 5:
      if matches(name, "trkpt") { return .trackPoint }
      if matches(name, "rtept") { return .routePoint }
      if matches(name, "speed") { return .speed }
    case 6: if matches(name, "trkseg") { return .segment }
    case 8: if matchesAnyCase(name, "accuracy") { return .accuracy }
    case 10: if matches(name, "extensions") { return .extensions }
    case 18: if matchesAnyCase(name, "horizontalaccuracy") { return .accuracy }
    case 19:
      if matchesAnyCase(name, "horizontal_accuracy") { return .accuracy }
      if matchesAnyCase(name, "accuracy_horizontal") { return .accuracy }
    default: break
    }
    return .other
  }

  /// The depth of the element in a GPX file: 0 `gpx`, 1 `trk` and `rte`, 2 `trkseg`, 3 points; nil
  /// for the rest.
  var level: Int? {
    switch self {
    case .gpx: 0
    case .track, .route: 1
    case .segment: 2
    case .trackPoint, .routePoint, .waypoint: 3
    default: nil
    }
  }

  /// True if this is a track point, route point or waypoint.
  var isPoint: Bool { level == 3 }

  // Both functions read as many bytes of the static string as it has, and callers compare counts
  // first.
  @inline(__always)
  private static func matches(
    _ name: UnsafeBufferPointer<UInt8>, _ expected: StaticString
  ) -> Bool {
    for index in 0..<expected.utf8CodeUnitCount where name[index] != expected.utf8Start[index] {
      return false
    }
    return true
  }

  @inline(__always)
  private static func matchesAnyCase(_ name: UnsafeBufferPointer<UInt8>, _ expected: StaticString)
    -> Bool
  {
    for index in 0..<expected.utf8CodeUnitCount {
      let byte = name[index]
      let lower = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
      if lower != expected.utf8Start[index] { return false }
    }
    return true
  }
}
