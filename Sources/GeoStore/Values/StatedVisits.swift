import Geodesy

/// The visits that an adopted region claims: their number, and the range of time in which they took
/// place. Of the individual visits, only the first and the last time are known.
struct StatedVisits {
  /// The range of time; nil if unknown.
  let range: ClosedRange<Timestamp>?
  /// The number of visits.
  let count: Int

  /// Returns how many of the stated visits are not among the visits with known times. A known visit
  /// that overlaps the range may be one of the stated ones and is counted as such, so that
  /// importing a track of the same days later counts no visit twice.
  func unseen(among visits: [Visit]) -> Int {
    let seen =
      range.map { range in visits.count { range.overlaps($0.start...$0.end) } } ?? visits.count
    return max(0, count - seen)
  }
}
