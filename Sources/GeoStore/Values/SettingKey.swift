/// The settings that a store keeps. Raw values are their names on the command line and in the
/// database.
///
/// ```swift
/// let settings = try await explorer.settings()
/// for key in SettingKey.allCases where settings.isSet(key) {
///   print("\(key.rawValue): \(settings[key]) instead of \(key.defaultValue)")
/// }
/// ```
public enum SettingKey: String, CaseIterable, Sendable {
  /// A fix with a worse (larger) horizontal accuracy is dropped. Meters.
  case maximumAccuracyMeters
  /// A fix nearer than this to the last kept fix of its segment is dropped. Meters.
  case trackingDistanceMeters
  /// A fix sooner than this after the last kept fix is dropped. Seconds.
  case minimumIntervalSeconds
  /// A lone fix that needs more than this both to reach and to leave is a glitch. Meters a second.
  case maximumSpeedMetersPerSecond
  /// Radius of a visited region and of what a kept fix explores. Meters.
  case explorationRadiusMeters
  /// A kept fix nearer than this to a region's center belongs to that region. Meters.
  case clusteringRadiusMeters
  /// Fixes in one region further apart in time than this are two visits. Minutes.
  case visitGapMinutes
  /// Digits after the point where a percentage is shown.
  case percentageDecimals

  /// The value of a store in which nothing was set. `minimumIntervalSeconds` is 0 for files;
  /// recordings take 5 s if nothing was set.
  public var defaultValue: Double {
    switch self {
    case .maximumAccuracyMeters, .trackingDistanceMeters: 50
    case .minimumIntervalSeconds: 0
    case .maximumSpeedMetersPerSecond: 350
    case .explorationRadiusMeters: 150
    case .clusteringRadiusMeters: 75
    case .visitGapMinutes: 30
    case .percentageDecimals: 5
    }
  }

  /// The values that make sense; others are refused.
  public var range: ClosedRange<Double> {
    switch self {
    case .maximumAccuracyMeters: 0.1...1_000_000
    case .trackingDistanceMeters: 0...100_000
    case .minimumIntervalSeconds: 0...86_400
    case .maximumSpeedMetersPerSecond: 1...1_000_000
    // A cell is half the radius: 5 m cells to 5 km cells.
    case .explorationRadiusMeters: 10...10_000
    case .clusteringRadiusMeters: 1...10_000
    case .visitGapMinutes: 0...525_600
    case .percentageDecimals: 0...12
    }
  }

  /// Whether only whole numbers make sense.
  package var isWhole: Bool { self == .percentageDecimals || self == .explorationRadiusMeters }

  /// Whether regions, visits or coverage depend on it, so that a change rebuilds them from the kept
  /// fixes.
  package var shapesDerivedTables: Bool {
    switch self {
    case .explorationRadiusMeters, .clusteringRadiusMeters, .visitGapMinutes: true
    default: false
    }
  }

  /// One line for a person.
  package var meaning: String {
    switch self {
    case .maximumAccuracyMeters: "a fix less accurate than this is dropped (m)"
    case .trackingDistanceMeters: "a fix nearer than this to the last kept one is dropped (m)"
    case .minimumIntervalSeconds: "a fix sooner than this after the last kept one is dropped (s)"
    case .maximumSpeedMetersPerSecond:
      "a lone fix reached and left faster than this is a glitch (m/s)"
    case .explorationRadiusMeters: "radius of what a kept fix explores (m)"
    case .clusteringRadiusMeters: "a kept fix nearer than this to a region belongs to it (m)"
    case .visitGapMinutes: "fixes of one region further apart than this are two visits (min)"
    case .percentageDecimals: "digits after the point of a percentage"
    }
  }
}

/// The settings of a store: what was set, and defaults for the rest.
///
/// ```swift
/// let settings = try await explorer.settings()
/// print(settings.visitGapMinutes, settings.isSet(.visitGapMinutes))
/// try await explorer.changeSettings { $0.maximumAccuracyMeters = 30 }
/// ```
public struct StoreSettings: Hashable, Sendable {
  private var values: [SettingKey: Double] = [:]

  /// Nothing set.
  public init() {}

  /// The value of a setting: what was set, else its default.
  public subscript(key: SettingKey) -> Double { values[key] ?? key.defaultValue }

  /// Whether a value was set.
  public func isSet(_ key: SettingKey) -> Bool { values[key] != nil }

  /// Sets a value that is checked when it is stored.
  mutating func setUnchecked(_ key: SettingKey, _ value: Double) { values[key] = value }

  /// Sets a value.
  ///
  /// - Throws: ``StoreError/setting(key:reason:)`` for one that is out of range or not whole where
  ///   it must be.
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

  /// A number as a person writes it: no `.0` where it is whole.
  package static func text(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
  }
}
