import Geodesy
import SQLiteLayer

/// Checks of the sources. Except for the counter of their numbers, their data cannot be rebuilt.
extension StoreChecker {
  func checkSources(_ step: inout StoreCheck.Step) throws(DatabaseError) {
    var found = try foundInChunks(&step)
    try addRegions(to: &found, &step)
    let select = try Statement(SourceRow.sql, on: store)
    while try select.step() {
      let row = SourceRow(select, reportMembers: options.reportMembers)
      for problem in row.problems(with: found[row.id] ?? Found()) {
        step.add("source \(row.id) \(problem)", isMendable: false)
      }
      step.count += 1
    }
    try checkCounter(&step)
  }

  /// The data of a source that was found in other tables.
  struct Found {
    var fixes = 0
    var regions = 0
    /// First and last time of that data; nil if it has none.
    var times: ClosedRange<Timestamp>?

    mutating func take(_ start: Timestamp, _ end: Timestamp) {
      times = min(times?.lowerBound ?? start, start)...max(times?.upperBound ?? end, end)
    }
  }

  /// Reads every kept fix.
  private func foundInChunks(_ step: inout StoreCheck.Step) throws(DatabaseError) -> [Int64: Found]
  {
    var found: [Int64: Found] = [:]
    let meter = WorkMeter.current
    meter?.begin(
      .checking(StoreCheck.Subject.sources.rawValue),
      of: Int(try store.integer("SELECT count(*) FROM kept_fixes") ?? 0))
    let select = try Statement("SELECT id, source_id, count FROM kept_fixes ORDER BY id", on: store)
    while try select.step() {
      meter?.add(1)
      let (id, sourceID, stated) = (select.int64(at: 0), select.int64(at: 1), select.int64(at: 2))
      if !StoredRange.rowID.contains(id) {
        step.add("chunk \(id) of source \(sourceID) has an impossible number", isMendable: false)
      }
      var source = found[sourceID] ?? Found()
      if StoredRange.chunkFixes.contains(stated) { source.fixes += Int(stated) }
      do throws(DatabaseError) {
        let fixes = try store.keptFixes(inChunk: id)
        if fixes.count != stated || fixes.isEmpty {
          step.add(
            "chunk \(id) of source \(sourceID) has \(fixes.count) fixes, but its row says "
              + "\(stated)",
            isMendable: false)
        }
        for case let time? in fixes.lazy.map(\.time) { source.take(time, time) }
      } catch {
        step.add("chunk \(id) of source \(sourceID) cannot be read", isMendable: false)
      }
      found[sourceID] = source
    }
    return found
  }

  /// Reads every region that came with a source.
  private func addRegions(to found: inout [Int64: Found], _ step: inout StoreCheck.Step)
    throws(DatabaseError)
  {
    let select = try Statement(
      """
      SELECT \(SourceRegion.columns), id, source_id,
        coalesce(CASE WHEN json_valid(original) THEN json_type(original) END, '')
      FROM source_regions ORDER BY id
      """, on: store)
    while try select.step() {
      let id = select.int64(at: 15)
      var source = found[id] ?? Found()
      source.regions += 1
      if select.text(at: 16) != "object" {
        step.add(
          "region \(select.int64(at: 14)) of source \(id) lacks its original row",
          isMendable: false)
      }
      try Self.note(in: &step, isMendable: false) { () throws(DatabaseError) in
        let region = try SourceRegion(row: select)
        if let start = region.start ?? region.end { source.take(start, region.end ?? start) }
      }
      found[id] = source
    }
  }

  /// Checks the counter from which the next source gets its number: if it were lower than a number
  /// in use, the next source would be refused.
  private func checkCounter(_ step: inout StoreCheck.Step) throws(DatabaseError) {
    let greatest = try store.integer("SELECT max(id) FROM sources") ?? 0
    let select = try store.cached(
      "SELECT seq, typeof(seq) FROM sqlite_sequence WHERE name = 'sources'")
    guard try select.step(), select.text(at: 1) == "integer" else {
      if greatest > 0 { step.add("the source counter is missing", isMendable: true) }
      return
    }
    let counter = select.int64(at: 0)
    if counter < greatest || counter > StoredRange.lastNumberedRow {
      step.add(
        "the source counter is \(counter), but the highest source number is \(greatest)",
        isMendable: true)
    }
  }
}
