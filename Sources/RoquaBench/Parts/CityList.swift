import Geocode
import Geodesy

/// The rule for cities, by scanning all cities of a country: the city whose disc covers the point
/// with the smallest distance ÷ radius, otherwise the nearest within 50 km, or none.
struct CityList {
  private struct City {
    let index: CityIndex
    let coordinate: Coordinate
    let radiusMeters: Double
  }

  private let byCountry: [CountryIndex: [City]]

  init(_ geocoder: Geocoder) {
    var byCountry: [CountryIndex: [City]] = [:]
    for number in 0..<geocoder.cityCount {
      guard let index = geocoder.city(number), !geocoder.isPartOfCity(index),
        let country = geocoder.country(of: index), let coordinate = geocoder.coordinate(of: index)
      else { continue }
      byCountry[country, default: []].append(
        City(
          index: index, coordinate: coordinate,
          radiusMeters: geocoder.cityTerritoryRadiusMeters(of: index)))
    }
    self.byCountry = byCountry
  }

  /// The city of a point that lies in a country.
  func city(at point: Coordinate, in country: CountryIndex) -> CityIndex? {
    best(at: point, in: country)?.index
  }

  /// Returns true if a city follows the rule, or does so within a thousandth, since the geocoder
  /// uses an approximate local metric and two cities may be equally far.
  func accepts(_ found: CityIndex?, at point: Coordinate, in country: CountryIndex) -> Bool {
    let best = best(at: point, in: country)
    guard let best else { return found == nil }
    guard let found else { return !best.isInDisc && best.score > 49_950 }
    if found == best.index { return true }
    guard let city = byCountry[country]?.first(where: { $0.index == found }) else { return false }
    let meters = point.distanceMeters(to: city.coordinate)
    let score = best.isInDisc ? meters / city.radiusMeters : meters
    return score <= best.score * 1.001
  }

  private func best(
    at point: Coordinate, in country: CountryIndex
  ) -> (index: CityIndex, isInDisc: Bool, score: Double)? {
    var inDisc: (index: CityIndex, score: Double)?
    var nearest: (index: CityIndex, score: Double)?
    for city in byCountry[country] ?? [] {
      let meters = point.distanceMeters(to: city.coordinate)
      if meters < nearest?.score ?? 50_000 { nearest = (city.index, meters) }
      guard meters <= city.radiusMeters else { continue }
      if meters / city.radiusMeters < inDisc?.score ?? .infinity {
        inDisc = (city.index, meters / city.radiusMeters)
      }
    }
    if let inDisc { return (inDisc.index, true, inDisc.score) }
    return nearest.map { ($0.index, false, $0.score) }
  }
}
