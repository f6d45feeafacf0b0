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
  /// The stays at the last fixes of sources that were taken.
  private var stays = Stays()
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

  /// The state as bytes: twice the number of stays of earlier sources, and 1 for that of the last
  /// one, in four bytes; the length of the first chronicle in four bytes; the two chronicles.
  var encoded: [UInt8] {
    let bytes = dated.encoded
    func number(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let counts = 2 * stays.earlier + (stays.hasLast ? 1 : 0)
    return number(counts) + number(bytes.count) + bytes + undated.encoded
  }

  /// Reads ``encoded``; nil if it is damaged.
  init?(encoded bytes: ArraySlice<UInt8>) {
    guard bytes.count >= 8 else { return nil }
    let start = bytes.startIndex + 8
    func number(_ bytes: ArraySlice<UInt8>) -> Int {
      bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let length = number(bytes[..<start].suffix(4))
    guard length <= bytes.endIndex - start,
      let dated = Chronicle(encoded: Array(bytes[start..<start + length])),
      let undated = Chronicle(encoded: Array(bytes[(start + length)...]))
    else { return nil }
    (self.dated, self.undated, isWhole) = (dated, undated, false)
    let counts = number(bytes.prefix(4))
    stays = Stays(earlier: counts / 2, hasLast: counts % 2 == 1)
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
    stays = Stays(
      of: try snapshot.lastTimesNearLastKeptFix(), last: try snapshot.content().lastSource)
    let timeline = try FixTimeline(of: snapshot)
    try timeline.forEachDated { fix in
      let source = timeline.sourceIDs[Int(fix.source) - 1]
      if fix.isStayEnd {
        dated.takeStay(until: fix.time, ofSource: source, order: fix.order)
      } else {
        take(
          finder.fix(
            fix.coordinate, time: fix.time, source: source, order: fix.order,
            isJoined: fix.isJoined), &watch)
      }
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

  /// The number of sources that are known to have stayed at their last fix.
  private struct Stays {
    /// Of those before the last source of the store.
    var earlier = 0
    /// Whether the last source is one.
    var hasLast = false

    init(earlier: Int = 0, hasLast: Bool = false) {
      (self.earlier, self.hasLast) = (earlier, hasLast)
    }

    init(of ends: [Int64: Timestamp], last: Int64) {
      earlier = ends.keys.count { $0 < last }
      hasLast = ends[last] != nil
    }
  }

  // MARK: Later fixes

  /// What is taken in order of time.
  private enum Entry {
    case fix(ChronicleFix)
    /// The end of a stay at the last fix of a source.
    case stay(until: Int64, source: Int64, order: UInt32)

    /// What they are sorted by.
    var key: (time: Int64, source: Int64, order: UInt32) {
      switch self {
      case .fix(let fix): (fix.time, fix.source, fix.order)
      case .stay(let time, let source, let order): (time, source, order)
      }
    }
  }

  /// Takes the fixes that were added to a store since this state.
  ///
  /// - Returns: false if any of them, or the end of a stay, is earlier than the last fix of the
  ///   state, or at the time of another source's last fix; or if another source than the last one
  ///   is known to have stayed since then. The state is of no use then.
  /// - Complexity: O(n log n) for n new fixes.
  mutating func resume(
    in snapshot: Snapshot, after content: StoreContent, _ achievements: [Achievement],
    geocoder: Geocoder
  ) throws(DatabaseError) -> Bool {
    var finder = FactFinder(geocoder: geocoder)
    var watch = UnlockWatch(achievements, after: dated)
    let flightsExplore = snapshot.settings.flightsExplore
    let stayEnds = try snapshot.lastTimesNearLastKeptFix()
    let known = Stays(of: stayEnds, last: content.lastSource)
    let isLastTaken = stays.hasLast
    if known.earlier != stays.earlier || isLastTaken && !known.hasLast { return false }
    var fixes: [Entry] = []
    var (source, order, isLate) = (Int64(0), UInt32(0), false)
    var last: KeptFix?
    var latest: Timestamp?

    /// Adds the stay of a source at its last fix, as ``FixTimeline`` does.
    func endSource() {
      guard let time = last?.time, time == latest, let end = stayEnds[source], time < end,
        flightsExplore || last?.isInFlight != true
      else { return }
      if source == content.lastSource, isLastTaken { return }
      let milliseconds = end.millisecondsSince1970
      if dated.isLate(milliseconds, ofSource: source) { isLate = true }
      fixes.append(.stay(until: milliseconds, source: source, order: order))
    }

    var simultaneous = try SimultaneousFixes(of: snapshot, after: dated.lastTimes)
    try snapshot.forEachChunk(fromSource: content.lastSource) { id, chunk in
      if id != source {
        endSource()
        (source, order, last, latest) = (id, 0, nil, nil)
      }
      last = chunk.last ?? last
      for fix in chunk {
        defer { order &+= 1 }
        if let time = fix.time { latest = latest.map { max($0, time) } ?? time }
        // The state has the end of the stay as the end of the source.
        if id == content.lastSource, isLastTaken, Int64(order) >= content.lastFixes {
          isLate = true
        }
        if id == content.lastSource, Int64(order) < content.lastFixes { continue }
        guard flightsExplore || !fix.isInFlight else { continue }
        guard let time = fix.time?.millisecondsSince1970 else {
          undated.takeUndated(fix.coordinate, finder.facts(at: fix.coordinate))
          continue
        }
        if dated.isLate(time, ofSource: id) { isLate = true }
        if isLate { continue }
        fixes.append(
          .fix(
            finder.fix(
              fix.coordinate, time: time, source: id, order: order,
              isJoined: !fix.startsSegment && (flightsExplore || !fix.endsFlightLeg))))
      }
    }
    endSource()
    if isLate { return false }
    stays = Stays(of: stayEnds, last: try snapshot.content().lastSource)
    fixes.sort { $0.key < $1.key }
    var rest = fixes[...]
    while let time = rest.first?.key.time {
      var group = Array(rest.prefix { $0.key.time == time })
      rest.removeFirst(group.count)
      simultaneous.order(&group, at: time) { $0.key.source }
      for entry in group {
        switch entry {
        case .fix(let fix): take(fix, &watch)
        case .stay(let time, let source, let order):
          dated.takeStay(until: time, ofSource: source, order: order)
        }
      }
    }
    try snapshot.forEachSourceRegionCenter(fromSource: content.lastSource + 1) { center in
      undated.takeUndated(center, finder.facts(at: center))
    }
    return true
  }
}
