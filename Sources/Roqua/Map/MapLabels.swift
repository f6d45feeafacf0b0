import FogMap
import Foundation
import Geocode
import Geodesy

/// The names on a map: countries, first-level divisions and cities.
struct MapLabels {
  /// The population from which on a city is named on every map. Smaller ones are named where a
  /// region of theirs was visited. About 11 000 cities.
  static let leastPopulation = 50_000

  private let geocoder: Geocoder
  private let names: PlaceTranslator

  init(_ geocoder: Geocoder, in names: PlaceTranslator) {
    (self.geocoder, self.names) = (geocoder, names)
  }

  /// The names as a JSON object: columns, with positions in steps of 0.001 degree, each relative to
  /// the one before.
  func json(visited: Set<CityIndex>) -> JSONValue {
    ["countries": countries(), "regions": regions(), "cities": cities(visited: visited)]
  }

  /// Collects columns of names.
  private struct Columns {
    var names: [JSONValue] = []
    var longitudes: [JSONValue] = []
    var latitudes: [JSONValue] = []
    var ranks: [JSONValue] = []
    private var last = (longitude: 0, latitude: 0)

    mutating func add(_ name: String, latitude: Double, longitude: Double, rank: Double) {
      let next = (Int((longitude * 1_000).rounded()), Int((latitude * 1_000).rounded()))
      names.append(.string(name))
      longitudes.append(.integer(next.0 - last.longitude))
      latitudes.append(.integer(next.1 - last.latitude))
      ranks.append(.number((rank * 10).rounded() / 10))
      last = next
    }

    func json(_ rank: String) -> JSONValue {
      .object([
        .init("names", .array(names)), .init("longitudes", .array(longitudes)),
        .init("latitudes", .array(latitudes)), .init(rank, .array(ranks)),
      ])
    }
  }

  private func countries() -> JSONValue {
    var columns = Columns()
    for label in BaseMap.linkedIn.labels {
      guard let code = label.countryCode, let country = CountryIndex(code: code),
        let name = names.name(of: country)
      else { continue }
      columns.add(
        name, latitude: label.latitudeDegrees, longitude: label.longitudeDegrees,
        rank: label.lowestZoom)
    }
    return columns.json("zooms")
  }

  /// Each division once, where it has most room.
  private func regions() -> JSONValue {
    var columns = Columns()
    var seen: Set<RegionIndex> = []
    for label in BaseMap.linkedIn.labels where label.countryCode == nil {
      guard
        let place = try? Coordinate(
          latitudeDegrees: label.latitudeDegrees, longitudeDegrees: label.longitudeDegrees),
        let region = geocoder.countryAndRegion(at: place).region, seen.insert(region).inserted,
        let name = names.name(of: region)
      else { continue }
      columns.add(
        name, latitude: label.latitudeDegrees, longitude: label.longitudeDegrees,
        rank: label.lowestZoom)
    }
    return columns.json("zooms")
  }

  /// Cities by descending population; `sizes` are tenths of its decimal logarithm.
  private func cities(visited: Set<CityIndex>) -> JSONValue {
    var found: [(city: CityIndex, population: Int)] = []
    for number in 0..<geocoder.cityCount {
      guard let city = geocoder.city(number), !geocoder.isPartOfCity(city) else { continue }
      let population = geocoder.population(of: city)
      if population >= Self.leastPopulation || visited.contains(city) {
        found.append((city, population))
      }
    }
    // In the order of the data, which is by position: differences are small then.
    var columns = Columns()
    for (city, population) in found {
      guard let name = names.name(of: city), let center = geocoder.coordinate(of: city) else {
        continue
      }
      columns.add(
        name, latitude: center.latitudeDegrees, longitude: center.longitudeDegrees,
        rank: (10 * log10(Double(max(population, 1)))).rounded())
    }
    return columns.json("sizes")
  }

}
