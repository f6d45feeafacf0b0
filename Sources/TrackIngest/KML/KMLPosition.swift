import Geodesy

/// A position of a track or line.
struct KMLPosition {
  /// What was written.
  enum Reading: Equatable {
    case position(Coordinate)
    /// Nothing: a pause in a track.
    case none
    /// Not a position: an axis is missing, not a number or out of range.
    case invalid
  }

  // Values that no position has stand for none and invalid: thousands of positions may wait for
  // their times.
  private var latitudeE7 = Int32.max
  private var longitudeE7: Int32 = 0
  private var height = Double.nan
  /// The line where it begins.
  var line = 1

  /// What was written.
  var reading: Reading {
    if latitudeE7 == .max { return .none }
    return Coordinate(latitudeE7: latitudeE7, longitudeE7: longitudeE7).map(Reading.position)
      ?? .invalid
  }

  /// True if it is a position.
  var isValid: Bool { latitudeE7 != .max && latitudeE7 != .min }

  /// The fix at the position; nil if there is no position.
  @inline(__always)
  func fix(at time: Int64?) -> Fix? {
    guard let coordinate = Coordinate(latitudeE7: latitudeE7, longitudeE7: longitudeE7) else {
      return nil
    }
    return Fix(
      coordinate: coordinate, time: time.map(Timestamp.init(millisecondsSince1970:)),
      elevationMeters: height.isNaN ? nil : height)
  }

  /// Nothing.
  init(line: Int) { self.line = line }

  /// A position that cannot be read.
  init(invalidAtLine line: Int) {
    self.line = line
    latitudeE7 = .min
  }

  /// A position with integers of 1e-7 degree. An elevation that is not finite is ignored.
  @inline(__always)
  init(longitudeE7: Int32, latitudeE7: Int32, elevation: Double?, line: Int) {
    self.latitudeE7 = latitudeE7
    self.longitudeE7 = longitudeE7
    if let elevation, elevation.isFinite { height = elevation }
    self.line = line
  }

  /// Reads the text of a `coord`: longitude, latitude and possibly elevation, with spaces between
  /// them. Some programs write commas instead.
  static func read(_ text: UnsafeBufferPointer<UInt8>, line: Int) -> KMLPosition {
    let hasComma = text.contains(0x2C)
    let parts = text.split(omittingEmptySubsequences: !hasComma) {
      hasComma ? $0 == 0x2C : DecimalText.isSpace($0)
    }
    .map { UnsafeBufferPointer(rebasing: $0) }
    if parts.isEmpty { return KMLPosition(line: line) }
    guard (2...3).contains(parts.count),
      case .value(let longitudeE7) = DecimalText.degreesE7(parts[0], limitE7: 1_800_000_000),
      case .value(let latitudeE7) = DecimalText.degreesE7(parts[1], limitE7: 900_000_000)
    else { return KMLPosition(invalidAtLine: line) }
    return KMLPosition(
      longitudeE7: longitudeE7, latitudeE7: latitudeE7,
      elevation: parts.count == 3 ? DecimalText.double(parts[2]) : nil, line: line)
  }
}
