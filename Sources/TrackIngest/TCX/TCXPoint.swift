import Geodesy

/// A point of a track or course, as far as it has been read.
struct TCXPoint {
  /// `LatitudeDegrees` or `LongitudeDegrees`.
  enum Axis: Equatable {
    case missing
    case value(Int32)
    case invalid
  }

  /// The line of its start tag.
  var line = 1
  /// True for the `CoursePoint` of a course, which is a mark.
  var isCoursePoint = false
  var latitude = Axis.missing
  var longitude = Axis.missing
  /// Milliseconds since 1970, nil if unknown.
  var time: Int64?
  /// True if there was a `Time` element, readable or not: the first one counts.
  var hasTime = false
  var elevation: Double?
  /// In meters per second.
  var speed: Double?
  /// In meters, as stated.
  var accuracy: Double?
  /// True if markup inside the point was broken, so that what follows may not belong to it.
  var isDamaged = false

  /// True if neither axis is given: the receiver had no position, or the activity was indoors.
  var hasNoPosition: Bool { latitude == .missing && longitude == .missing }

  /// The fix; nil if an axis is missing, not a number or out of range.
  var fix: Fix? {
    guard case .value(let latitudeE7) = latitude, case .value(let longitudeE7) = longitude,
      let coordinate = Coordinate(latitudeE7: latitudeE7, longitudeE7: longitudeE7)
    else { return nil }
    return Fix(
      coordinate: coordinate, time: time.map(Timestamp.init(millisecondsSince1970:)),
      horizontalAccuracyMeters: accuracy, elevationMeters: elevation, speedMetersPerSecond: speed)
  }
}
