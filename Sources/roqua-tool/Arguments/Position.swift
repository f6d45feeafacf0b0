import ArgumentParser
import Geodesy

/// `LAT LON` on the command line.
struct Position: ParsableArguments {
  @Argument(help: "Latitude in degrees, -90 to 90; south is negative.")
  var latitude: Degrees

  @Argument(help: "Longitude in degrees, -180 to 180; west is negative.")
  var longitude: Degrees

  func validate() throws { try Self.check(latitude: latitude, longitude: longitude) }

  /// - Throws: `ValidationError` for an angle out of range.
  static func check(latitude: Degrees, longitude: Degrees) throws {
    guard abs(latitude.value) <= 90 else {
      throw ValidationError(
        "The latitude must be between -90 and 90 (it comes before the longitude).")
    }
    guard abs(longitude.value) <= 180 else {
      throw ValidationError("The longitude must be between -180 and 180.")
    }
  }

  /// The coordinate; never throws after ``validate()``.
  func coordinate() throws -> Coordinate {
    try Coordinate(latitudeDegrees: latitude.value, longitudeDegrees: longitude.value)
  }
}
