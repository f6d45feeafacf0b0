import GeoStore
import Geodesy

extension PlaceNames {
  /// The JSON members down to a level: `countryCode` and `country`, then `regionCode` and `region`,
  /// then `city`.
  func jsonMembers(_ level: PlaceLevel) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("countryCode", .string(countryCode)), .init("country", .string(country)),
    ]
    if level != .country {
      members += [.init("regionCode", .string(regionCode)), .init("region", .string(region))]
    }
    if level == .city { members.append(.init("city", .string(city))) }
    return members
  }
}
