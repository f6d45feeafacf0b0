import GeoStore
import Geodesy
import SQLiteLayer

/// A kept fix with a time, as ``Whereabouts`` is built from it: 40 bytes.
struct DatedFix {
  /// Milliseconds since 1970.
  var time: Int64
  /// The fix's number in the order of import and of its file, over all sources.
  var order: Int64
  var coordinate: Coordinate
  /// The source's number in the order of import, from 0.
  var source: UInt32
  /// The number of its segment, over all sources.
  var segment: UInt32
  /// The accuracy in centimeters; that of the rules if it is unknown.
  var accuracyCentimeters: UInt32
  /// Whether the step from the fix before it, in the order of its file, belongs to a flight.
  var endsFlightLeg: Bool
  /// Whether it is no fix of its own, but the last time at which a source was near its last one.
  var isStayEnd = false

  /// Ordered by time; those of one time in the order of import and of their file.
  static func isOrdered(_ left: Self, _ right: Self) -> Bool {
    (left.time, left.order) < (right.time, right.order)
  }

  /// All kept fixes with a time, in the order of import and of their file.
  ///
  /// The last time at which a source is known to have been near its last kept fix is one more fix,
  /// less accurate by the tracking distance.
  static func all(in snapshot: Snapshot) throws(DatabaseError) -> [DatedFix] {
    let lastTimes = try snapshot.lastTimesNearLastKeptFix()
    let trackingDistance = snapshot.settings.trackingDistanceMeters
    var fixes: [DatedFix] = []
    var (sourceID, source, segment, order) = (Int64?.none, UInt32(0), UInt32(0), Int64(0))
    var (last, latest) = (DatedFix?.none, Int64.min)

    /// Adds the end of a stay at the source's last fix.
    func endSource() {
      guard let sourceID, var end = last, end.time == latest,
        let time = lastTimes[sourceID]?.millisecondsSince1970, time > end.time
      else { return }
      order += 1
      (end.time, end.order, end.endsFlightLeg, end.isStayEnd) = (time, order, false, true)
      // The fixes in between were dropped for being nearer to it than this.
      let (sum, overflow) = end.accuracyCentimeters.addingReportingOverflow(
        UInt32(min(1e7, trackingDistance * 100)))
      end.accuracyCentimeters = overflow ? .max : sum
      fixes.append(end)
    }

    try snapshot.forEachChunkBySource { _, id, kept in
      if id != sourceID {
        endSource()
        if sourceID != nil { source += 1 }
        (sourceID, last, latest) = (id, nil, .min)
        segment &+= 1
      }
      for fix in kept {
        if fix.startsSegment { segment &+= 1 }
        order += 1
        guard let time = fix.time?.millisecondsSince1970 else {
          last = nil
          continue
        }
        let dated = DatedFix(
          time: time, order: order, coordinate: fix.coordinate, source: source, segment: segment,
          accuracyCentimeters: fix.accuracyCentimeters
            ?? UInt32(WhereaboutsRules.unknownAccuracyMeters * 100),
          endsFlightLeg: fix.endsFlightLeg)
        fixes.append(dated)
        (last, latest) = (dated, max(latest, time))
      }
    }
    endSource()
    return fixes
  }
}
