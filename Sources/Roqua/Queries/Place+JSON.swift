import Geocode
import Geodesy

extension Place {
  /// The place as a JSON object, with the coordinate that was looked up.
  package func json(at coordinate: Coordinate) -> JSONValue {
    [
      "latitude": .number(coordinate.latitudeDegrees),
      "longitude": .number(coordinate.longitudeDegrees),
      "countryCode": .string(countryCode),
      "countryCodeAlpha3": .string(countryCodeAlpha3),
      "country": .string(country),
      "continent": .string(continent),
      "regionCode": .string(regionCode),
      "region": .string(region),
      "regionLocalName": .string(regionLocalName),
      "district": .string(district),
      "city": .string(city),
      "localName": .string(localName),
      "cityDistanceMeters": .number(cityDistanceMeters),
      "quarter": .string(quarter),
      "timeZone": .string(timeZone),
      "sea": .string(sea),
    ]
  }
}
