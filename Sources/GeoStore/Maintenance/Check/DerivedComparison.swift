import Geodesy
import SQLiteLayer

/// Compares a store's derived data with the data rebuilt from its sources.
///
/// A region is identified by its number, which encodes its center.
struct DerivedComparison {
  let stored: Connection
  let expected: Connection

  /// Compares regions, visits and place names.
  ///
  /// - Complexity: O(regions).
  func compareRegions(
    _ step: inout StoreCheck.Step, visits: inout StoreCheck.Step, places: inout StoreCheck.Step
  ) throws(DatabaseError) {
    let (own, other) = (try ComparedRegions(stored), try ComparedRegions(expected))
    let meter = WorkMeter.current
    meter?.begin(
      .checking(StoreCheck.Subject.regions.rawValue),
      of: Int(try expected.integer("SELECT count(*) FROM regions") ?? 0))
    try own.advance(noting: &step)
    try other.advance(noting: &step)
    while own.next != nil || other.next != nil {
      if other.next != nil, !own.precedes(other) { meter?.add(1) }
      if own.precedes(other) {
        if let region = own.next?.region {
          step.add("\(Self.name(region)): no source accounts for it", isMendable: true)
        }
        step.count += 1
        try own.advance(noting: &step)
      } else if other.precedes(own) {
        if let region = other.next?.region {
          step.add("\(Self.name(region)) is missing", isMendable: true)
        }
        try other.advance(noting: &step)
      } else {
        if let row = own.next, let region = row.region, let otherRow = other.next,
          let should = otherRow.region
        {
          // Few regions differ, and finding the differences takes longer than this comparison.
          let isSame =
            region == should && row.madeBy == otherRow.madeBy
            && row.changedBy == otherRow.changedBy
          let differences =
            isSame ? [] : Self.differences(region, should) + Self.differences(row, otherRow)
          for difference in differences {
            step.add("\(Self.name(region)): \(difference)", isMendable: true)
          }
          if !places.isSkipped {
            for difference in isSame ? [] : Self.differences(region.place, should.place) {
              places.add("\(Self.name(region)): \(difference)", isMendable: true)
            }
            places.count += 1
          }
          try compareVisits(of: region, own, other, &visits)
        }
        step.count += 1
        try own.advance(noting: &step)
        try other.advance(noting: &step)
      }
    }
    try compareAdoptedTimes(&step)
    try findUnusedPlaces(&places, used: own.places)
  }

  /// Compares the creation and change times of adopted regions.
  private func compareAdoptedTimes(_ step: inout StoreCheck.Step) throws(DatabaseError) {
    func times(_ connection: Connection) throws(DatabaseError) -> [Int64: String] {
      let select = try Statement(
        "SELECT region_id, quote(created_at) || ' and ' || quote(updated_at) FROM adopted_times",
        on: connection)
      var times: [Int64: String] = [:]
      while try select.step() { times[select.int64(at: 0)] = select.text(at: 1) }
      return times
    }
    let (own, other) = (try times(stored), try times(expected))
    for id in Set(own.keys).union(other.keys).sorted() where own[id] != other[id] {
      step.add(
        "adopted_times, region \(id): \(own[id] ?? "missing"), should be "
          + (other[id] ?? "missing"), isMendable: true)
    }
  }

  /// Records names that no region has: left over from removed regions, or added by another program.
  private func findUnusedPlaces(
    _ step: inout StoreCheck.Step, used: Set<Int64>
  ) throws(DatabaseError) {
    guard !step.isSkipped else { return }
    let select = try Statement("SELECT id FROM places ORDER BY id", on: stored)
    while try select.step() {
      let id = select.int64(at: 0)
      if !used.contains(id) { step.add("places, row \(id): no region uses it", isMendable: true) }
    }
  }

