import Achievements
import GeoStore
import Geocode
import Geodesy
import SQLiteLayer

/// The metrics of all kept fixes of a store, and the fixes that reached tiers.
struct FoldedFixes {
  /// Those with a time.
  var dated: Chronicle
  /// The places of those without a time, and of regions that came with sources.
  var undated: Chronicle
  /// The tiers that were reached since the state that was continued.
  var unlocks: [AchievementUnlock] = []
  /// Whether all fixes were taken, not only those after a stored state.
  var isWhole = true

  /// What the store holds, with and without a time.
  var present: Chronicle {
    var present = dated
    present.formUnion(placesOf: undated)
    return present
  }

  // MARK: The state in the store

  /// The state as bytes: the length of the first chronicle in four bytes, the two chronicles.
  var encoded: [UInt8] {
    let bytes = dated.encoded
    let length = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
    return length + bytes + undated.encoded
  }

  /// Reads ``encoded``; nil if it is damaged.
  init?(encoded bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 4 else { return nil }
    let start = bytes.startIndex + 4
    let length = bytes[..<start].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= bytes.endIndex - start,
      let dated = Chronicle(encoded: Array(bytes[start..<start + length])),
      let undated = Chronicle(encoded: Array(bytes[(start + length)...]))
    else { return nil }
    (self.dated, self.undated, isWhole) = (dated, undated, false)
  }

  // MARK: All fixes

  /// Takes all kept fixes of a store in order of time.
  ///
  /// - Complexity: O(n log n) for n fixes, with a lookup of the place of each.
  init(
    of snapshot: Snapshot, rules: Chronicle.Rules, _ achievements: [Achievement],
    geocoder: Geocoder
  ) throws(DatabaseError) {
    (dated, undated) = (Chronicle(rules: rules), Chronicle(rules: rules))
    var watch = UnlockWatch(achievements, after: dated)
    var finder = FactFinder(geocoder: geocoder)
    let timeline = try FixTimeline(of: snapshot, includesStays: false)
    try timeline.forEachDated { fix in
      take(
        finder.fix(
          fix.coordinate, time: fix.time, source: timeline.sourceIDs[Int(fix.source) - 1],
          order: fix.order, isJoined: fix.isJoined), &watch)
    }
    let flightsExplore = snapshot.settings.flightsExplore
    try snapshot.forEachChunkOfKeptFixes { fixes in
      for fix in fixes where fix.time == nil && (flightsExplore || !fix.isInFlight) {
        undated.takeUndated(fix.coordinate, finder.facts(at: fix.coordinate))
      }
    }
    try snapshot.forEachSourceRegionCenter(fromSource: 0) { center in
      undated.takeUndated(center, finder.facts(at: center))
    }
  }

  private mutating func take(_ fix: ChronicleFix, _ watch: inout UnlockWatch) {
    let changed = dated.take(fix)
    if changed.isEmpty { return }
    unlocks += watch.unlocks(of: dated, changed: changed)
  }

  // MARK: Later fixes

  /// Takes the fixes that were added to a store since this state.
  ///
  /// - Returns: false if any of them is earlier than the last fix of the state, or at the time of
  ///   another source's last fix; the state is of no use then.
  /// - Complexity: O(n log n) for n new fixes.
  mutating func resume(
    in snapshot: Snapshot, after content: StoreContent, _ achievements: [Achievement],
    geocoder: Geocoder
  ) throws(DatabaseError) -> Bool {
    var finder = FactFinder(geocoder: geocoder)
    var watch = UnlockWatch(achievements, after: dated)
    let flightsExplore = snapshot.settings.flightsExplore
    var fixes: [ChronicleFix] = []
    var (source, order, isLate) = (Int64(0), UInt32(0), false)
    var simultaneous = try SimultaneousFixes(of: snapshot, after: dated.lastTimes)
    try snapshot.forEachChunk(fromSource: content.lastSource) { id, chunk in
      if id != source { (source, order) = (id, 0) }
      for fix in chunk {
        defer { order &+= 1 }
        if id == content.lastSource, Int64(order) < content.lastFixes { continue }
        guard flightsExplore || !fix.isInFlight else { continue }
        guard let time = fix.time?.millisecondsSince1970 else {
          undated.takeUndated(fix.coordinate, finder.facts(at: fix.coordinate))
          continue
        }
        if dated.isLate(time, ofSource: id) { isLate = true }
        if isLate { continue }
        fixes.append(
          finder.fix(
            fix.coordinate, time: time, source: id, order: order,
            isJoined: !fix.startsSegment && (flightsExplore || !fix.endsFlightLeg)))
      }
    }
    if isLate { return false }
    fixes.sort { ($0.time, $0.source, $0.order) < ($1.time, $1.source, $1.order) }
    var rest = fixes[...]
    while let time = rest.first?.time {
      var group = Array(rest.prefix { $0.time == time })
      rest.removeFirst(group.count)
      simultaneous.order(&group, at: time) { $0.source }
      for fix in group { take(fix, &watch) }
    }
    try snapshot.forEachSourceRegionCenter(fromSource: content.lastSource + 1) { center in
      undated.takeUndated(center, finder.facts(at: center))
    }
    return true
  }
}
