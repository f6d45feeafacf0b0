/// The objects and arrays of a location history that are read, by their place in it.
enum GoogleTimelineScope: UInt8 {
  case document, root
  /// Records: `locations[]`.
  case locations, location
  /// Semantic history: `timelineObjects[]`, and what is in it.
  case timelineObjects, timelineObject, activity, placeVisit, visitLocation, visitDuration
  case rawPath, rawPoints, rawPoint
  /// A phone's timeline: `semanticSegments[]`, or the elements of the outermost array.
  case segments, segment, path, pathPoint, visit, candidate, place
  /// A phone's `rawSignals[]`, and `timelineEdits[]`.
  case signals, signal, edits, edit, editSignal, editSignalContents
  /// A measured position of either, and the point in it.
  case position, positionPoint

  /// The scope of a member or an element, if it is read.
  @inline(__always)
  func scope(
    of member: GoogleTimelineName, _ container: JSONContainer
  ) -> GoogleTimelineScope? {
    switch (self, container) {
    case (.document, .object): .root
    case (.document, .array): .segments
    case (.root, .array): Self.list(named: member)
    case (.locations, .object): .location
    case (.timelineObjects, .object): .timelineObject
    case (.timelineObject, .object): member == .placeVisit ? .placeVisit : .activity
    case (.placeVisit, .object):
      member == .location
        ? .visitLocation : member == .duration ? .visitDuration : .rawPath
    case (.activity, .object): .rawPath
    case (.rawPath, .array): .rawPoints
    case (.rawPoints, .object): .rawPoint
    case (.segments, .object): .segment
    case (.segment, .array): member == .timelinePath ? .path : nil
    case (.segment, .object): member == .visit ? .visit : nil
    case (.path, .object): .pathPoint
    case (.visit, .object): .candidate
    case (.candidate, .object), (.pathPoint, .object): .place
    case (.signals, .object): .signal
    case (.edits, .object): .edit
    case (.edit, .object): .editSignal
    case (.editSignal, .object): .editSignalContents
    case (.signal, .object), (.editSignalContents, .object): .position
    case (.position, .object): member == .point ? .positionPoint : nil
    default: nil
    }
  }

  private static func list(named name: GoogleTimelineName) -> GoogleTimelineScope? {
    switch name {
    case .locations: .locations
    case .timelineObjects: .timelineObjects
    case .semanticSegments: .segments
    case .rawSignals: .signals
    case .timelineEdits: .edits
    default: nil
    }
  }

  /// True if a member is read in an object of this scope.
  @inline(__always)
  func reads(_ member: GoogleTimelineName) -> Bool {
    switch self {
    case .location, .rawPoint:
      switch member {
      case .latitude, .longitude, .time, .accuracyMeters, .altitude, .speed: true
      default: false
      }
    case .pathPoint: member == .point || member == .time || member == .minutesOffset
    case .position:
      switch member {
      case .latLng, .point, .time, .accuracyMeters, .accuracyMillimeters, .altitude, .speed: true
      default: false
      }
    case .positionPoint, .visitLocation: member == .latitude || member == .longitude
    case .root: Self.list(named: member) != nil
    case .timelineObject: member == .activitySegment || member == .placeVisit
    case .activity: member == .simplifiedRawPath
    case .placeVisit: member == .location || member == .duration || member == .simplifiedRawPath
    case .visitDuration: member == .startTime || member == .endTime
    case .rawPath: member == .points
    case .segment:
      member == .startTime || member == .endTime || member == .timelinePath || member == .visit
    case .visit: member == .topCandidate
    case .candidate: member == .placeLocation
    case .place: member == .latLng
    case .signal, .editSignalContents: member == .position
    case .edit: member == .rawSignal
    case .editSignal: member == .signal
    default: false
    }
  }
}

/// The open scopes, five bits each: the innermost is lowest. No place in a location history that is
/// read is more than eight deep.
struct GoogleTimelineScopes {
  private var packed: UInt64 = 0

  /// The innermost scope.
  var top: GoogleTimelineScope { GoogleTimelineScope(rawValue: UInt8(packed & 31)) ?? .document }
  /// The scope around it.
  var outer: GoogleTimelineScope {
    GoogleTimelineScope(rawValue: UInt8(packed >> 5 & 31)) ?? .document
  }

  mutating func push(_ scope: GoogleTimelineScope) { packed = packed << 5 | UInt64(scope.rawValue) }
  mutating func pop() { packed >>= 5 }
}
