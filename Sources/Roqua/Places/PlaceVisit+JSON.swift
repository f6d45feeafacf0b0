import GeoStore

extension PlaceVisit {
  /// The place as a JSON object: names down to the level, `visited`, `staySeconds`, counts and
  /// dates.
  package func json(_ level: PlaceLevel) -> JSONValue {
    var members = place.jsonMembers(level)
    members += [
      .init("visited", .bool(isVisited)),
      .init("staySeconds", .number(staySeconds)),
      .init("visitedRegions", .integer(visitedRegions)),
      .init("visits", .integer(visits)),
      .init("firstTime", .string(firstTime?.iso8601)),
      .init("lastTime", .string(lastTime?.iso8601)),
    ]
    return .object(members)
  }
}
