import Geocode
import Geodesy

/// The rules for places, applied by a scan of all places in a country with distances on the
/// ellipsoid. It shares nothing with the search: neither order, metric nor discs.
struct PlaceScan {
  struct Answer {
    /// The place whose disc covers the point with the smallest distance ÷ radius, excluding parts
    /// of cities.
    var disc: (place: Int, ratio: Double)?
    /// The nearest place that is not part of a city, in meters.
    var nearestCity: (place: Int, meters: Double)?
    /// The nearest place of any kind.
    var nearest: (place: Int, meters: Double)?
  }

  struct Entry {
    let place: Int
    let coordinate: Coordinate
    let radiusMeters: Double
    let isPartOfCity: Bool
  }

  private(set) var byCountry: [CountryIndex: [Entry]] = [:]
  private(set) var entries: [Int: Entry] = [:]

  init(_ geocoder: Geocoder) {
    for place in 0..<geocoder.cityCount {
      guard let city = geocoder.city(place), let country = geocoder.country(of: city),
        let coordinate = geocoder.coordinate(of: city)
      else { continue }
      // The documented radius: √(population ÷ 5000π) km, at most 25 km.
      let kilometers = (Double(geocoder.population(of: city)) / (5_000 * Double.pi)).squareRoot()
      let entry = Entry(
        place: place, coordinate: coordinate, radiusMeters: min(kilometers, 25) * 1_000,
        isPartOfCity: geocoder.isPartOfCity(city))
      byCountry[country, default: []].append(entry)
      entries[place] = entry
    }
  }

  /// Returns the expected places for a point in a country.
  func answer(at point: Coordinate, in country: CountryIndex) -> Answer {
    var answer = Answer()
    for entry in byCountry[country] ?? [] {
      // 0.5° of latitude is more than 55 km, beyond any reach.
      guard abs(entry.coordinate.latitudeE7 - point.latitudeE7) < 5_000_000 else { continue }
      let meters = point.distanceMeters(to: entry.coordinate)
      if meters < answer.nearest?.meters ?? .infinity { answer.nearest = (entry.place, meters) }
      if entry.isPartOfCity { continue }
      if meters < answer.nearestCity?.meters ?? .infinity {
        answer.nearestCity = (entry.place, meters)
      }
      guard entry.radiusMeters > 0, meters <= entry.radiusMeters else { continue }
      let ratio = meters / entry.radiusMeters
      if ratio < answer.disc?.ratio ?? .infinity { answer.disc = (entry.place, ratio) }
    }
    return answer
  }
}
