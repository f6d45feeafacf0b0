import Geodesy

/// What is looked at of the sources. None of it can be built anew, but for the counter of their numbers.
extension StoreChecker {
  func checkSources(_ step: inout StoreCheck.Step) throws(StoreError) {
    var found = try foundInChunks(&step)
    try addRegions(to: &found, &step)
    let select = try Statement(SourceRow.sql, on: store)
    while try select.step() {
      let row = SourceRow(select)
      for problem in row.problems(with: found[row.id] ?? Found()) {
        step.add("source \(row.id) \(problem)", isMendable: false)
      }
      step.count += 1
    }
    try checkCounters(&step)
  }

  /// What was found of a source in other tables.
  struct Found {
    var fixes = 0
    var regions = 0
    /// First and last time of what was found; nil where nothing has one.
    var times: ClosedRange<Timestamp>?

    mutating func take(_ start: Timestamp, _ end: Timestamp) {
      times = min(times?.lowerBound ?? start, start)...max(times?.upperBound ?? end, end)
    }
  }

  /// Reads every kept fix.
  private func foundInChunks(_ step: inout StoreCheck.Step) throws(StoreError) -> [Int64: Found] {
    var found: [Int64: Found] = [:]
    for chunk in try store.chunkIDs() {
      let stated = try chunkCount(chunk.id)
      var source = found[chunk.source] ?? Found()
      source.fixes += stated
      do throws(StoreError) {
        let fixes = try store.keptFixes(inChunk: chunk.id)
        if fixes.count != stated || fixes.isEmpty {
          step.add(
            "chunk \(chunk.id) of source \(chunk.source) has \(fixes.count) fixes, its row says \(stated)",
            isMendable: false)
        }
        for case let time? in fixes.lazy.map(\.time) { source.take(time, time) }
      } catch {
        step.add("chunk \(chunk.id) of source \(chunk.source) cannot be read", isMendable: false)
      }
      found[chunk.source] = source
    }
    return found
  }

  private func chunkCount(_ id: Int64) throws(StoreError) -> Int {
    let select = try store.cached("SELECT count FROM kept_fixes WHERE id = ?1")
    select.bind(id, at: 1)
    return try select.step() ? select.int(at: 0) : 0
  }

  /// Reads every region that a source brought itself.
  private func addRegions(to found: inout [Int64: Found], _ step: inout StoreCheck.Step) throws(StoreError) {
    let select = try Statement(
      """
      SELECT \(SourceRegion.columns), source_id, id,
        coalesce(CASE WHEN json_valid(original) THEN json_type(original) END, '')
      FROM source_regions ORDER BY id
      """, on: store)
    while try select.step() {
      let id = select.int64(at: 14)
      var source = found[id] ?? Found()
      source.regions += 1
      do throws(StoreError) {
        let region = try SourceRegion(row: select, path: store.path)
        for problem in Self.problems(of: region, row: select) {
          step.add("region \(select.int64(at: 15)) of source \(id) \(problem)", isMendable: false)
        }
        if let start = region.start ?? region.end {
          source.take(start, max(start, region.end ?? start))
        }
      } catch {
        step.add("region \(select.int64(at: 15)) of source \(id) has no valid position", isMendable: false)
      }
      found[id] = source
    }
  }

  private static func problems(of region: SourceRegion, row: borrowing Statement) -> [String] {
    var problems: [String] = []
    if row.text(at: 16) != "object" { problems.append("has no row as it was found") }
    if let radius = region.radiusMeters, !(1...10_000).contains(radius) {
      problems.append("has a radius of \(radius) m")
    }
    if let count = row.optionalInt64(at: 5), count < 1 { problems.append("has \(count) visits") }
    // A time that cannot be one reads as none.
    if (row.optionalInt64(at: 3) == nil) != (region.start == nil)
      || (row.optionalInt64(at: 4) == nil) != (region.end == nil)
      || (region.end.map { end in region.start.map { end < $0 } ?? false } ?? false)
    {
      problems.append("has impossible times")
    }
    return problems
  }

  /// The counters of which the next source and region take their numbers: lower than the numbers that are given, the next
  /// would be refused.
  private func checkCounters(_ step: inout StoreCheck.Step) throws(StoreError) {
    for table in ["sources", "visited_regions"] {
      guard let greatest = try store.integer("SELECT max(id) FROM \(table)") else { continue }
      let select = try store.cached("SELECT seq, typeof(seq) FROM sqlite_sequence WHERE name = ?1")
      select.bind(table, at: 1)
      guard try select.step(), select.text(at: 1) == "integer" else {
        step.add("the counter of \(table) is missing", isMendable: true)
        continue
      }
      let counter = select.int64(at: 0)
      if counter < greatest || counter == .max {
        step.add("the counter of \(table) is \(counter), the greatest number \(greatest)", isMendable: true)
      }
    }
  }
}
