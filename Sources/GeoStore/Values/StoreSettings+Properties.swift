extension StoreSettings {
  /// A fix less accurate than this is dropped, in meters.
  public var maximumAccuracyMeters: Double {
    get { self[.maximumAccuracyMeters] }
    set { setUnchecked(.maximumAccuracyMeters, newValue) }
  }
  /// A fix nearer than this to the last kept one is dropped, in meters.
  public var trackingDistanceMeters: Double {
    get { self[.trackingDistanceMeters] }
    set { setUnchecked(.trackingDistanceMeters, newValue) }
  }
  /// A fix sooner than this after the last kept one is dropped, in seconds.
  public var minimumIntervalSeconds: Double {
    get { self[.minimumIntervalSeconds] }
    set { setUnchecked(.minimumIntervalSeconds, newValue) }
  }
  /// A lone fix reached and left faster than this is a glitch, in meters a second.
  public var maximumSpeedMetersPerSecond: Double {
    get { self[.maximumSpeedMetersPerSecond] }
    set { setUnchecked(.maximumSpeedMetersPerSecond, newValue) }
  }
  /// Radius of what a kept fix explores, in meters.
  public var explorationRadiusMeters: Double {
    get { self[.explorationRadiusMeters] }
    set { setUnchecked(.explorationRadiusMeters, newValue) }
  }
  /// A kept fix nearer than this to a region belongs to it, in meters.
  public var clusteringRadiusMeters: Double {
    get { self[.clusteringRadiusMeters] }
    set { setUnchecked(.clusteringRadiusMeters, newValue) }
  }
  /// Fixes of one region further apart than this are two visits, in minutes.
  public var visitGapMinutes: Double {
    get { self[.visitGapMinutes] }
    set { setUnchecked(.visitGapMinutes, newValue) }
  }
  /// Digits after the point of a percentage.
  public var percentageDecimals: Int {
    get { Int(self[.percentageDecimals]) }
    set { setUnchecked(.percentageDecimals, Double(newValue)) }
  }
}
