import Geodesy

/// A region that a source brought itself, without the fixes that made it: one row of
/// `source_regions`.
public struct SourceRegion: Hashable, Sendable {
  /// Center.
  public var center: Coordinate
  /// Radius of what it explored, in meters, 1...10 000; nil for the store's exploration radius.
  public var radiusMeters: Int?
  /// First time; nil where unknown.
  public var start: Timestamp?
  /// Last time, not before the first; nil where unknown.
  public var end: Timestamp?
  /// Number of visits, at least 1; nil where only the position is known. Then it is one more
  /// undated fix: a region near it takes it.
  public var visitCount: Int?
  /// Names that it had.
  public var place = PlaceNames()
  /// Horizontal accuracy in meters; nil where unknown.
  public var accuracyMeters: Double?
  /// When its row was made, as it says.
  public var createdAt: String?
  /// When its row was changed, as it says.
  public var updatedAt: String?
  /// What was found, as JSON: nothing is lost of it.
  public var original: String

  /// A region of which only the position is known.
  public init(center: Coordinate, original: String) {
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
