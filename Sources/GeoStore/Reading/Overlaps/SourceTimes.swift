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
  /// The spans of the fixes so far: each fix lies within the gap of another one of its span.
  private var spans: [ClosedRange<Int64>] = []
  /// The maximum time between two fixes of a run, in milliseconds.
  private let longestGap: Int64

  /// Creates the times of a source without fixes.
  init(longestGap: Int64) { self.longestGap = longestGap }

  /// Adds the fixes of the source's next chunk.
  ///
  /// - Complexity: O(fixes). Memory grows with the number of gaps and of steps back in time.
  mutating func add(_ fixes: [KeptFix], chunk id: Int64) {
    var (first, last) = (Int64.max, Int64.min)
    for fix in fixes {
      guard let time = fix.time?.millisecondsSince1970 else { continue }
      if let span = spans.last, time >= span.lowerBound - longestGap,
        time <= span.upperBound + longestGap
      {
        spans[spans.count - 1] = min(span.lowerBound, time)...max(span.upperBound, time)
      } else {
        spans.append(time...time)
      }
      (first, last) = (min(first, time), max(last, time))
    }
    if first <= last { chunks.append(Chunk(id: id, first: first, last: last)) }
  }

  /// Ends the source: returns its runs in the order of time.
  mutating func finish(source: Int) -> [OverlapSweep.Run] {
    chunks.sort { ($0.first, $0.id) < ($1.first, $1.id) }
    var latest = Int64.min
    for index in chunks.indices {
      latest = max(latest, chunks[index].last)
      chunks[index].latest = latest
    }
    defer { spans = [] }
    var runs: [OverlapSweep.Run] = []
    for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = runs.last, span.lowerBound - last.end <= longestGap {
        let end = max(last.end, span.upperBound)
        runs[runs.count - 1] = OverlapSweep.Run(source: source, start: last.start, end: end)
      } else {
        runs.append(OverlapSweep.Run(source: source, start: span.lowerBound, end: span.upperBound))
      }
    }
    // A single fix covers no time.
    return runs.filter { $0.start < $0.end }
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
