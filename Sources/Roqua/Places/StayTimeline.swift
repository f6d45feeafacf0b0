import GeoStore
import Geodesy
import SQLiteLayer

/// All kept fixes of a store in the form that ``StayTally`` needs: in order of time, with their
/// sources.
///
/// Of the fixes that a source dropped as too close to its last kept fix, only the last time is
/// known; it appears here as one more fix at that position.
///
/// - Complexity: O(n log n) for n kept fixes, with 24 bytes of memory each.
struct StayTimeline {
  struct Fix {
    /// Milliseconds since 1970.
    let time: Int64
    let coordinate: Coordinate
    /// The source's index in the order of import, and the fix's index in its file.
    let source: UInt32
    let order: UInt32
  }

  /// Fixes with a time.
  private(set) var dated: [Fix] = []
  /// Fixes without a time.
  private(set) var undated: [Coordinate] = []

  init(of snapshot: Snapshot) throws(DatabaseError) {
    let lastTimes = try snapshot.lastTimesNearLastKeptFix()
    var (dated, undated) = ([Fix](), [Coordinate]())
    var (sourceID, number, order) = (Int64?.none, UInt32(0), UInt32(0))
    var last: KeptFix?
    var latest: Timestamp?

    func append(_ time: Timestamp, _ coordinate: Coordinate) {
      dated.append(
        Fix(time: time.millisecondsSince1970, coordinate: coordinate, source: number, order: order))
      order &+= 1
    }
    func endSource() {
      guard let sourceID, let last, let time = last.time, time == latest,
        let end = lastTimes[sourceID],
        time < end
      else { return }
      append(end, last.coordinate)
    }

    try snapshot.forEachChunkOfKeptFixesBySource { id, fixes in
      if id != sourceID {
        endSource()
        (sourceID, last, latest) = (id, nil, nil)
        (number, order) = (number + 1, 0)
      }
      for fix in fixes {
        last = fix
        if let time = fix.time {
          latest = latest.map { max($0, time) } ?? time
          append(time, fix.coordinate)
        } else {
          undated.append(fix.coordinate)
        }
      }
    }
    endSource()
    dated.sort { ($0.time, $0.source, $0.order) < ($1.time, $1.source, $1.order) }
    (self.dated, self.undated) = (dated, undated)
  }
}
