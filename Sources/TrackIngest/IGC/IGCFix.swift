import Geodesy

/// A fix record: `B`, time of day, latitude, longitude, validity, two heights, extensions.
///
/// - Source: FAI/IGC technical specification for GNSS flight recorders, appendix A, 4.1.
struct IGCFix {
  /// The characters up to the validity, without which there is no position.
  static let positionCharacters = 25

  /// What a record says about the position.
  enum Position: Equatable {
    case fix(Coordinate)
    /// Validity V: no three-dimensional fix.
    case noFix
    case invalid
  }

  let position: Position
  /// Milliseconds since midnight UTC; nil if there is no such time.
  let timeOfDay: Int64?
  let accuracyMeters: Double?
  let elevationMeters: Double?
  let speedMetersPerSecond: Double?

  /// Reads a record that begins with `B`.
  init(_ record: IGCRecord, _ extensions: IGCExtensions) {
    timeOfDay = Self.timeOfDay(record)
    position = Self.position(record, extensions)
    // Some programs write 0 for an unknown accuracy.
    let accuracy = extensions.accuracy.flatMap { record.number($0) } ?? 0
    accuracyMeters = accuracy > 0 ? Double(accuracy) : nil
    let pressure = record.signedNumber(25..<30)
    let satellites = record.signedNumber(30..<35)
    // A recorder without one of the heights writes 0.
    let elevation = satellites == nil || satellites == 0 ? pressure ?? satellites : satellites
    elevationMeters = elevation.map { Double($0) }
    speedMetersPerSecond = extensions.speed.flatMap { record.number($0) }.map { Double($0) / 3.6 }
  }

  private static func timeOfDay(_ record: IGCRecord) -> Int64? {
    guard let hour = record.number(1..<3), let minute = record.number(3..<5),
      let second = record.number(5..<7), hour < 24, minute < 60, second < 60
    else { return nil }
    return Int64((hour * 60 + minute) * 60 + second) * 1_000
  }

  private static func position(_ record: IGCRecord, _ extensions: IGCExtensions) -> Position {
    guard record.number(1..<7) != nil,
      let latitude = angle(record, degrees: 7..<9, extensions.latitudeDigits),
      let longitude = angle(record, degrees: 15..<18, extensions.longitudeDigits),
      let south = isNegative(record.byte(14), "S", "N"),
      let west = isNegative(record.byte(23), "W", "E"),
      let coordinate = Coordinate(
        latitudeE7: south ? -latitude : latitude, longitudeE7: west ? -longitude : longitude)
    else { return .invalid }
    switch record.byte(24) {
    case UInt8(ascii: "A"): return .fix(coordinate)
    case UInt8(ascii: "V"): return .noFix
    default: return .invalid
    }
  }

  private static func isNegative(
    _ byte: UInt8, _ negative: Unicode.Scalar, _ positive: Unicode.Scalar
  ) -> Bool? {
    if byte == UInt8(ascii: negative) { return true }
    return byte == UInt8(ascii: positive) ? false : nil
  }

  /// An angle of degrees and five digits of minutes, of which three are decimals, and perhaps more
  /// digits elsewhere, in units of 1e-7 degree.
  ///
  /// - Guarantee: the unit nearest to the written number, halves away from zero: minutes M/10⁹ are
  ///   M/6000 units, in integers.
  private static func angle(
    _ record: IGCRecord, degrees: Range<Int>, _ moreDigits: Range<Int>?
  ) -> Int32? {
    let end = degrees.upperBound
    guard let whole = record.number(degrees), whole <= 180,
      let thousandths = record.number(end..<end + 5), thousandths < 60_000
    else { return nil }
    var minutes = thousandths
    var digits = 3
    if let moreDigits, moreDigits.count <= IGCLimits.minuteDigits - 3,
      let more = record.number(moreDigits)
    {
      for _ in moreDigits { minutes *= 10 }
      minutes += more
      digits += moreDigits.count
    }
    for _ in digits..<IGCLimits.minuteDigits { minutes *= 10 }
    return Int32(whole * 10_000_000 + (minutes + 3_000) / 6_000)
  }
}
