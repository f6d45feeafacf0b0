import Geodesy

/// A region while fixes are being written.
struct OpenRegion {
  let id: Int64
  let center: Coordinate
  /// Whether it has no row yet.
  var isNew: Bool
  /// Accuracy of the fix that made it; only kept for new ones.
  let accuracyMeters: Double?
  /// The source that made it; 0 until its row was read.
  var madeBy: Int64 = 0
  /// The source that changed it last; 0 until its row was read.
  var changedBy: Int64 = 0
  /// Its visits; nil until its row was read.
  var visits: VisitList?
  /// Those that the store has; nil until its row was read.
  var storedVisits: VisitList?
  /// Whether the row no longer says what the visits do.
  var isChanged: Bool
}
