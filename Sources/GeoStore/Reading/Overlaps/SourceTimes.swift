import Geodesy

/// The times of a source's kept fixes: the runs that they make, and the chunks that hold them.
struct SourceTimes {
  /// A chunk of kept fixes with a time, in milliseconds since 1970.
  struct Chunk {
    let id: Int64
    let first: Int64
    let last: Int64
    /// The latest time of this chunk and of those before it in ``SourceTimes/chunks``.
    var latest: Int64 = .min
  }

  /// The chunks, by their first time.
  private(set) var chunks: [Chunk] = []
  private var times: [Int64] = []
  private var isSorted = true

  /// Adds the fixes of the source's next chunk.
  mutating func add(_ fixes: [KeptFix], chunk id: Int64) {
    var (first, last) = (Int64.max, Int64.min)
    for fix in fixes {
      guard let time = fix.time?.millisecondsSince1970 else { continue }
      if let before = times.last, before > time { isSorted = false }
      times.append(time)
      (first, last) = (min(first, time), max(last, time))
    }
    if first <= last { chunks.append(Chunk(id: id, first: first, last: last)) }
  }

  /// Ends the source: returns its runs in the order of time, and forgets the times.
  mutating func finish(longestGap: Int64, source: Int) -> [OverlapSweep.Run] {
    if !isSorted { times.sort() }
    chunks.sort { ($0.first, $0.id) < ($1.first, $1.id) }
    var latest = Int64.min
    for index in chunks.indices {
      latest = max(latest, chunks[index].last)
      chunks[index].latest = latest
    }
    defer { times = [] }
    guard var start = times.first else { return [] }
    var runs: [OverlapSweep.Run] = []
    var end = start
    func close() {
      // A single fix covers no time.
      if start < end { runs.append(OverlapSweep.Run(source: source, start: start, end: end)) }
    }
    for time in times {
      if time - end > longestGap {
        close()
        start = time
      }
      end = time
    }
    close()
    return runs
  }

  /// The number of chunks that are searched for the position at a moment. Only a source whose times
  /// are in no order has more.
  private static let chunksAtMost = 8

  /// The chunks that may hold the fixes before and after a moment.
  func chunks(around time: Int64, within gap: Int64) -> [Chunk] {
    var low = 0
    var high = chunks.count
    while low < high {
      let middle = (low + high) / 2
      if chunks[middle].first <= time + gap { low = middle + 1 } else { high = middle }
    }
    var found: [Chunk] = []
    for chunk in chunks[..<low].reversed() where found.count < Self.chunksAtMost {
      guard chunk.latest >= time - gap else { break }
      if chunk.last >= time - gap { found.append(chunk) }
    }
    return found
  }
}
