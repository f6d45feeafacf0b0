import GeoStore
import Geodesy
import SQLiteLayer

/// All kept fixes of a store in order of time, with those without a time kept separately.
///
/// - Complexity: O(n log n) for n kept fixes, with 16 bytes of memory each.
struct KeptTimeline {
  /// Fixes with a time (milliseconds since 1970), in order of time.
  private(set) var dated: [(time: Int64, coordinate: Coordinate)] = []
  /// Fixes without a time, in the order of import.
  private(set) var undated: [Coordinate] = []

  init(of snapshot: Snapshot) throws(DatabaseError) {
    var (dated, undated) = ([(time: Int64, coordinate: Coordinate)](), [Coordinate]())
    try snapshot.forEachChunkOfKeptFixes { fixes in
      for fix in fixes {
        if let time = fix.time {
          dated.append((time.millisecondsSince1970, fix.coordinate))
        } else {
          undated.append(fix.coordinate)
        }
      }
    }
    dated.sort { $0.time < $1.time }
    (self.dated, self.undated) = (dated, undated)
  }
}
