import Geodesy

/// A region in memory while fixes are written.
struct OpenRegion {
  let id: Int64
  let center: Coordinate
  /// Whether it has no row yet.
  var isNew: Bool
  /// Accuracy of the fix that made it; only kept for new regions.
  let accuracyMeters: Double?
  /// The source that made it; 0 until its row is read.
  var madeBy: Int64 = 0
  /// The source that changed it last; 0 until its row is read.
  var changedBy: Int64 = 0
  /// Its visits; nil until its row is read.
  var visits: VisitList?
  /// The visits in the store; nil until its row is read.
  var storedVisits: VisitList?
  /// Whether the visits differ from the row.
  var isChanged: Bool
}
