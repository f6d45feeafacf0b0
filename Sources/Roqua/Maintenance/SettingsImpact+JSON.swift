import GeoStore

extension SettingsImpact {
  /// The members that `roqua settings --json` prints about a change, after its values.
  package var jsonMembers: [JSONValue.Member] {
    [
      .init(
        "affected",
        .array(DerivedData.allCases.filter(affected.contains).map { .string($0.rawValue) })),
      .init("sources", .integer(sources)), .init("keptFixes", .integer(keptFixes)),
      .init("fixesInFlight", fixesInFlight.map { .integer($0) } ?? .null),
      .init("sizeBefore", sizeBefore?.json ?? .null),
      .init("sizeAfter", sizeAfter?.json ?? .null),
      .init("filterLimits", .array(filterLimits.map(\.json))),
    ]
  }
}

extension SettingsImpact.FilterLimit {
  fileprivate var json: JSONValue {
    [
      "key": .string(key.rawValue), "looser": .bool(isLooser), "stricter": .bool(isStricter),
      "dropped": .integer(dropped),
    ]
  }
}
