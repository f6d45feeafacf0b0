/// All that devices share, without the contents of the files: joined with what other devices know,
/// it is the same on all of them.
package struct SharedState: Joinable {
  /// The sources.
  package var sources: [SourceName: SourceState] = [:]
  /// The settings, by key.
  package var settings: [String: SharedSetting] = [:]
  /// The privacy zones.
  package var zones: [ZoneName: SharedZone] = [:]
  /// The tiers of achievements that were reached.
  package var achievements: [AchievementKey: SharedUnlock] = [:]

  /// Creates an empty state.
  package init() {}

  /// Joins all sources, settings, zones and achievements.
  ///
  /// - Complexity: O(entries of `other`).
  package mutating func join(_ other: Self) {
    sources.joinValues(other.sources)
    settings.joinValues(other.settings)
    zones.joinValues(other.zones)
    achievements.joinValues(other.achievements)
  }

  /// The sources whose state is not the same in another state, in order, with those that it lacks.
  ///
  /// - Complexity: O(sources), and sorting those that differ.
  package func sources(differingFrom other: Self) -> [SourceName] {
    sources.filter { other.sources[$0.key] != $0.value }.map(\.key).sorted()
  }

  /// The files of all sources.
  package var files: [SourceName: Set<FileReference>] { sources.mapValues(\.files) }
}
