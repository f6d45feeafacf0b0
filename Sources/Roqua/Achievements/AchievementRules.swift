import GeoStore

/// The settings on which achievements depend.
struct AchievementRules: Hashable {
  private let visitGapMinutes: Double
  private let explorationRadiusMeters: Double
  private let flightsExplore: Bool

  init(_ settings: StoreSettings) {
    visitGapMinutes = settings[.visitGapMinutes]
    explorationRadiusMeters = settings[.explorationRadiusMeters]
    flightsExplore = settings.flightsExplore
  }

  /// The text that an evaluation keeps, with the version of the rules and the vintage of the
  /// geodata: after one with another text, everything is evaluated again.
  func text(vintage: Int) -> String {
    "2 \(visitGapMinutes) \(explorationRadiusMeters) \(flightsExplore) \(vintage)"
  }
}
