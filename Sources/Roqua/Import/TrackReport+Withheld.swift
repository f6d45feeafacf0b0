import TrackIngest

extension TrackReport {
  /// Corrects the report because privacy zones were changed after the filter was made.
  ///
  /// - Parameter count: the number of kept fixes that the store did not take because they lie in a
  ///   zone. They count as dropped. The extent becomes unknown, because it may include positions in
  ///   a zone.
  mutating func withhold(_ count: Int) {
    kept -= count
    flightPoints = min(flightPoints, kept)
    dropped[.privacyZone] += count
    extent = nil
  }
}
