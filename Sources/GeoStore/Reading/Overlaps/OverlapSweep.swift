/// Finds out how long each two sources cover the same time, from the runs of all of them.
///
/// A run is a time span in which each fix of a source is followed by another within the longest
/// gap. The runs of a source do not overlap each other.
struct OverlapSweep {
  /// A run of a source, in milliseconds since 1970.
  struct Run {
    let source: Int
    let start: Int64
    let end: Int64
  }

  /// Two sources by their indexes, the smaller one first.
  struct Pair: Hashable {
    let first: Int
    let second: Int

    init(_ one: Int, _ other: Int) { (first, second) = (min(one, other), max(one, other)) }
  }

  /// The number of pairs that are kept. It bounds memory: thousands of sources that all cover the
  /// same hour make millions of pairs.
  static let pairsAtMost = 50_000
  /// The number of comparisons of two runs, which bounds time.
  static let comparisonsAtMost = 20_000_000

  /// The time that the sources of each pair share, in milliseconds.
  private(set) var milliseconds: [Pair: Int64] = [:]
  /// False if a limit was reached.
  private(set) var isComplete = true

  /// Compares all runs.
  ///
  /// - Parameters:
  ///   - runs: the runs of all sources, in any order.
  ///   - isWanted: whether the overlaps of a source are wanted; a pair is kept if those of either
  ///     source are.
  /// - Complexity: O(runs × log(runs) + pairs of runs that overlap).
  init(_ runs: [Run], isWanted: (Int) -> Bool) {
    var open: [Run] = []
    var comparisons = 0
    for run in runs.sorted(by: { ($0.start, $0.source) < ($1.start, $1.source) }) {
      open.removeAll { $0.end <= run.start }
      comparisons += open.count
      guard comparisons <= Self.comparisonsAtMost else {
        isComplete = false
        return
      }
      for earlier in open where isWanted(earlier.source) || isWanted(run.source) {
        add(min(earlier.end, run.end) - run.start, to: Pair(earlier.source, run.source))
      }
      open.append(run)
    }
  }

  private mutating func add(_ shared: Int64, to pair: Pair) {
    guard shared > 0 else { return }
    if let before = milliseconds[pair] {
      milliseconds[pair] = before + shared
    } else if milliseconds.count < Self.pairsAtMost {
      milliseconds[pair] = shared
    } else {
      isComplete = false
    }
  }

  /// The time that both lists of runs cover, as spans in the order of time. Each list is in the
  /// order of time.
  static func intersection(_ one: ArraySlice<Run>, _ other: ArraySlice<Run>) -> [Range<Int64>] {
    var spans: [Range<Int64>] = []
    var (left, right) = (one.startIndex, other.startIndex)
    while left < one.endIndex, right < other.endIndex {
      let start = max(one[left].start, other[right].start)
      let end = min(one[left].end, other[right].end)
      if start < end { spans.append(start..<end) }
      if one[left].end < other[right].end { left += 1 } else { right += 1 }
    }
    return spans
  }
}
