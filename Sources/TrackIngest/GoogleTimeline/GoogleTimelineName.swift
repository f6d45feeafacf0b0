/// The names of members that are read.
enum GoogleTimelineName: UInt8 {
  case locations, timelineObjects, semanticSegments, rawSignals, timelineEdits
  case activitySegment, placeVisit, simplifiedRawPath, points, location, duration
  case timelinePath, visit, topCandidate, placeLocation, rawSignal, signal, position
  case latitude, longitude, point, latLng
  case time, startTime, endTime, minutesOffset
  case accuracyMeters, accuracyMillimeters, altitude, speed
  /// Every other name.
  case other

  /// The meaning of a name.
  ///
  /// - Complexity: O(length).
  @inline(__always)
  static func named(_ name: UnsafeBufferPointer<UInt8>) -> GoogleTimelineName {
    switch name.count {
    case 4: if matches(name, "time") { return .time }
    case 5:
      if matches(name, "point") { return .point }
      if matches(name, "latE7") { return .latitude }
      if matches(name, "lngE7") { return .longitude }
      if matches(name, "visit") { return .visit }
    case 6:
      if matches(name, "latLng") || matches(name, "LatLng") { return .latLng }
      if matches(name, "points") { return .points }
      if matches(name, "signal") { return .signal }
    case 7: if matches(name, "endTime") { return .endTime }
    case 8: return ofEight(name)
    case 9:
      if matches(name, "timestamp") { return .time }
      if matches(name, "startTime") { return .startTime }
      if matches(name, "locations") { return .locations }
      if matches(name, "rawSignal") { return .rawSignal }
    case 10:
      if matches(name, "latitudeE7") { return .latitude }
      if matches(name, "accuracyMm") { return .accuracyMillimeters }
      if matches(name, "rawSignals") { return .rawSignals }
      if matches(name, "placeVisit") { return .placeVisit }
    case 11:
      if matches(name, "longitudeE7") { return .longitude }
      if matches(name, "timestampMs") { return .time }
    default: return ofTwelveOrMore(name)
    }
    return .other
  }

  private static func ofEight(_ name: UnsafeBufferPointer<UInt8>) -> GoogleTimelineName {
    if matches(name, "accuracy") { return .accuracyMeters }
    if matches(name, "altitude") { return .altitude }
    if matches(name, "velocity") { return .speed }
    if matches(name, "position") { return .position }
    if matches(name, "location") { return .location }
    if matches(name, "duration") { return .duration }
    return .other
  }

  private static func ofTwelveOrMore(_ name: UnsafeBufferPointer<UInt8>) -> GoogleTimelineName {
    switch name.count {
    case 12:
      if matches(name, "timelinePath") { return .timelinePath }
      if matches(name, "topCandidate") { return .topCandidate }
      if matches(name, "endTimestamp") { return .endTime }
    case 13:
      if matches(name, "placeLocation") { return .placeLocation }
      if matches(name, "timelineEdits") { return .timelineEdits }
    case 14:
      if matches(name, "accuracyMeters") { return .accuracyMeters }
      if matches(name, "altitudeMeters") { return .altitude }
      if matches(name, "startTimestamp") { return .startTime }
      if matches(name, "endTimestampMs") { return .endTime }
    case 15:
      if matches(name, "timelineObjects") { return .timelineObjects }
      if matches(name, "activitySegment") { return .activitySegment }
    case 16:
      if matches(name, "semanticSegments") { return .semanticSegments }
      if matches(name, "startTimestampMs") { return .startTime }
    case 17: if matches(name, "simplifiedRawPath") { return .simplifiedRawPath }
    case 20: if matches(name, "speedMetersPerSecond") { return .speed }
    case 34: if matches(name, "durationMinutesOffsetFromStartTime") { return .minutesOffset }
    default: break
    }
    return .other
  }

  @inline(__always)
  private static func matches(
    _ name: UnsafeBufferPointer<UInt8>, _ expected: StaticString
  ) -> Bool {
    JSONNames.matches(name, expected)
  }
}
