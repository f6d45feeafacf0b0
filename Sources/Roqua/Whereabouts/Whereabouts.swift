import Geodesy

/// An index of where the store's owner was at any time, from all kept fixes that have one.
///
/// It is built once, holds one state of the store, and answers from memory. It is a value: it can
/// be used from any thread, and a copy is free.
///
/// ```swift
/// let whereabouts = try await explorer.whereabouts()
/// if let estimate = whereabouts.position(at: now) {
///   print(estimate.coordinate, estimate.certainty)
/// }
/// ```
///
/// - Complexity: 33 bytes for each kept fix. Building takes O(n log n) for n kept fixes, and 48
///   bytes more for each while it lasts.
public struct Whereabouts: Sendable {
  /// The times of the fixes in milliseconds since 1970, in order; fixes of one time are in the
  /// order of import. The other arrays have the same order.
  let times: [Int64]
  let coordinates: [Coordinate]
  let accuraciesCentimeters: [UInt32]
  /// What lies between each fix and the next one. The last fix has none.
  let spans: Spans
  /// The numbers of those that are no fixes of their own (``DatedFix/isStayEnd``).
  let stayEnds: Set<UInt32>

  /// What lies between two fixes that follow each other in time.
  struct Spans {
    /// The numbers of the two fixes whose positions are joined: those two, or others around them.
    var starts: [UInt32] = []
    var ends: [UInt32] = []
    /// The distance between the positions that are joined.
    var lengthsMeters: [Float] = []
    var certainties: [PositionCertainty] = []
  }

  let rules: WhereaboutsRules

  /// The number of kept fixes that have a time.
  public var fixCount: Int { times.count }

  /// The first and last time of a kept fix; nil if there is none.
  public var knownTimes: ClosedRange<Timestamp>? {
    guard let first = times.first, let last = times.last else { return nil }
    return Timestamp(millisecondsSince1970: first)...Timestamp(millisecondsSince1970: last)
  }

  /// Estimates where the store's owner was at a time.
  ///
  /// - Returns: nil if there are no kept fixes with a time, or if the time is more than a day
  ///   before the first or after the last one.
  /// - Complexity: O(log n) for n kept fixes, less than a microsecond for a million. No allocation.
  public func position(at time: Timestamp) -> PositionEstimate? {
    let milliseconds = time.millisecondsSince1970
    let following = indexOfFirst(after: milliseconds)
    guard following > 0 else { return beforeAll(time) }
    let index = following - 1
    if times[index] == milliseconds { return atFix(index, time) }
    guard following < times.count else { return afterAll(time) }
    let (start, end) = (Int(spans.starts[index]), Int(spans.ends[index]))
    let since = Double(milliseconds - times[start]) / 1_000
    let until = Double(times[end] - milliseconds) / 1_000
    let meters = Double(spans.lengthsMeters[index])
    let certainty = spans.certainties[index]
    var coordinate = coordinates[start]
    let drift: Double
    switch certainty {
    case .visit:
      drift = rules.stayDrift(meters: meters, seconds: since)
    case .gap:
      if until < since { coordinate = coordinates[end] }
      drift = rules.gapDrift(
        meters: meters, seconds: since + until, nearestSeconds: min(since, until))
    default:
      coordinate = coordinate.position(
        toward: coordinates[end], share: since / (since + until))
      drift = rules.legDrift(
        meters: meters, seconds: since + until, nearestSeconds: min(since, until))
    }
    return PositionEstimate(
      time: time, coordinate: coordinate,
      uncertaintyMeters: max(accuracyMeters(start), accuracyMeters(end)) + drift,
      certainty: certainty, previous: known(start), next: known(end))
  }

  /// The number of the first fix that is later than a time; ``fixCount`` if none is.
  private func indexOfFirst(after time: Int64) -> Int {
    var (low, count) = (0, times.count)
    while count > 0 {
      let half = count / 2
      if times[low + half] <= time {
        low += half + 1
        count -= half + 1
      } else {
        count = half
      }
    }
    return low
  }

  /// At the time of a fix: of several, the most accurate one; of equally accurate ones, the first.
  ///
  /// - Parameter last: the last fix of this time.
  private func atFix(_ last: Int, _ time: Timestamp) -> PositionEstimate {
    var best = last
    var index = last
    while index > 0, times[index - 1] == times[last] {
      index -= 1
      if accuraciesCentimeters[index] <= accuraciesCentimeters[best] { best = index }
    }
    return PositionEstimate(
      time: time, coordinate: coordinates[best], uncertaintyMeters: accuracyMeters(best),
      certainty: stayEnds.contains(UInt32(best)) ? .visit : .fix, previous: known(best),
      next: known(best))
  }

  private func beforeAll(_ time: Timestamp) -> PositionEstimate? {
    guard let first = times.first else { return nil }
    return beyond(0, time, first.subtractingReportingOverflow(time.millisecondsSince1970), .before)
  }

  private func afterAll(_ time: Timestamp) -> PositionEstimate? {
    let last = times.count - 1
    return beyond(
      last, time, time.millisecondsSince1970.subtractingReportingOverflow(times[last]), .after)
  }

  private func beyond(
    _ index: Int, _ time: Timestamp, _ distance: (partialValue: Int64, overflow: Bool),
    _ certainty: PositionCertainty
  ) -> PositionEstimate? {
    guard !distance.overflow,
      distance.partialValue <= WhereaboutsRules.longestPauseMilliseconds
    else { return nil }
    let seconds = Double(distance.partialValue) / 1_000
    return PositionEstimate(
      time: time, coordinate: coordinates[index],
      uncertaintyMeters: accuracyMeters(index)
        + rules.gapDrift(meters: 0, seconds: seconds, nearestSeconds: seconds),
      certainty: certainty, previous: certainty == .after ? known(index) : nil,
      next: certainty == .before ? known(index) : nil)
  }

  private func accuracyMeters(_ index: Int) -> Double {
    Double(accuraciesCentimeters[index]) / 100
  }

  private func known(_ index: Int) -> PositionEstimate.KnownPosition {
    .init(
      time: Timestamp(millisecondsSince1970: times[index]), coordinate: coordinates[index])
  }
}
