import Geodesy

/// A region while fixes are being written.
struct OpenRegion {
  let id: Int64
  let center: Coordinate
  /// Whether it has no row yet.
  var isNew: Bool
  /// Accuracy of the fix that made it; only kept for new ones.
  let accuracyMeters: Double?
  /// Its visits; nil until they are needed.
  var visits: VisitList?
  /// Those that its row and the rows of visits say; nil until they were read.
  var storedVisits: VisitList?
  /// Whether the row no longer says what the visits do.
  var isChanged: Bool
}
