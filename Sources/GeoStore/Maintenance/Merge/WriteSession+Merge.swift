import SQLiteLayer

extension WriteSession {
  /// Adds the sources of another store that this one does not have, as if their files were imported
  /// now, in the order in which the other store has them. Nothing is removed, and zones and
  /// settings stay as they are. A source that is incomplete here because of a privacy zone that was
  /// removed is replaced by the other store's if that one is complete.
  ///
  /// - Parameter other: a state of the other store, which does not change meanwhile.
  /// - Throws: `DatabaseError`; the transaction must then be rolled back.
  /// - Complexity: O(kept fixes added), and O(all kept fixes) if a source came with cells or
  ///   regions.
  package func merge(_ other: HistoryReader) throws -> MergeReport {
    var report = MergeReport()
    var ids: [Int64: Int64] = [:]
    var brought: [(id: Int64, data: BroughtData)] = []
    var isReplacing = false
    for (number, source) in try other.sourceRecords() {
      let isKnown = try hasRow(sha256: source.sha256)
      guard try !isKnown || completes(source) else {
        report.sourcesKnown += 1
        continue
      }
      let data = try other.broughtData(ofSource: number)
      guard data.tiles.isEmpty || other.settings.grid == settings.grid else {
        report.sourcesOfOtherGrid += 1
        continue
      }
      if isKnown { isReplacing = try replaceIncomplete(sha256: source.sha256) }
      let id = try insert(source)
      ids[number] = id
      if !data.isEmpty { brought.append((id, data)) }
    }
    report.sourcesAdded = ids.count
    guard !ids.isEmpty else { return report }
    var withheld = try merge(Self.runs(other.chunks(), of: ids), of: other, as: ids, &report)
    for (id, data) in brought where try replaceBrought(data, ofSource: id) { withheld.insert(id) }
    let added = ids.values.sorted()
    try recount(added)
    try fitRowsToZones(of: added, withheld: withheld.sorted())
    if report.mustRebuild || !brought.isEmpty { try rebuild() }
    if isReplacing { try forgetReplaced() }
    report.sourcesWithheld = withheld.count
    return report
  }

  /// The fixes of the new sources, as runs in the order of the other store.
  private static func runs(
    _ chunks: [StoredChunk], of ids: [Int64: Int64]
  ) -> [(source: Int64, chunks: ClosedRange<Int64>)] {
    var runs: [(source: Int64, chunks: ClosedRange<Int64>)] = []
    for chunk in chunks where ids[chunk.source] != nil {
      if let last = runs.last, last.source == chunk.source {
        runs[runs.count - 1].chunks = last.chunks.lowerBound...chunk.id
      } else {
        runs.append((chunk.source, chunk.id...chunk.id))
      }
    }
    return runs
  }

  /// Adds fixes; returns the sources of which a privacy zone kept some out.
  private func merge(
    _ runs: [(source: Int64, chunks: ClosedRange<Int64>)], of other: HistoryReader,
    as ids: [Int64: Int64], _ report: inout MergeReport
  ) throws -> Set<Int64> {
    let new = runs.compactMap { run in
      ids[run.source].map { ArrangedRun(source: $0, content: .new) }
    }
    let (stored, mustRebuild) = try arrange(after: history.lastChunk(), new) { index in
      try other.packedFixes(runs[index].chunks, ofSource: runs[index].source)
    }
    var withheld: Set<Int64> = []
    for (run, result) in zip(new, stored) {
      if result.isWithheld { withheld.insert(run.source) }
      guard let chunks = result.chunks else { continue }
      for packed in try history.packedFixes(chunks, ofSource: run.source) {
        report.fixesAdded += packed.count
      }
    }
    report.mustRebuild = mustRebuild
    return withheld
  }

  /// Whether a source is complete, and the one of the same bytes here is not, since a privacy zone
  /// was removed.
  private func completes(_ source: SourceRecord) throws(DatabaseError) -> Bool {
    guard source.withheld == 0,
      let points = try connection.pointsOfIncompleteSource(sha256: source.sha256)
    else { return false }
    return points <= source.points
  }

  /// Whether there is a row with these bytes, complete or not.
  private func hasRow(sha256: String) throws(DatabaseError) -> Bool {
    let select = try connection.cached("SELECT 1 FROM sources WHERE sha256 = ?1")
    defer { select.reset() }
    select.bind(sha256, at: 1)
    return try select.step()
  }
}
