/// The settings of a store. Raw values are their names on the command line and in the database.
///
/// ```swift
/// let settings = try await explorer.settings()
/// for key in SettingKey.allCases where settings.isSet(key) {
///   print("\(key.rawValue): \(settings[key]) instead of \(key.defaultValue)")
/// }
/// ```
public enum SettingKey: String, CaseIterable, Sendable {
  /// Largest horizontal accuracy that is accepted: a less accurate fix is dropped. Meters.
  case maximumAccuracyMeters
  /// Least distance from the last kept fix of the segment: a nearer fix is dropped. Meters.
  case trackingDistanceMeters
  /// Least time since the last kept fix: a fix that comes sooner is dropped. Seconds.
  case minimumIntervalSeconds
  /// Speed above which a lone fix is a glitch, if both reaching and leaving it require more. Meters
  /// per second.
  case maximumSpeedMetersPerSecond
  /// Radius of a visited region and of the area that a kept fix explores. Meters.
  case explorationRadiusMeters
  /// Clustering radius: a kept fix nearer than this to a region's center belongs to that region.
  /// Meters.
  case clusteringRadiusMeters
  /// Gap between visits: fixes in one region farther apart in time than this are two visits.
  /// Minutes.
  case visitGapMinutes
  /// Whether flights explore: 1 if fixes in flight explore cells and make regions like others.
  case flightsExplore
  /// Number of digits after the decimal point of a percentage. If it is not set, people see two
  /// significant digits.
  case percentageDecimals
  /// Units in text for people: 0 is metric, 1 imperial (``UnitSystem``).
  case units
  /// Colors of maps: the number of a theme in `data/themes/themes.csv`; 0 is blue.
  case colorTheme
  /// Whether maps are light or dark: 0 follows the system, 1 is light, 2 dark (``ColorScheme``).
  case colorScheme

  /// The value in a store where the setting was not set. `minimumIntervalSeconds` is 0 for files;
  /// recordings use 5 s if it was not set.
  public var defaultValue: Double {
    switch self {
    case .maximumAccuracyMeters, .trackingDistanceMeters: 50
    case .minimumIntervalSeconds: 0
    case .maximumSpeedMetersPerSecond: 350
    case .explorationRadiusMeters: 150
    case .clusteringRadiusMeters: 75
    case .visitGapMinutes: 30
    case .flightsExplore: 0
    case .percentageDecimals: 5
    case .units: UnitSystem.metric.rawValue
    case .colorTheme: 0
    case .colorScheme: ColorScheme.system.rawValue
    }
  }

  /// The accepted values; others are refused.
  public var range: ClosedRange<Double> {
    switch self {
    case .maximumAccuracyMeters: 0.1...1_000_000
    case .trackingDistanceMeters: 0...100_000
    case .minimumIntervalSeconds: 0...86_400
    case .maximumSpeedMetersPerSecond: 1...1_000_000
    // The side of a cell is half the radius: from 5 m to 5 km.
    case .explorationRadiusMeters: 10...10_000
    case .clusteringRadiusMeters: 1...10_000
    case .visitGapMinutes: 0...525_600
    case .percentageDecimals: 0...12
    case .flightsExplore, .units: 0...1
    case .colorTheme: 0...9_999
    case .colorScheme: 0...2
    }
  }

  /// Whether only whole numbers are accepted.
  package var isWhole: Bool {
    switch self {
    case .percentageDecimals, .explorationRadiusMeters, .flightsExplore, .units, .colorTheme,
      .colorScheme:
      true
    default: false
    }
  }

  /// A description in one line, for people.
  package var meaning: String {
    switch self {
    case .maximumAccuracyMeters: "a fix less accurate than this is dropped (m)"
    case .trackingDistanceMeters: "a fix nearer than this to the last kept one is dropped (m)"
    case .minimumIntervalSeconds: "a fix sooner than this after the last kept one is dropped (s)"
    case .maximumSpeedMetersPerSecond:
      "a lone fix reached and left faster than this is a glitch (m/s)"
    case .explorationRadiusMeters: "radius of the area that a kept fix explores (m)"
    case .clusteringRadiusMeters:
      "a kept fix nearer than this to a region's center belongs to it (m)"
    case .visitGapMinutes: "fixes in one region farther apart than this are two visits (min)"
    case .flightsExplore: "1 if flights explore like other tracks; 0 if they do not"
    case .percentageDecimals:
      "digits after the decimal point of a percentage; two significant digits unless set"
    case .units: "metric or imperial: units in text for people"
    case .colorTheme: "colors of maps"
    case .colorScheme: "light, dark or system: whether maps are light or dark"
    }
  }
}

/// The settings of a store: the values that were set, and the defaults of the others.
///
/// ```swift
/// let settings = try await explorer.settings()
/// print(settings.visitGapMinutes, settings.isSet(.visitGapMinutes))
/// try await explorer.changeSettings { $0.maximumAccuracyMeters = 30 }
/// ```
public struct StoreSettings: Hashable, Sendable {
  private var values: [SettingKey: Double] = [:]

  /// Creates settings with nothing set.
  package init() {}

  /// The value of a setting: the one that was set, otherwise the default.
  public subscript(key: SettingKey) -> Double { values[key] ?? key.defaultValue }

  /// Returns whether a value was set.
  public func isSet(_ key: SettingKey) -> Bool { values[key] != nil }

  /// Sets a value without a check; it is checked when it is stored.
  mutating func setUnchecked(_ key: SettingKey, _ value: Double) { values[key] = value }

  /// Sets a value after checking it.
  ///
  /// - Throws: ``StoreError/setting(key:reason:)`` if the value is out of range, or not whole where
  ///   a whole number is required.
  public mutating func set(_ key: SettingKey, to value: Double) throws(StoreError) {
    guard key.range.contains(value) else {
      let (low, high) = (Self.text(key.range.lowerBound), Self.text(key.range.upperBound))
      throw .setting(key: key.rawValue, reason: "must be between \(low) and \(high)")
    }
    guard !key.isWhole || value == value.rounded() else {
      throw .setting(key: key.rawValue, reason: "must be a whole number")
    }
    values[key] = value
  }

  /// Returns a setting to its default, as if it had never been set.
  public mutating func reset(_ key: SettingKey) { values[key] = nil }

  /// Formats a number for people: without `.0` if it is whole.
  package static func text(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
  }
}
