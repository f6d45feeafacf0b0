import Geodesy
import TrackIngest

/// The fields of one position, as an app names them.
struct PositionFields {
  var latitude: FieldText?
  var longitude: FieldText?
  var time: FieldText?
  /// In meters.
  var accuracy: FieldText?
  /// The horizontal dilution of precision, which counts only if no accuracy is stated.
  var hdop: FieldText?
  var elevation: FieldText?
  var speed: FieldText?
  /// The number of meters per second of one unit of ``speed``.
  var speedUnit = 1.0

  /// A knot in meters per second: 1852 m an hour (ISO 80000-3).
  static let metersPerSecondOfKnot = 1_852.0 / 3_600

  /// The fix; nil if there is no valid coordinate.
  ///
  /// - Parameter latest: the latest possible time. A later one is impossible and ignored, as is one
  ///   before 1970.
  func fix(latest: Timestamp) -> Fix? {
    guard let latitudeE7 = latitude?.latitudeE7, let longitudeE7 = longitude?.longitudeE7,
      let coordinate = Coordinate(latitudeE7: latitudeE7, longitudeE7: longitudeE7)
    else { return nil }
    let stated = accuracy?.value
    return Fix(
      coordinate: coordinate, time: time?.time(latest: latest),
      horizontalAccuracyMeters: stated ?? hdop?.value.map { $0 * Fix.metersPerHDOP },
      elevationMeters: elevation?.number,
      // Apps write -1 for an unknown speed.
      speedMetersPerSecond: speed?.number.flatMap { $0 < 0 ? nil : $0 * speedUnit })
  }
}
