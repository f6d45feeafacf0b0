import GeoStore

extension PlaceVisit {
  /// The place as a JSON object: names down to the level, `visited`, `staySeconds`, counts and
  /// times; by the local clock also days.
  package func json(
    _ level: PlaceLevel, clock: StatisticsQuery.Clock = .utc
  ) -> JSONValue {
    .object(
      place.jsonMembers(level) + [
        .init("visited", .bool(isVisited)),
        .init("staySeconds", .number(staySeconds)),
      ] + visitMembers(clock))
  }
}
