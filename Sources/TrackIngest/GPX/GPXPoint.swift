import Geodesy

/// A point, as far as it has been read.
struct GPXPoint {
  /// An attribute `lat` or `lon`.
  enum Axis: Equatable {
    case missing
    case value(Int32)
    case invalid
  }

  /// The kind of point.
  var element = GPXElement.trackPoint
  /// The line of its start tag.
  var line = 1
  var latitude = Axis.missing
  var longitude = Axis.missing
  /// Milliseconds since 1970, nil if unknown.
  var time: Int64?
  /// True if there was a `time` element, readable or not: the first one counts.
  var hasTime = false
  var elevation: Double?
  var speed: Double?
  /// In meters, as stated.
  var accuracy: Double?
  var hdop: Double?
  /// True if markup inside the point was broken, so that what follows may not belong to it.
  var isDamaged = false

  /// The position; nil if an axis is missing, not a number or out of range.
  var coordinate: Coordinate? {
    guard case .value(let latitudeE7) = latitude, case .value(let longitudeE7) = longitude else {
      return nil
    }
    return Coordinate(latitudeE7: latitudeE7, longitudeE7: longitudeE7)
  }

  /// The accuracy: meters as stated, otherwise HDOP × 5 m. Programs write an HDOP of 0 or less for
  /// "unknown".
  var horizontalAccuracyMeters: Double? {
    if let accuracy { return accuracy }
    guard let hdop, hdop > 0 else { return nil }
    return hdop * Fix.metersPerHDOP
  }

  /// The fix at this position.
  func fix(at coordinate: Coordinate) -> Fix {
    Fix(
      coordinate: coordinate, time: time.map(Timestamp.init(millisecondsSince1970:)),
      horizontalAccuracyMeters: horizontalAccuracyMeters, elevationMeters: elevation,
      speedMetersPerSecond: speed)
  }
}
