import Geodesy
import SQLiteLayer

extension Snapshot {
  /// Returns which sources cover the same time, and for how long.
  ///
  /// - Parameters:
  ///   - ids: the numbers of the sources whose overlaps are wanted, with each other and with all
  ///     others; nil for the overlaps of all sources.
  ///   - fixesAtMost: the number of kept fixes of other sources to read: those beyond it are left
  ///     out.
  ///   - listedAtMost: the number of overlaps of each wanted source to list, the longest ones.
  /// - Complexity: O(sources × log(sources) + kept fixes of the sources whose first and last times
  ///   overlap). Memory: the runs of all sources, and at most 50 000 pairs.
  /// - Throws: `DatabaseError`.
  public func overlaps(
    of ids: Set<StoredSource.ID>? = nil, readingAtMost fixesAtMost: Int = .max,
    listingAtMost listedAtMost: Int = .max
  ) throws(DatabaseError) -> SourceOverlaps {
    var result = SourceOverlaps()
    let spans = SourceSpans(all: try sourceSpans())
    let longestGap = Int64((settings[.visitGapMinutes] * 60_000).rounded())
    var times: [Int: SourceTimes] = [:]
    var runs: [Int: [OverlapSweep.Run]] = [:]
    var read = 0
    for index in spans.candidates(ids) {
      let source = spans.all[index]
      if let ids, !ids.contains(source.member.id) {
        guard source.kept <= fixesAtMost - read else {
          result.isComplete = false
          continue
        }
        read += source.kept
      }
      var found = SourceTimes(longestGap: longestGap)
      try addFixes(of: source.member.id, to: &found)
      runs[index] = found.finish(source: index)
      times[index] = found
    }
    let sweep = OverlapSweep(runs.values.flatMap { $0 }) { index in
      ids?.contains(spans.all[index].member.id) ?? true
    }
    result.isComplete = result.isComplete && sweep.isComplete
    var place = SharedPlace(self, longestGap: longestGap)
    let covered = runs.mapValues { $0.reduce(0) { $0 + ($1.end - $1.start) } }
    // In the order of time, so that most chunks are read once.
    func start(_ pair: OverlapSweep.Pair) -> Int64 {
      max(runs[pair.first]?.first?.start ?? 0, runs[pair.second]?.first?.start ?? 0)
    }
    var numbers: [Int: Int] = [:]
    let longest = sweep.milliseconds.sorted {
      ($1.value, $0.key.first, $0.key.second) < ($0.value, $1.key.first, $1.key.second)
    }
    result.seconds = longest.map { Double($0.value) / 1_000 }
    let listed = longest.filter { pair, _ in
      let sources = [pair.first, pair.second].filter {
        ids?.contains(spans.all[$0].member.id) ?? true
      }
      defer { for source in sources { numbers[source, default: 0] += 1 } }
      return sources.contains { numbers[$0, default: 0] < listedAtMost }
    }
    for (source, number) in numbers { result.counts[spans.all[source].member.id] = number }
    for (pair, milliseconds) in listed.sorted(by: { start($0.key) < start($1.key) }) {
      guard let one = runs[pair.first], let other = runs[pair.second],
        let oneTimes = times[pair.first], let otherTimes = times[pair.second]
      else { continue }
      let shorter = min(covered[pair.first] ?? 0, covered[pair.second] ?? 0)
      result.list.append(
        SourceOverlap(
          first: spans.all[pair.first].member, second: spans.all[pair.second].member,
          seconds: Double(milliseconds) / 1_000,
          share: min(1, Double(milliseconds) / Double(max(1, shorter))),
          sharedPlace: try place.share(
            of: oneTimes, otherTimes, in: OverlapSweep.intersection(one[...], other[...]))))
    }
    result.list.sort {
      ($1.seconds, $0.first.id, $0.second.id) < ($0.seconds, $1.first.id, $1.second.id)
    }
    return result
  }

  /// Returns the numbers of the sources with these SHA-256 sums.
  package func sourceIDs(
    ofSHA256 sums: Set<String>
  ) throws(DatabaseError) -> Set<StoredSource.ID> {
    let select = try connection.cached("SELECT id FROM sources WHERE sha256 = ?1")
    var ids: Set<StoredSource.ID> = []
    for sum in sums {
      select.reset()
      select.bind(sum, at: 1)
      if try select.step() { ids.insert(try select.rowID(at: 0, of: "sources")) }
    }
    return ids
  }

  /// The sources with kept fixes over some time, in the order of import.
  private func sourceSpans() throws(DatabaseError) -> [SourceSpans.Span] {
    let select = try connection.cached(
      "SELECT id, sha256, path, kept, first_time, last_time FROM sources WHERE kept > 1 "
        + "ORDER BY id")
    var spans: [SourceSpans.Span] = []
    while try select.step() {
      let id = try select.rowID(at: 0, of: "sources")
      guard let first = select.text(at: 4).flatMap(Timestamp.init(iso8601:)),
        let last = select.text(at: 5).flatMap(Timestamp.init(iso8601:))
      else { continue }
      spans.append(
        SourceSpans.Span(
          member: SourceOverlap.Member(
            id: id, sha256: select.text(at: 1) ?? "", path: select.text(at: 2) ?? ""),
          kept: try select.int(at: 3, in: StoredRange.sourceCount, of: "sources, row \(id)"),
          first: first.millisecondsSince1970, last: last.millisecondsSince1970))
    }
    return spans
  }

  private func addFixes(
    of source: Int64, to times: inout SourceTimes
  ) throws(DatabaseError) {
    let select = try connection.cached("SELECT id FROM kept_fixes WHERE source_id = ?1 ORDER BY id")
    select.bind(source, at: 1)
    var chunks: [Int64] = []
    while try select.step() { chunks.append(try select.rowID(at: 0, of: "kept_fixes")) }
    for chunk in chunks { times.add(try keptFixes(ofChunk: chunk), chunk: chunk) }
  }
}
