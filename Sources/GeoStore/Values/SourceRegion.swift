import Geodesy

/// A region that a source brought itself, without the fixes that made it: one row of
/// `source_regions`.
package struct SourceRegion: Hashable, Sendable {
  /// Center.
  package var center: Coordinate
  /// Radius of what it explored, in meters, 1...10 000; nil for the store's exploration radius.
  package var radiusMeters: Int?
  /// First time; nil where unknown.
  package var start: Timestamp?
  /// Last time, not before the first; nil where unknown.
  package var end: Timestamp?
  /// Number of visits, at least 1; nil where only the position is known. Then it is one more
  /// undated fix: a region near it takes it.
  package var visitCount: Int?
  /// Names that it had.
  package var place = PlaceNames()
  /// Horizontal accuracy in meters; nil where unknown.
  package var accuracyMeters: Double?
  /// When its row was made, as it says.
  package var createdAt: String?
  /// When its row was changed, as it says.
  package var updatedAt: String?
  /// What was found, as JSON: nothing is lost of it.
  package var original: String

  /// A region of which only the position is known.
  package init(center: Coordinate, original: String) {
    self.center = center
    self.original = original
  }

  /// What it says of its visits; nil where it says nothing.
  var stated: StatedVisits? {
    visitCount.map { count in
      StatedVisits(range: start.map { $0...max($0, end ?? $0) }, count: count)
    }
  }
}
