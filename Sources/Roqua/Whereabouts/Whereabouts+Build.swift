import GeoStore
import Geodesy
import SQLiteLayer

extension Whereabouts {
  /// Builds the index of a store's kept fixes.
  ///
  /// - Throws: `DatabaseError`.
  package init(of snapshot: Snapshot) throws(DatabaseError) {
    let zones = PrivacyZones(try snapshot.privacyZones().map(\.zone))
    self.init(
      try DatedFix.all(in: snapshot), rules: WhereaboutsRules(snapshot.settings, zones: zones))
  }

  /// Builds the index of fixes in any order.
  init(_ fixes: consuming [DatedFix], rules: WhereaboutsRules) {
    // Sources are mostly imported in the order of their times, and the sort uses such runs.
    fixes.sort(by: DatedFix.isOrdered)
    var stayEnds: Set<UInt32> = []
    for (index, fix) in fixes.enumerated() where fix.isStayEnd { stayEnds.insert(UInt32(index)) }
    self.init(
      times: fixes.map(\.time), coordinates: fixes.map(\.coordinate),
      accuraciesCentimeters: fixes.map(\.accuracyCentimeters),
      spans: Spans(between: fixes, rules: rules), stayEnds: stayEnds, rules: rules)
  }
}

extension Whereabouts.Spans {
  /// Chooses what is joined between each fix and the next one.
  ///
  /// The shortest leg in time around them is joined; of equally short ones, the one that starts
  /// first. Where no leg is, the two fixes themselves are a stay or the ends of a gap.
  ///
  /// - Parameter fixes: all fixes, in order of time.
  /// - Complexity: O(n log s) for n fixes of s sources that overlap.
  init(between fixes: [DatedFix], rules: WhereaboutsRules) {
    let following = Self.following(fixes)
    var open = LegQueue()
    starts.reserveCapacity(fixes.count)
    ends.reserveCapacity(fixes.count)
    lengthsMeters.reserveCapacity(fixes.count)
    certainties.reserveCapacity(fixes.count)
    for index in fixes.indices.dropLast() {
      let end = Int(following[index])
      if end < fixes.count, Self.isLeg(fixes[index], fixes[end], rules: rules) {
        open.insert(
          LegQueue.Leg(
            milliseconds: fixes[end].time - fixes[index].time, start: UInt32(index),
            end: UInt32(end)))
      }
      if let leg = open.shortest(after: index) {
        append(Int(leg.start), Int(leg.end), fixes, rules, isLeg: true)
      } else {
        append(index, index + 1, fixes, rules, isLeg: false)
      }
    }
  }

  /// For each fix, the number of the next one of its source; the number of fixes if there is none.
  private static func following(_ fixes: [DatedFix]) -> [UInt32] {
    var following = [UInt32](repeating: UInt32(fixes.count), count: fixes.count)
    let sources = fixes.reduce(0) { max($0, Int($1.source) + 1) }
    var lasts = [Int](repeating: -1, count: sources)
    for (index, fix) in fixes.enumerated() {
      let source = Int(fix.source)
      if lasts[source] >= 0 { following[lasts[source]] = UInt32(index) }
      lasts[source] = index
    }
    return following
  }

  /// Returns true if a track leads from a fix to the next one of its source.
  private static func isLeg(_ start: DatedFix, _ end: DatedFix, rules: WhereaboutsRules) -> Bool {
    if isFlight(start, end) { return true }
    return start.segment == end.segment && end.time - start.time <= rules.longestLegMilliseconds
  }

  private static func isFlight(_ start: DatedFix, _ end: DatedFix) -> Bool {
    end.endsFlightLeg && end.source == start.source && end.order == start.order + 1
  }

  private mutating func append(
    _ start: Int, _ end: Int, _ fixes: [DatedFix], _ rules: WhereaboutsRules, isLeg: Bool
  ) {
    let (first, last) = (fixes[start], fixes[end])
    let meters = first.coordinate.distanceMeters(to: last.coordinate)
    let milliseconds = last.time - first.time
    let isShort =
      first.source == last.source || milliseconds <= WhereaboutsRules.longestPauseMilliseconds
    starts.append(UInt32(start))
    ends.append(UInt32(end))
    lengthsMeters.append(Float(meters))
    if isLeg, Self.isFlight(first, last) {
      certainties.append(.flight)
    } else if isLeg || isShort, rules.isStay(meters: meters, milliseconds: milliseconds),
      first.segment == last.segment || !rules.mayHide(first.coordinate, last.coordinate)
    {
      certainties.append(.visit)
    } else {
      let isTravel = isLeg && GroundStep.isPossible(meters: meters, milliseconds: milliseconds)
      certainties.append(isTravel ? .moving : .gap)
    }
  }
}
