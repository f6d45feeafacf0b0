import Geocode
import Geodesy

extension PositionEstimate {
  /// The members of a JSON object about the position at a time; null where nothing is known.
  package static func json(
    at time: Timestamp, _ estimate: PositionEstimate?, _ place: Place?
  ) -> [JSONValue.Member] {
    [
      .init("time", .string(time.iso8601)),
      .init("latitude", .number(estimate?.coordinate.latitudeDegrees)),
      .init("longitude", .number(estimate?.coordinate.longitudeDegrees)),
      .init("uncertaintyMeters", .number(estimate?.uncertaintyDecimeters)),
      .init("certainty", .string(estimate?.certainty.name)),
      .init("secondsFromFix", .number(estimate?.secondsToNearestFix)),
      .init("previous", estimate?.previous?.json ?? .null),
      .init("next", estimate?.next?.json ?? .null),
    ] + json(of: place)
  }

  /// The members about the place of the position.
  package static func json(of place: Place?) -> [JSONValue.Member] {
    [
      .init("countryCode", .string(place?.countryCode)),
      .init("country", .string(place?.country)),
      .init("regionCode", .string(place?.regionCode)),
      .init("region", .string(place?.region)),
      .init("district", .string(place?.district)),
      .init("city", .string(place?.city)),
      .init("quarter", .string(place?.quarter)),
      .init("timeZone", .string(place?.timeZone)),
      .init("sea", .string(place?.sea)),
    ]
  }

  /// The uncertainty in meters, rounded up to the decimeter.
  package var uncertaintyDecimeters: Double { (uncertaintyMeters * 10).rounded(.up) / 10 }
}

extension PositionEstimate.KnownPosition {
  /// The fix as a JSON object.
  package var json: JSONValue {
    [
      "time": .string(time.iso8601), "latitude": .number(coordinate.latitudeDegrees),
      "longitude": .number(coordinate.longitudeDegrees),
    ]
  }
}
