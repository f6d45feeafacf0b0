import Geodesy

/// A region that came with a source, without the fixes that made it: one row of `source_regions`.
package struct SourceRegion: Hashable, Sendable {
  /// The center.
  package var center: Coordinate
  /// The exploration radius of the region in meters, 1...10 000; nil for the store's.
  package var radiusMeters: Int?
  /// First time; nil if unknown.
  package var start: Timestamp?
  /// Last time, not before the first; nil if unknown.
  package var end: Timestamp?
  /// Number of visits, at least 1; nil if only the position is known. The region then counts as an
  /// undated fix, which joins a region near it.
  package var visitCount: Int?
  /// The names of its place.
  package var place = PlaceNames()
  /// Horizontal accuracy in meters; nil if unknown.
  package var accuracyMeters: Double?
  /// The time at which its row was created, as text from the row.
  package var createdAt: String?
  /// The time at which its row was changed, as text from the row.
  package var updatedAt: String?
  /// The complete original as JSON, so that nothing is lost.
  package var original: String

  /// Creates a region with only a position.
  package init(center: Coordinate, original: String) {
    self.center = center
    self.original = original
  }

  /// The visits that the region claims; nil if it claims none.
  var stated: StatedVisits? {
    visitCount.map { count in
      StatedVisits(range: start.map { $0...max($0, end ?? $0) }, count: count)
    }
  }
}
