/// Makes fixes of the five shapes of Google's location history.
///
/// Fixes are measured positions and the points of paths. The start and end of a visit are fixes
/// only where no path leads; those of an activity, frequent places and candidates never are.
struct GoogleTimelineBuilder: JSONBuilder {
  /// A time span of a phone's timeline.
  struct Span {
    /// Points whose time counts from the start of the span, while that is unknown, with the
    /// minutes.
    var waiting: [(point: JSONPoint, minutes: Double)] = []
    /// True if points wait, so that later ones have to wait, too.
    var isWaiting = false
  }

  var track = JSONTrack()
  let clock: JSONClock
  var visits: GoogleTimelineVisits
  var scopes = GoogleTimelineScopes()
  /// The last wanted member.
  var member = GoogleTimelineName.other
  var point = JSONPoint()
  /// The minutes after the start of the span, if the point has any.
  var minutes: Double?
  var visit = GoogleTimelineVisits.Visit()
  var span = Span()
  /// True if a list of positions was found.
  var isRecognized = false
  /// True if a degree sign was not valid UTF-8.
  private var sawInvalid = false

  /// A builder at the start of a file.
  init(latestTime: Int64) {
    clock = JSONClock(latestTime: latestTime)
    visits = GoogleTimelineVisits(latestTime: latestTime)
  }

  // MARK: - Structure

  @inline(__always)
  mutating func wants(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    member = GoogleTimelineName.named(name)
    return scopes.top.reads(member)
  }

  mutating func open(
    _ container: JSONContainer, at place: JSONPlace, _ sink: inout some TrackSink
  ) -> Bool {
    guard let scope = scopes.top.scope(of: member, container) else { return false }
    switch scope {
    case .location, .rawPoint, .position, .pathPoint:
      point = JSONPoint()
      point.place = place
      minutes = nil
    case .rawPath: track.cut()
    case .locations, .timelineObjects, .signals, .edits:
      isRecognized = true
      track.cut()
    case .segments:
      if scopes.top == .root { isRecognized = true }
      track.cut()
    case .placeVisit, .segment: beginVisit(place)
    default: break
    }
    scopes.push(scope)
    return true
  }

  mutating func close(isComplete: Bool, _ sink: inout some TrackSink) {
    let scope = scopes.top
    scopes.pop()
    switch scope {
    case .location: if isComplete { track.add(point, &sink) }
    case .rawPoint, .position: if isComplete { addCovering(point, &sink) }
    case .pathPoint: if isComplete { addPathPoint(&sink) }
    case .rawPath: track.cut()
    case .segment:
      releaseWaiting(&sink)
      if isComplete { endVisit(&sink) }
    case .placeVisit: if isComplete { endVisit(&sink) }
    default: break
    }
  }

  mutating func damageArray() {}

  // MARK: - Values

  mutating func take(_ value: JSONPrimitive, _ sink: inout some TrackSink) {
    switch scopes.top {
    case .location, .rawPoint, .position, .positionPoint: takeMeasured(value, &sink)
    case .pathPoint:
      switch member {
      case .point: takePair(value, &sink)
      case .time: takeTime(value, &sink)
      case .minutesOffset: takeMinutes(value, &sink)
      default: break
      }
    case .place:
      if scopes.outer == .candidate {
        takePlace(value, &sink)
      } else {
        takePair(value, &sink)
      }
    case .candidate: takePlace(value, &sink)
    case .visitLocation:
      let isRepaired =
        member == .latitude
        ? visit.place.takeLatitude(e7: value) : visit.place.takeLongitude(e7: value)
      if isRepaired { warnRepaired(visit.place.line, &sink) }
    case .segment, .visitDuration:
      isRecognized = true
      let time = clock.time(of: value, line: visit.place.line, &sink)
      if member == .startTime { visit.start = visit.start ?? time }
      if member == .endTime { visit.end = visit.end ?? time }
    default: break
    }
  }

  private mutating func takeMeasured(_ value: JSONPrimitive, _ sink: inout some TrackSink) {
    switch member {
    case .latitude: if point.takeLatitude(e7: value) { warnRepaired(point.line, &sink) }
    case .longitude: if point.takeLongitude(e7: value) { warnRepaired(point.line, &sink) }
    case .latLng, .point: takePair(value, &sink)
    case .time: takeTime(value, &sink)
    case .accuracyMeters: point.accuracy = value.accuracy
    case .accuracyMillimeters: point.accuracy = value.accuracy.map { $0 / 1000 }
    case .altitude: point.elevation = value.number
    case .speed: point.speed = value.number.flatMap { $0 < 0 ? nil : $0 }
    default: break
    }
  }

  private mutating func takePair(_ value: JSONPrimitive, _ sink: inout some TrackSink) {
    if !value.isNothing, !point.takePair(value.text) { warnInvalid(&sink) }
  }

  private mutating func takePlace(_ value: JSONPrimitive, _ sink: inout some TrackSink) {
    if !value.isNothing, !visit.place.takePair(value.text) { warnInvalid(&sink) }
  }

  private mutating func warnInvalid(_ sink: inout some TrackSink) {
    guard !sawInvalid else { return }
    sawInvalid = true
    sink.warn(
      .encoding, line: nil,
      "The degree signs are invalid in the file's encoding; the numbers were read without them.")
  }

  private mutating func takeTime(_ value: JSONPrimitive, _ sink: inout some TrackSink) {
    guard point.time == nil else { return }
    point.time = clock.time(of: value, line: point.line, &sink)
  }

  private mutating func takeMinutes(_ value: JSONPrimitive, _ sink: inout some TrackSink) {
    guard !value.isNothing else { return }
    minutes = value.number
    if minutes == nil {
      sink.warn(.impossibleTime, line: point.line, "A time is impossible; it was ignored.")
    }
  }

  private func warnRepaired(_ line: Int, _ sink: inout some TrackSink) {
    sink.warn(
      .repaired, line: line,
      "A coordinate is 2^32 too large, as in older exports; the difference was subtracted.")
  }
}
