import TrackIngest

extension Fix {
  /// The fix at a generated point.
  public init(_ point: WalkPoint) {
    self.init(
      coordinate: point.coordinate, time: point.time,
      horizontalAccuracyMeters: point.accuracyMeters, elevationMeters: point.elevationMeters,
      speedMetersPerSecond: point.speedMetersPerSecond)
  }

  /// The fix so many meters north of 47° N and so many seconds after the start.
  public static func walk(
    meters: Double, seconds: Double, accuracy: Double? = 8, speed: Double? = nil
  ) -> Fix {
    Fix(Walks.point(meters: meters, seconds: seconds, accuracy: accuracy, speed: speed))
  }
}