  private func compareVisits(
    of region: VisitedRegion, _ own: ComparedRegions, _ other: ComparedRegions,
    _ step: inout StoreCheck.Step
  ) throws(DatabaseError) {
    let damageBefore = step.differenceCount
    let found = try own.visits(of: region, noting: &step)
    let should = try other.visits(of: region, noting: &step)
    if found != should, step.differenceCount == damageBefore {
      step.add(
        "\(Self.name(region)): \(Self.list(found)), should be \(Self.list(should))",
        isMendable: true)
    }
    let (stated, shouldBeStated) = (
      try own.statedVisits(of: region.id), try other.statedVisits(of: region.id)
    )
    if stated != shouldBeStated {
      step.add(
        "\(Self.name(region)): \(Self.list(stated: stated)) stated, should be "
          + "\(Self.list(stated: shouldBeStated))",
        isMendable: true)
    }
    step.count += region.timestampStart == nil ? 0 : max(1, found.count)
  }

  private static func name(_ region: VisitedRegion) -> String {
    "region at \(region.coordinate.latitudeDegrees), \(region.coordinate.longitudeDegrees) "
      + "(\(region.id))"
  }

  /// Returns the differences between two regions with the same number, except their names.
  private static func differences(_ own: VisitedRegion, _ other: VisitedRegion) -> [String] {
    func compare<T: Equatable>(
      _ name: String, _ value: (VisitedRegion) -> T?, _ text: (T) -> String
    ) -> String? {
      let (found, should) = (value(own), value(other))
      guard found != should else { return nil }
      return "\(name) is \(found.map(text) ?? "NULL"), should be \(should.map(text) ?? "NULL")"
    }
    return [
      compare("latitude", \.coordinate.latitudeE7) { "\(Double($0) / 1e7)" },
      compare("longitude", \.coordinate.longitudeE7) { "\(Double($0) / 1e7)" },
      compare("radius", \.radiusMeters) { "\($0)" },
      compare("timestamp_start", \.timestampStart, \.iso8601),
      compare("timestamp_end", \.timestampEnd, \.iso8601),
      compare("visit_count", \.visitCount) { "\($0)" },
      compare("accuracy", \.accuracyMeters) { "\($0)" },
    ].compactMap { $0 }
  }

  /// Returns the differences between the sources in the rows of two regions.
  private static func differences(
    _ own: ComparedRegions.Row, _ other: ComparedRegions.Row
  ) -> [String] {
    func compare(_ name: String, _ source: KeyPath<ComparedRegions.Row, Int64>) -> String? {
      let (found, should) = (own[keyPath: source], other[keyPath: source])
      return found == should ? nil : "\(name) is \(found), should be \(should)"
    }
    return [compare("made_by", \.madeBy), compare("changed_by", \.changedBy)].compactMap { $0 }
  }

  /// Returns the differences between the names of two places.
  private static func differences(_ own: PlaceNames, _ other: PlaceNames) -> [String] {
    func compare(_ name: String, _ path: KeyPath<PlaceNames, String?>) -> String? {
      let (found, should) = (own[keyPath: path], other[keyPath: path])
      return found == should ? nil : "\(name) is \(found ?? "NULL"), should be \(should ?? "NULL")"
    }
    return [
      compare("country_code", \.countryCode), compare("country", \.country),
      compare("region_code", \.regionCode), compare("region", \.region),
      compare("district", \.district), compare("city", \.city), compare("quarter", \.quarter),
    ].compactMap { $0 }
  }

  private static func list(_ visits: [Visit]) -> String {
    guard let last = visits.last else { return "no visit" }
    let text = visits.prefix(3).map { "\($0.start.iso8601)–\($0.end.iso8601)" }.joined(
      separator: ", ")
    return visits.count <= 3 ? text : "\(text) … \(last.end.iso8601) (\(visits.count) visits)"
  }

  private static func list(stated visits: [String]) -> String {
    let text = visits.isEmpty ? "no visits" : visits.prefix(3).joined(separator: ", ")
    return visits.count <= 3 ? text : "\(text) … (\(visits.count) rows)"
  }
}
