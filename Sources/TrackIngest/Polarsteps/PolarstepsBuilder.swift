/// Makes fixes of the `locations` of a Polarsteps trip.
struct PolarstepsBuilder: JSONBuilder {
  /// The open objects and arrays.
  enum Scope: UInt8 {
    case document, root, locations, location
  }

  /// The names of members that are read.
  enum Name: UInt8 {
    case locations, latitude, longitude, time, other

    static func named(_ name: UnsafeBufferPointer<UInt8>) -> Name {
      switch name.count {
      case 3:
        if JSONNames.matches(name, "lat") { return .latitude }
        if JSONNames.matches(name, "lon") { return .longitude }
      case 4: if JSONNames.matches(name, "time") { return .time }
      case 9: if JSONNames.matches(name, "locations") { return .locations }
      default: break
      }
      return .other
    }
  }

  var track = JSONTrack()
  let clock: JSONClock
  var scopes: [Scope] = [.document]
  /// The last wanted member.
  var member = Name.other
  var point = JSONPoint()
  /// True if a list of locations was found.
  var isRecognized = false

  /// A builder at the start of a file.
  init(latestTime: Int64) { clock = JSONClock(latestTime: latestTime) }

  private var scope: Scope { scopes.last ?? .document }

  mutating func wants(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    member = Name.named(name)
    return scope == .root ? member == .locations : member != .other && member != .locations
  }

  mutating func open(
    _ container: JSONContainer, at place: JSONPlace, _ sink: inout some TrackSink
  ) -> Bool {
    switch (scope, container) {
    case (.document, .object): scopes.append(.root)
    case (.root, .array):
      isRecognized = true
      scopes.append(.locations)
    case (.locations, .object):
      point = JSONPoint()
      point.place = place
      scopes.append(.location)
    default: return false
    }
    return true
  }

  mutating func close(isComplete: Bool, _ sink: inout some TrackSink) {
    let closed = scopes.popLast() ?? .document
    if closed == .location, isComplete { track.add(point, &sink) }
  }

  mutating func damageArray() {}

  mutating func take(_ value: JSONPrimitive, _ sink: inout some TrackSink) {
    guard scope == .location, !value.isNothing else { return }
    switch member {
    case .latitude: point.takeLatitude(degrees: value.text)
    case .longitude: point.takeLongitude(degrees: value.text)
    case .time: if point.time == nil { point.time = clock.time(of: value, line: point.line, &sink) }
    case .locations, .other: break
    }
  }
}
