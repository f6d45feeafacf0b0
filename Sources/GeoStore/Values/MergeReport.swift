/// What adding the sources of another store did.
///
/// ```swift
/// let guests = try Store(path: "/path/to/guests.sqlite", creating: false)
/// let report = try await store.merge(guests, isDryRun: true)
/// print("\(report.sourcesAdded) sources are new, \(report.sourcesKnown) are known")
/// if report.sourcesOfOtherGrid > 0 { print("Some have another exploration radius.") }
/// ```
public struct MergeReport: Hashable, Sendable {
  /// Number of sources added.
  public internal(set) var sourcesAdded = 0
  /// Number of sources that were there already.
  public internal(set) var sourcesKnown = 0
  /// Number of kept fixes added.
  public internal(set) var fixesAdded = 0
  /// Number of sources of which a privacy zone kept something out.
  package internal(set) var sourcesWithheld = 0
  /// Number of sources that were left out, because their cells belong to another grid.
  public internal(set) var sourcesOfOtherGrid = 0

  /// Whether regions, visits and coverage must be rebuilt.
  var mustRebuild = false

  /// A report of nothing.
  package init() {}
}
