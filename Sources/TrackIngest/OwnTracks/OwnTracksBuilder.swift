/// Makes fixes of OwnTracks messages: those of the type `location`, in any order of members.
struct OwnTracksBuilder: JSONBuilder {
  /// The open objects and arrays.
  enum Scope: UInt8 {
    case document, list, message
  }

  /// The names of members that are read.
  enum Name: UInt8 {
    case type, latitude, longitude, time, accuracy, altitude, speed
    /// The messages in an answer of the recorder.
    case data
    case other

    static func named(_ name: UnsafeBufferPointer<UInt8>) -> Name {
      switch name.count {
      case 3:
        if JSONNames.matches(name, "lat") { return .latitude }
        if JSONNames.matches(name, "lon") { return .longitude }
        if JSONNames.matches(name, "tst") { return .time }
        if JSONNames.matches(name, "acc") { return .accuracy }
        if JSONNames.matches(name, "alt") { return .altitude }
        if JSONNames.matches(name, "vel") { return .speed }
      case 4: if JSONNames.matches(name, "data") { return .data }
      case 5: if JSONNames.matches(name, "_type") { return .type }
      default: break
      }
      return .other
    }
  }

  /// The types of messages.
  enum Kind: UInt8 {
    case none, location, encrypted, other

    static func named(_ name: UnsafeBufferPointer<UInt8>) -> Kind {
      if JSONNames.isOne(of: ["location"], name) { return .location }
      return JSONNames.isOne(of: ["encrypted"], name) ? .encrypted : .other
    }
  }

  /// A member's value in kilometers per hour, divided by this, is in meters per second.
  private static let kilometersPerHour = 3.6

  var track = JSONTrack()
  let clock: JSONClock
  var scopes: [Scope] = [.document]
  /// The last wanted member.
  var member = Name.other
  var kind = Kind.none
  var point = JSONPoint()
  /// True if a message of any type was found.
  var isRecognized = false

  /// A builder at the start of a file.
  init(latestTime: Int64) { clock = JSONClock(latestTime: latestTime) }

  private var scope: Scope { scopes.last ?? .document }

  mutating func wants(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    member = Name.named(name)
    return member != .other
  }

  mutating func open(
    _ container: JSONContainer, at place: JSONPlace, _ sink: inout some TrackSink
  ) -> Bool {
    switch (scope, container) {
    case (.document, .object), (.list, .object):
      scopes.append(.message)
      begin(place)
    case (.document, .array): scopes.append(.list)
    case (.message, .array):
      guard member == .data else { return false }
      scopes.append(.list)
    default: return false
    }
    return true
  }

  mutating func close(isComplete: Bool, _ sink: inout some TrackSink) {
    let closed = scopes.popLast() ?? .document
    guard closed == .message else { return }
    if isComplete {
      switch kind {
      case .location: track.add(point, &sink)
      case .encrypted:
        sink.warn(
          .leftOut, line: point.line,
          "A message is encrypted; it was left out. Import the recording of a recorder that has "
            + "the key.")
      case .none, .other: break
      }
    }
    begin(point.place)
  }

  mutating func damageArray() {}

  mutating func take(_ value: JSONPrimitive, _ sink: inout some TrackSink) {
    guard scope == .message, !value.isNothing else { return }
    switch member {
    case .type:
      kind = Kind.named(value.text)
      isRecognized = true
    case .latitude: point.takeLatitude(degrees: value.text)
    case .longitude: point.takeLongitude(degrees: value.text)
    case .time: if point.time == nil { point.time = clock.time(of: value, line: point.line, &sink) }
    case .accuracy: point.accuracy = value.accuracy
    case .altitude: point.elevation = value.number
    // Phones write -1 for an unknown speed.
    case .speed: point.speed = value.number.flatMap { $0 < 0 ? nil : $0 / Self.kilometersPerHour }
    case .data, .other: break
    }
  }

  private mutating func begin(_ place: JSONPlace) {
    point = JSONPoint()
    point.place = place
    kind = .none
  }
}
