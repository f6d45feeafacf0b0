extension StoreSettings {
  /// Largest horizontal accuracy that is accepted, in meters: a less accurate fix is dropped.
  public var maximumAccuracyMeters: Double {
    get { self[.maximumAccuracyMeters] }
    set { setUnchecked(.maximumAccuracyMeters, newValue) }
  }
  /// Least distance from the last kept fix, in meters: a nearer fix is dropped.
  public var trackingDistanceMeters: Double {
    get { self[.trackingDistanceMeters] }
    set { setUnchecked(.trackingDistanceMeters, newValue) }
  }
  /// Least time since the last kept fix, in seconds: a fix that comes sooner is dropped.
  public var minimumIntervalSeconds: Double {
    get { self[.minimumIntervalSeconds] }
    set { setUnchecked(.minimumIntervalSeconds, newValue) }
  }
  /// Speed above which a lone fix is a glitch, in meters per second, if both reaching and leaving
  /// it require more.
  public var maximumSpeedMetersPerSecond: Double {
    get { self[.maximumSpeedMetersPerSecond] }
    set { setUnchecked(.maximumSpeedMetersPerSecond, newValue) }
  }
  /// Radius of the area that a kept fix explores, in meters.
  public var explorationRadiusMeters: Double {
    get { self[.explorationRadiusMeters] }
    set { setUnchecked(.explorationRadiusMeters, newValue) }
  }
  /// Clustering radius in meters: a kept fix nearer than this to a region's center belongs to it.
  public var clusteringRadiusMeters: Double {
    get { self[.clusteringRadiusMeters] }
    set { setUnchecked(.clusteringRadiusMeters, newValue) }
  }
  /// Gap between visits in minutes: fixes of one region farther apart than this are two visits.
  public var visitGapMinutes: Double {
    get { self[.visitGapMinutes] }
    set { setUnchecked(.visitGapMinutes, newValue) }
  }
  /// Whether fixes in flight explore cells and make regions like others.
  public var flightsExplore: Bool {
    get { self[.flightsExplore] != 0 }
    set { setUnchecked(.flightsExplore, newValue ? 1 : 0) }
  }
  /// Units in text for people. JSON is always metric.
  public var units: UnitSystem {
    get { UnitSystem(rawValue: self[.units]) ?? .metric }
    set { setUnchecked(.units, newValue.rawValue) }
  }
  /// The number of the color theme of maps in `data/themes/themes.csv`; 0 is blue.
  public var colorTheme: Int {
    get { Int(self[.colorTheme]) }
    set { setUnchecked(.colorTheme, Double(newValue)) }
  }
  /// Whether maps are light or dark.
  public var colorScheme: ColorScheme {
    get { ColorScheme(rawValue: self[.colorScheme]) ?? .system }
    set { setUnchecked(.colorScheme, newValue.rawValue) }
  }
  /// The decimals of a percentage for people: those that were set; nil for two significant digits.
  package var shownPercentageDecimals: Int? {
    isSet(.percentageDecimals) ? percentageDecimals : nil
  }
  /// Number of digits after the decimal point of a percentage.
  public var percentageDecimals: Int {
    get { Int(self[.percentageDecimals]) }
    set { setUnchecked(.percentageDecimals, Double(newValue)) }
  }
}
