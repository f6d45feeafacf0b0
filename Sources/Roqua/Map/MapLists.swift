import FogMap
import Foundation
import GeoStore
import Geodesy

/// The lists of a map: countries, regions and cities with what was explored of them.
struct MapLists {
  let places: MapPlaces
  let names: PlaceTranslator

  /// A list as JSON: places by descending explored area, then those that were only visited.
  ///
  /// - Parameter shares: the explored area by place.
  func json(_ level: PlaceLevel, _ shares: [GroundShare]) -> JSONValue {
    let entries = places.entries[level] ?? [:]
    let known = Set(shares.map(\.place))
    let others = entries.keys.filter { !known.contains($0) }
      .sorted { $0.order.lexicographicallyPrecedes($1.order) }
      .map { GroundShare(place: $0, ground: ExploredGround(), totalLandAreaSquareKilometers: nil) }
    return .array((shares + others).compactMap { json(level, $0, entries[$0.place]) })
  }

  /// A place; nil for ground without a name at this level.
  private func json(
    _ level: PlaceLevel, _ share: GroundShare, _ entry: MapPlaces.Entry?
  ) -> JSONValue? {
    let place = names.translated(share.place)
    guard let name = Self.name(of: place, level) else { return nil }
    func day(_ minute: Int?) -> JSONValue {
      .integer(minute.map { Int((Double($0) / 1_440).rounded(.down)) + PageCells.dayOf1970 })
    }
    return .object([
      .init("name", .string(name)), .init("within", .string(Self.surroundings(place, level))),
      .init("area", .number(Self.rounded(share.ground.areaSquareKilometers))),
      .init("percentage", .number(share.percentage.map { Self.rounded($0) })),
      .init("visitedRegions", .integer(entry?.visitedRegions ?? 0)),
      .init("visits", .integer(entry?.visits ?? 0)),
      .init("firstDay", day(entry?.firstMinute)), .init("lastDay", day(entry?.lastMinute)),
      .init("box", entry?.bounds.map { .array($0.degrees.map { .number($0) }) } ?? .null),
    ])
  }

  /// Six significant digits: more than is shown.
  private static func rounded(_ value: Double) -> Double {
    guard value > 0 else { return 0 }
    let digits = 5 - Int(log10(value).rounded(.down))
    let factor = pow(10, Double(digits))
    let rounded = (value * factor).rounded() / factor
    // Less than 100 % is never shown as 100.
    return rounded == 100 && value < 100 ? 99.9999 : rounded
  }

  /// The name of a place at a level; nil if it has none.
  static func name(of place: PlaceNames, _ level: PlaceLevel) -> String? {
    switch level {
    case .country: place.country
    case .region: place.region
    case .city: place.city
    }
  }

  /// What the place lies in: `Bavaria, Germany`.
  static func surroundings(_ place: PlaceNames, _ level: PlaceLevel) -> String {
    let names: [String?] =
      switch level {
      case .country: []
      case .region: [place.country]
      case .city: [place.region, place.country]
      }
    return names.compactMap { $0 }.joined(separator: ", ")
  }

  /// The places of visited regions, each a name and its surroundings.
  var regionPlaces: JSONValue {
    .array(
      places.names.lazy.map(names.translated).map { place in
        let levels: [PlaceLevel] = [.city, .region, .country]
        guard let level = levels.first(where: { Self.name(of: place, $0) != nil }) else {
          return .array([.string("At sea or in no country"), .string("")])
        }
        return .array([
          .string(Self.name(of: place, level)), .string(Self.surroundings(place, level)),
        ])
      })
  }
}
