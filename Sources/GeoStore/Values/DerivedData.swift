/// The data that a store derives from its sources, and can rebuild from them.
///
/// ```swift
/// let impact = try await explorer.previewSettings { $0.explorationRadiusMeters = 200 }
/// for data in DerivedData.allCases where impact.affected.contains(data) {
///   print("changes the \(data.rawValue)")
/// }
/// ```
public enum DerivedData: String, CaseIterable, Sendable {
  /// The visited regions: their centers, radii and places.
  case regions
  /// The visits of the regions.
  case visits
  /// The explored cells.
  case coverage
}

extension SettingKey {
  /// The derived data that depend on the setting. If there are any, changing the setting rebuilds
  /// all derived data from the kept fixes; those that do not depend on it come out as they were.
  package var derivedData: Set<DerivedData> {
    switch self {
    // A region keeps the radius, but neither its center nor its visits depend on it.
    case .explorationRadiusMeters: [.coverage, .regions]
    case .clusteringRadiusMeters: [.regions, .visits]
    case .visitGapMinutes: [.visits]
    case .flightsExplore: [.regions, .visits, .coverage]
    case .maximumAccuracyMeters, .trackingDistanceMeters, .minimumIntervalSeconds,
      .maximumSpeedMetersPerSecond, .percentageDecimals, .units, .colorTheme, .colorScheme:
      []
    }
  }

  /// Whether the setting is a limit of the filter, which decides when a fix is imported or
  /// recorded: changing it applies to later fixes only.
  package var isFilterLimit: Bool {
    switch self {
    case .maximumAccuracyMeters, .trackingDistanceMeters, .minimumIntervalSeconds,
      .maximumSpeedMetersPerSecond:
      true
    case .explorationRadiusMeters, .clusteringRadiusMeters, .visitGapMinutes, .flightsExplore,
      .percentageDecimals, .units, .colorTheme, .colorScheme:
      false
    }
  }

  /// Returns whether a limit of the filter lets more fixes pass with one value than with another.
  func isLooser(_ value: Double, than other: Double) -> Bool {
    switch self {
    case .maximumAccuracyMeters, .maximumSpeedMetersPerSecond: value > other
    case .trackingDistanceMeters, .minimumIntervalSeconds: value < other
    default: false
    }
  }
}
