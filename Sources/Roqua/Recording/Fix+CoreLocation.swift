#if canImport(CoreLocation)
  import CoreLocation
  import Geodesy
  import TrackIngest

  extension Fix {
    /// Creates a fix from a Core Location location; nil if it is invalid, such as one with a
    /// negative horizontal accuracy.
    public init?(_ location: CLLocation) {
      guard location.horizontalAccuracy >= 0,
        let coordinate = try? Coordinate(
          latitudeDegrees: location.coordinate.latitude,
          longitudeDegrees: location.coordinate.longitude)
      else { return nil }
      self.init(
        coordinate: coordinate, time: Timestamp(location.timestamp),
        horizontalAccuracyMeters: location.horizontalAccuracy,
        elevationMeters: location.verticalAccuracy >= 0 ? location.altitude : nil,
        speedMetersPerSecond: location.speed >= 0 ? location.speed : nil)
    }
  }
#endif
