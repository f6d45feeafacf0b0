import GeoStore

extension Statistics {
  /// The document that `roqua stats --json` prints. Each requested breakdown is a list under its
  /// name in `breakdowns`.
  ///
  /// - Parameter top: the largest number of entries in each of these lists; nil for all.
  package func json(top: Int? = nil) -> JSONValue {
    var members = totals.jsonMembers
    members += [
      .init("visitedRegions", .integer(counts.visitedRegions)),
      .init("visits", .integer(counts.visits)),
      .init("keptFixes", .integer(counts.keptFixes)),
      .init("flights", flights?.json ?? .null),
      .init("sources", .integer(counts.sources)),
      .init("cellSources", query.isRestricted ? .null : .integer(counts.cellSources)),
      .init("countries", .integer(counts.countries)),
      .init("regions", .integer(counts.regions)),
      .init("cities", .integer(counts.cities)),
    ]
    members += query.jsonMembers(placeShare)
    let asked = Breakdown.allCases.compactMap { breakdown -> JSONValue.Member? in
      if let rows = places[breakdown]?.prefix(top ?? .max) {
        return .init(
          breakdown.rawValue, .array(rows.map { $0.json(breakdown, clock: query.clock) }))
      }
      return periods[breakdown].map {
        .init(breakdown.rawValue, .array(PeriodShare.largest(top, of: $0).map(\.json)))
      }
    }
    if !asked.isEmpty { members.append(.init("breakdowns", .object(asked))) }
    return .object(members)
  }
}

extension FlightTotals {
  /// The totals as a JSON object.
  var json: JSONValue {
    [
      "count": .integer(count), "keptFixes": .integer(keptFixes),
      "distanceKilometers": .number(distanceKilometers),
    ]
  }
}

extension StatisticsQuery {
  /// The JSON members that repeat a restriction: `place` with its own totals, `from`, `to` and
  /// `timeZone`, each only if it was asked for.
  func jsonMembers(_ share: GroundShare?) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if let place, let share {
      members.append(
        .init(
          "place",
          [
            "name": .string(place.label),
            "totalLandAreaSquareKilometers": .number(share.totalLandAreaSquareKilometers),
            "landAreaSquareKilometers": .number(share.ground.landAreaSquareKilometers),
            "percentage": .number(share.percentage),
          ]))
    }
    if let times {
      members += [
        .init("from", Self.bound(times.lowerBound)), .init("to", Self.bound(times.upperBound)),
      ]
    }
    if clock == .local { members.append(.init("timeZone", "local")) }
    return members
  }

  /// A time; null for the end of all times.
  private static func bound(_ time: Timestamp) -> JSONValue {
    let all = Timestamp.writable
    return time == all.lowerBound || time == all.upperBound ? .null : .string(time.iso8601)
  }
}

extension PeriodShare {
  /// The periods with the largest newly explored areas, the largest first; all in their order if
  /// `count` is nil.
  package static func largest(_ count: Int?, of shares: [PeriodShare]) -> [PeriodShare] {
    guard let count else { return shares }
    let ordered = shares.enumerated().sorted { left, right in
      let (one, other) = (
        left.element.newAreaSquareKilometers, right.element.newAreaSquareKilometers
      )
      return one == other ? left.offset < right.offset : one > other
    }
    return ordered.prefix(count).map(\.element)
  }
}

extension CoverageTotals {
  /// The JSON members: each number comes before its percentage, and the denominators follow.
  var jsonMembers: [JSONValue.Member] {
    [
      .init("cells", .integer(cells)),
      .init("areaSquareKilometers", .number(areaSquareKilometers)),
      .init("worldPercentage", .number(worldPercentage)),
      .init("landAreaSquareKilometers", .number(landAreaSquareKilometers)),
      .init("landPercentage", .number(landPercentage)),
      .init("cellPercentage", .number(cellPercentage)),
      .init("worldAreaSquareKilometers", .number(areaOfEarthSquareKilometers)),
      .init("worldLandAreaSquareKilometers", .number(landAreaOfEarthSquareKilometers)),
      .init("worldCells", .integer(allCells)),
    ]
  }
}

extension GroundShare {
  /// The JSON members of the share, with the names for a breakdown.
  func jsonMembers(_ breakdown: Breakdown) -> [JSONValue.Member] {
    var members = place.jsonMembers(breakdown.placeLevel ?? .region)
    members += [
      .init("cells", .integer(ground.cells)),
      .init("areaSquareKilometers", .number(ground.areaSquareKilometers)),
      .init("worldPercentage", .number(worldPercentage)),
      .init("landAreaSquareKilometers", .number(ground.landAreaSquareKilometers)),
      .init("totalLandAreaSquareKilometers", .number(totalLandAreaSquareKilometers)),
      .init("percentage", .number(percentage)),
    ]
    return members
  }
}

extension PlaceShare {
  fileprivate func json(_ breakdown: Breakdown, clock: StatisticsQuery.Clock) -> JSONValue {
    .object(share.jsonMembers(breakdown) + visitMembers(clock))
  }
}

extension PeriodShare {
  /// The share as a JSON object.
  var json: JSONValue {
    [
      "period": .string(period),
      "newCells": .integer(newCells),
      "newAreaSquareKilometers": .number(newAreaSquareKilometers),
    ]
  }
}
