import Geodesy
import SQLiteLayer

/// What became known about a stored fix: whether it was made on a flight.
package struct FlightMark: Hashable, Sendable {
  /// The position of the fix.
  package let coordinate: Coordinate
  /// Its time.
  package let time: Timestamp?
  /// Whether the fix was made in the air.
  package let isInFlight: Bool
  /// Whether the step from the kept fix before belongs to a flight.
  package let endsFlightLeg: Bool

  /// Creates a mark.
  package init(coordinate: Coordinate, time: Timestamp?, isInFlight: Bool, endsFlightLeg: Bool) {
    self.coordinate = coordinate
    self.time = time
    self.isInFlight = isInFlight
    self.endsFlightLeg = endsFlightLeg
  }
}

extension WriteSession {
  /// The number of fixes, from the end of a source, among which marks have their fixes: four times
  /// as many as a recognizer of flights holds back.
  private static let mostFixesSearched = 4_096

  /// Marks the last stored fixes of a source as part of a flight, or as not part of one. Regions,
  /// visits and coverage become those that the fixes give with the new marks.
  ///
  /// Marks for fixes that are no longer stored are passed over.
  ///
  /// - Complexity: O(kept fixes) if a fix no longer explores: the latitudes of all are read.
  func mark(
    _ marks: [FlightMark], ofSource source: Int64
  ) throws(DatabaseError) {
    var wanted: [FixKey: FlightMark] = [:]
    for mark in marks { wanted[FixKey(coordinate: mark.coordinate, time: mark.time)] = mark }
    let (chunks, taken, given) = try changedChunks(&wanted, ofSource: source)
    guard !chunks.isEmpty else { return }
    let isDerived = !settings.flightsExplore
    let removed = RemovedFixes.single([source: taken])
    // The fixes are read before their marks change.
    let loader = isDerived && !taken.isEmpty ? try loader(removing: removed) : nil
    let update = try loader.map { (loader) throws(DatabaseError) in
      try derivedUpdate { () throws(DatabaseError) in loader }
    }
    for chunk in chunks { try connection.replaceChunk(chunk.id, with: chunk.fixes) }
    // They may have been evaluated with the marks before.
    try connection.outdateEvaluations()
    change?.sourcesChanged.insert(source)
    change?.isIncomplete = true
    guard isDerived else { return }
    if let update {
      _ = try carryOut(update, from: .sizeOfNoInterest)
    }
    if !given.isEmpty {
      let derived = try DerivedTables(
        connection: connection, changes: changes, settings: settings, options: options)
      derived.startCounting(source: source, isContinued: true)
      try derived.take(given)
      try derived.flush()
    }
  }

  /// The chunks of a source with the marks set, and the fixes that no longer explore and that
  /// explore now. Reads from the end until each mark has its fix, at most
  /// ``mostFixesSearched`` fixes.
  private func changedChunks(
    _ wanted: inout [FixKey: FlightMark], ofSource source: Int64
  ) throws(DatabaseError) -> (
    chunks: [(id: Int64, fixes: [KeptFix])], taken: Set<FixKey>, given: [KeptFix]
  ) {
    var chunks: [(id: Int64, fixes: [KeptFix])] = []
    var (taken, given): (Set<FixKey>, [KeptFix]) = ([], [])
    let select = try connection.cached(
      "SELECT id FROM kept_fixes WHERE source_id = ?1 ORDER BY id DESC")
    select.bind(source, at: 1)
    var ids: [Int64] = []
    while try select.step() { ids.append(try select.rowID(at: 0, of: "kept_fixes")) }
    select.reset()
    var searched = 0
    for id in ids where !wanted.isEmpty && searched < Self.mostFixesSearched {
      var fixes = try connection.keptFixes(inChunk: id)
      searched += fixes.count
      var isChanged = false
      for index in fixes.indices.reversed() {
        let key = FixKey(fixes[index])
        guard let mark = wanted.removeValue(forKey: key) else { continue }
        if mark.isInFlight, !fixes[index].isInFlight { taken.insert(key) }
        let isGiven = !mark.isInFlight && fixes[index].isInFlight
        isChanged =
          isChanged || mark.isInFlight != fixes[index].isInFlight
          || mark.endsFlightLeg != fixes[index].endsFlightLeg
        fixes[index].isInFlight = mark.isInFlight
        fixes[index].endsFlightLeg = mark.endsFlightLeg
        if isGiven { given.append(fixes[index]) }
      }
      if isChanged { chunks.append((id, fixes)) }
    }
    return (chunks, taken, given.reversed())
  }
}
