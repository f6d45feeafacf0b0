import Geodesy

/// A position of a JSON file, as far as it has been read.
struct JSONPoint {
  /// A latitude or longitude.
  enum Axis: Equatable {
    case missing
    case value(Int32)
    case invalid
  }

  /// Where it begins.
  var place = JSONPlace()
  var latitude = Axis.missing
  var longitude = Axis.missing
  /// Milliseconds since 1970, nil if unknown.
  var time: Int64?
  var elevation: Double?
  var speed: Double?
  /// In meters, as stated.
  var accuracy: Double?

  /// The line of its first byte.
  var line: Int { place.line }

  /// The position; nil if an axis is missing, not a number, out of range or given twice.
  var coordinate: Coordinate? {
    guard case .value(let latitudeE7) = latitude, case .value(let longitudeE7) = longitude else {
      return nil
    }
    return Coordinate(latitudeE7: latitudeE7, longitudeE7: longitudeE7)
  }

  /// The fix at this position.
  func fix(at coordinate: Coordinate) -> Fix {
    Fix(
      coordinate: coordinate, time: time.map(Timestamp.init(millisecondsSince1970:)),
      horizontalAccuracyMeters: accuracy, elevationMeters: elevation,
      speedMetersPerSecond: speed)
  }

  /// The reason why there is no position.
  var complaint: String {
    latitude == .missing || longitude == .missing
      ? "A position has no latitude or no longitude; it was ignored."
      : "A coordinate is not a number, out of range or given twice; the position was ignored."
  }

  // MARK: - Axes

  /// Takes a latitude in degrees.
  mutating func takeLatitude(degrees text: UnsafeBufferPointer<UInt8>) {
    latitude = latitude == .missing ? Self.axis(degrees: text, limitE7: 900_000_000) : .invalid
  }

  /// Takes a longitude in degrees.
  mutating func takeLongitude(degrees text: UnsafeBufferPointer<UInt8>) {
    longitude = longitude == .missing ? Self.axis(degrees: text, limitE7: 1_800_000_000) : .invalid
  }

  private static func axis(degrees text: UnsafeBufferPointer<UInt8>, limitE7: Int64) -> Axis {
    guard case .value(let value) = DecimalText.degreesE7(text, limitE7: limitE7) else {
      return .invalid
    }
    return .value(value)
  }
}
