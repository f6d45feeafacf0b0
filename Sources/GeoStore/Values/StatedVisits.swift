import Geodesy

/// What an adopted region says of its visits: so many between two times. Which they were, nobody
/// knows any more, but for the first and the last.
struct StatedVisits {
  /// Between which times; nil where they are not known.
  let range: ClosedRange<Timestamp>?
  /// How many.
  let count: Int

  /// How many of them are none of those that are known by their times. A known visit that touches
  /// the range may be one of those that are stated, and is taken for one: so a track of the same
  /// days, imported later, counts nothing twice.
  func unseen(among visits: [Visit]) -> Int {
    let seen =
      range.map { range in visits.count { range.overlaps($0.start...$0.end) } } ?? visits.count
    return max(0, count - seen)
  }
}
