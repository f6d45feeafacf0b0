import GeoStore
import Geocode
import Geodesy

extension Place {
  /// The place's object of the contract, with the coordinate that was asked for.
  public func json(at coordinate: Coordinate) -> JSONValue {
    [
      "latitude": .number(coordinate.latitudeDegrees),
      "longitude": .number(coordinate.longitudeDegrees),
      "countryCode": .string(countryCode),
      "country": .string(country),
      "region": .string(region),
      "district": .string(district),
      "city": .string(city),
      "cityDistanceMeters": .number(cityDistanceMeters),
      "timeZone": .string(timeZone),
    ]
  }
}

extension PlaceNames {
  /// The names that a visited region carries of a place.
  init(_ place: Place) {
    self.init(
      countryCode: place.countryCode, country: place.country, region: place.region,
      district: place.district, city: place.city)
  }
}
