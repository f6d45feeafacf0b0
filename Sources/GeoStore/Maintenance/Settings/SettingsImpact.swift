/// What a change of settings rebuilds, and what it cannot redo. `Explorer.previewSettings(_:)`
/// returns it before the change, `Explorer.changeSettings(_:)` after it.
///
/// ```swift
/// let impact = try await explorer.previewSettings { $0.explorationRadiusMeters = 200 }
/// if impact.isRebuild { print("rebuilds from \(impact.keptFixes) kept fixes") }
/// for limit in impact.filterLimits where limit.isLooser {
///   print("\(limit.dropped) dropped points return only if their files are imported again")
/// }
/// ```
public struct SettingsImpact: Hashable, Sendable {
  /// A changed limit of the filter. It applies to later imports and recordings only: a fix that was
  /// dropped is not in the store, and a kept one stays.
  public struct FilterLimit: Hashable, Sendable {
    /// The setting.
    public let key: SettingKey
    /// Whether the new limit lets fixes pass that the old one drops. To get those of files that are
    /// in the store, forget the sources and import the files again.
    public let isLooser: Bool
    /// Whether the new limit drops fixes that the old one lets pass. Those that are kept stay.
    public let isStricter: Bool
    /// Number of points that this limit dropped from the sources of the store, according to their
    /// reports. A looser limit lets at most as many pass.
    public let dropped: Int
  }

  /// The change.
  package let change: SettingsChange
  /// The derived data that depend on the changed values, and may differ afterwards. Empty if
  /// nothing is rebuilt.
  public let affected: Set<DerivedData>
  /// The limits of the filter that change, in the order of ``SettingKey``.
  public let filterLimits: [FilterLimit]
  /// Number of sources in the store.
  package let sources: Int
  /// Number of kept fixes of all sources, from which derived data are rebuilt.
  public let keptFixes: Int
  /// Number of kept fixes in flight, if the change decides whether they explore; otherwise nil.
  package let fixesInFlight: Int?
  /// Numbers of regions, visits and explored cells before the change; nil if nothing is rebuilt.
  public let sizeBefore: MaintenanceReport.Size?
  /// The numbers after the change; nil in a preview, and if nothing is rebuilt.
  public internal(set) var sizeAfter: MaintenanceReport.Size?

  /// Whether regions, visits and coverage are rebuilt, all in one pass over the kept fixes. Those
  /// that are not ``affected`` come out as they were.
  public var isRebuild: Bool { !affected.isEmpty }
}

extension SettingsImpact {
  /// What a store contains, as far as the impact of a change depends on it.
  struct Contents: Hashable, Sendable {
    /// Number of sources.
    var sources = 0
    /// Number of kept fixes.
    var keptFixes = 0
    /// Number of kept fixes in flight; nil if it was not counted.
    var fixesInFlight: Int?
    /// Numbers of regions, visits and explored cells; nil if they were not counted.
    var size: MaintenanceReport.Size?
    /// Number of points that each limit of the filter dropped.
    var dropped: [SettingKey: Int] = [:]
  }

  /// Decides what a change rebuilds. A pure function.
  init(of change: SettingsChange, on contents: Contents) {
    self.change = change
    affected = change.affected
    filterLimits = SettingKey.allCases.filter(change.filterLimits.contains).map { key in
      FilterLimit(
        key: key, isLooser: key.isLooser(change.after[key], than: change.before[key]),
        isStricter: key.isLooser(change.before[key], than: change.after[key]),
        dropped: contents.dropped[key] ?? 0)
    }
    (sources, keptFixes) = (contents.sources, contents.keptFixes)
    fixesInFlight = change.decidesAboutFlights ? contents.fixesInFlight : nil
    sizeBefore = affected.isEmpty ? nil : contents.size
  }
}

extension SettingsChange {
  /// The derived data that depend on a value that differs.
  var affected: Set<DerivedData> {
    keys.filter { before[$0] != after[$0] }.reduce(into: []) { $0.formUnion($1.derivedData) }
  }

  /// The limits of the filter that differ.
  var filterLimits: Set<SettingKey> { keys.filter(\.isFilterLimit) }

  /// Whether flights explore on one side only.
  var decidesAboutFlights: Bool { before.flightsExplore != after.flightsExplore }
}
