/// What an answer says of a position, besides the names of its codes.
struct PlacePosition {
  /// The distance to the center of the city.
  var cityDistanceMeters: Double?
  /// The name of the sea; nil on land.
  var sea: String?
  /// The time zone where no country's is known; nil on land.
  var nauticalZone: NauticalZone?
}
