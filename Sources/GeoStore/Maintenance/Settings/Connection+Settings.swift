import SQLiteLayer

extension Connection {
  /// Returns what the impact of a change depends on. Rows with impossible values are left out,
  /// because a rebuild may be about to fix them.
  ///
  /// - Complexity: O(sources) if a limit of the filter changes, since their reports are read;
  ///   O(regions) if the change rebuilds; O(kept fixes) if it decides about flights.
  func contents(
    for change: SettingsChange, options: StoreOptions
  ) throws(DatabaseError) -> SettingsImpact.Contents {
    var contents = SettingsImpact.Contents()
    contents.sources = Int(try integer("SELECT count(*) FROM sources") ?? 0)
    contents.keptFixes = try sumOfPossible("kept", in: "sources", range: StoredRange.sourceCount)
    if !change.affected.isEmpty { contents.size = try derivedSize() }
    if change.decidesAboutFlights {
      var count = 0
      try forEachChunkOfKeptFixes { (fixes, _) throws(DatabaseError) in
        count += fixes.count(where: \.isInFlight)
      }
      contents.fixesInFlight = count
    }
    if let droppedPoints = options.droppedPoints, !change.filterLimits.isEmpty {
      let select = try Statement("SELECT report FROM sources", on: self)
      while try select.step() {
        guard let report = select.text(at: 0) else { continue }
        contents.dropped.merge(droppedPoints(report)) { $0 + $1 }
      }
    }
    return contents
  }

  /// Checks that settings can be changed.
  ///
  /// - Throws: ``StoreError/setting(key:reason:)`` for a value out of range, and for a different
  ///   exploration radius while sources have cells of their own.
  func check(_ change: SettingsChange) throws {
    var checked = change.before
    for key in SettingKey.allCases where change.keys.contains(key) {
      try checked.set(key, to: change.after[key])
    }
    guard change.before[.explorationRadiusMeters] != change.after[.explorationRadiusMeters] else {
      return
    }
    // These cells belong to the grid of one radius.
    let count = try cellSourceCount()
    guard count == 0 else {
      let radius = StoreSettings.text(change.before[.explorationRadiusMeters])
      throw StoreError.setting(
        key: SettingKey.explorationRadiusMeters.rawValue,
        reason:
          "cells were imported at \(radius) m (\(count) \(count == 1 ? "source" : "sources")) and "
          + "cannot be converted to another radius; forget those sources or use a new store")
    }
  }
}
