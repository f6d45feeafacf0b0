/// The kinds of elements of TCX, by their local names.
enum TCXElement: UInt8, XMLElement {
  case document
  case database
  case activity
  case course
  case track
  case trackPoint
  case coursePoint
  case position
  case latitude
  case longitude
  case time
  case altitude
  case speed
  case accuracy
  case other

  /// The element with this local name. Names of accuracies, which TCX itself does not have, are
  /// recognized in any case.
  ///
  /// - Complexity: O(1).
  static func named(_ name: UnsafeBufferPointer<UInt8>) -> TCXElement {
    switch name.count {
    case 4: if name.elementsEqual("Time".utf8) { return .time }
    case 5:
      if name.elementsEqual("Track".utf8) { return .track }
      if name.elementsEqual("Speed".utf8) { return .speed }
    case 6: if name.elementsEqual("Course".utf8) { return .course }
    case 8:
      if name.elementsEqual("Activity".utf8) { return .activity }
      if name.elementsEqual("Position".utf8) { return .position }
      if isAccuracy(name, "accuracy") { return .accuracy }
    case 10: if name.elementsEqual("Trackpoint".utf8) { return .trackPoint }
    case 11: if name.elementsEqual("CoursePoint".utf8) { return .coursePoint }
    case 14: if name.elementsEqual("AltitudeMeters".utf8) { return .altitude }
    case 15: if name.elementsEqual("LatitudeDegrees".utf8) { return .latitude }
    case 16: if name.elementsEqual("LongitudeDegrees".utf8) { return .longitude }
    case 18: if isAccuracy(name, "horizontalaccuracy") { return .accuracy }
    case 22: if name.elementsEqual("TrainingCenterDatabase".utf8) { return .database }
    default: break
    }
    return .other
  }

  /// The depth of the element in a TCX file.
  var level: Int? {
    switch self {
    case .database: 0
    case .activity, .course: 1
    case .track: 2
    case .trackPoint, .coursePoint: 3
    default: nil
    }
  }

  /// Compares names of equal length without regard to case.
  private static func isAccuracy(
    _ name: UnsafeBufferPointer<UInt8>, _ expected: StaticString
  ) -> Bool {
    // Letters differ from lowercase ones in one bit. A static string is valid for the whole run.
    name.lazy.map { $0 | 0x20 }.elementsEqual(
      UnsafeBufferPointer(start: expected.utf8Start, count: expected.utf8CodeUnitCount))
  }
}
