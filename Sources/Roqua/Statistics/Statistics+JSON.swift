import GeoStore

extension Statistics {
  /// The document that `roqua stats --json` prints. Each requested breakdown is a list under its
  /// name in `breakdowns`.
  package var json: JSONValue {
    var members = totals.jsonMembers
    members += [
      .init("visitedRegions", .integer(counts.visitedRegions)),
      .init("visits", .integer(counts.visits)),
      .init("keptFixes", .integer(counts.keptFixes)),
      .init("sources", .integer(counts.sources)),
      .init("cellSources", .integer(counts.cellSources)),
      .init("countries", .integer(counts.countries)),
      .init("regions", .integer(counts.regions)),
      .init("cities", .integer(counts.cities)),
    ]
    let asked = Breakdown.allCases.compactMap { breakdown -> JSONValue.Member? in
      if let rows = places[breakdown] {
        return .init(breakdown.rawValue, .array(rows.map { $0.json(breakdown) }))
      }
      return periods[breakdown].map { .init(breakdown.rawValue, .array($0.map(\.json))) }
    }
    if !asked.isEmpty { members.append(.init("breakdowns", .object(asked))) }
    return .object(members)
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
  fileprivate func json(_ breakdown: Breakdown) -> JSONValue {
    .object(
      share.jsonMembers(breakdown) + [
        .init("visitedRegions", .integer(visitedRegions)),
        .init("visits", .integer(visits)),
        .init("firstTime", .string(firstTime?.iso8601)),
        .init("lastTime", .string(lastTime?.iso8601)),
      ])
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
