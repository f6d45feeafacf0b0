import GeoStore
import Geodesy

/// A place with visited regions, in a list of places or in a breakdown.
protocol VisitedPlace {
  var visitedRegions: Int { get }
  var visits: Int { get }
  var firstTime: Timestamp? { get }
  var lastTime: Timestamp? { get }
  var firstDay: String? { get }
  var lastDay: String? { get }
}

extension PlaceVisit: VisitedPlace {}
extension PlaceShare: VisitedPlace {}

extension VisitedPlace {
  /// The JSON members of the visited regions: their number, visits and times; by the local clock
  /// also days.
  func visitMembers(_ clock: StatisticsQuery.Clock) -> [JSONValue.Member] {
    let members: [JSONValue.Member] = [
      .init("visitedRegions", .integer(visitedRegions)),
      .init("visits", .integer(visits)),
      .init("firstTime", .string(firstTime?.iso8601)),
      .init("lastTime", .string(lastTime?.iso8601)),
    ]
    guard clock == .local else { return members }
    return members + [.init("firstDay", .string(firstDay)), .init("lastDay", .string(lastDay))]
  }
}
