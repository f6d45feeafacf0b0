import Geodesy

/// Where the tracks of sources are cut at privacy zones, while the fixes of several sources come in
/// turns, as those of two recordings at once do.
struct WithheldSources {
  private let zones: PrivacyZones
  private let cut: Set<Int64>
  /// For each source, the index of its last run that was stored before.
  private var lastStored: [Int64: Int] = [:]
  private var states: [Int64: WithheldFixes] = [:]

  /// - Parameters:
  ///   - cut: the sources of whose stored fixes the last one was removed.
  ///   - runs: the fixes that will come.
  init(zones: PrivacyZones, cut: Set<Int64>, _ runs: [ArrangedRun]) {
    (self.zones, self.cut) = (zones, cut)
    for (index, run) in runs.enumerated() {
      if case .stored = run.content { lastStored[run.source] = index }
    }
  }

  /// The state of a source before a run of its fixes.
  func state(before index: Int, of source: Int64) -> WithheldFixes {
    states[source]
      ?? WithheldFixes(zones: zones, isCut: lastStored[source] == nil && cut.contains(source))
  }

  /// Keeps the state of a source after a run of its fixes.
  mutating func keep(_ state: WithheldFixes, after index: Int, of source: Int64) {
    states[source] = state
    if lastStored[source] == index, cut.contains(source) { states[source]?.isCutAtEnd = true }
  }

  /// The sources whose last fix was removed, in order.
  var cutAtEnd: [Int64] { states.filter(\.value.isCutAtEnd).keys.sorted() }
}
