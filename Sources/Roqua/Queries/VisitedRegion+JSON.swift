import GeoStore

extension VisitedRegion {
  /// The region as a JSON object; `distanceMeters` is null if no distance was asked for.
  func json(distanceMeters: Double?) -> JSONValue {
    [
      "id": .integer(id),
      "latitude": .number(coordinate.latitudeDegrees),
      "longitude": .number(coordinate.longitudeDegrees),
      "radius": .integer(radiusMeters),
      "distanceMeters": .number(distanceMeters),
      "visitCount": .integer(visitCount),
      "timestampStart": .string(timestampStart?.iso8601),
      "timestampEnd": .string(timestampEnd?.iso8601),
      "quarter": .string(place.quarter),
      "city": .string(place.city),
      "district": .string(place.district),
      "region": .string(place.region),
      "regionCode": .string(place.regionCode),
      "country": .string(place.country),
      "countryCode": .string(place.countryCode),
      "geohash": .string(geohash),
    ]
  }

  /// The region as a JSON object.
  package var json: JSONValue { json(distanceMeters: nil) }
}

extension RegionMatch {
  /// The region as a JSON object, with its distance.
  package var json: JSONValue { region.json(distanceMeters: distanceMeters) }
}
