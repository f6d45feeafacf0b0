import GeoExport
import GeoStore
import Geodesy

extension ExportFeature {
  /// Appends a text, or null.
  mutating func append(_ text: String?) { values.append(text.map(ExportValue.text) ?? .null) }

  /// Appends a whole number.
  mutating func append(_ number: Int64) { values.append(.integer(number)) }

  /// Appends a whole number.
  mutating func append(_ number: Int) { values.append(.integer(Int64(number))) }

  /// Appends a number, or null; also null for one that is not finite.
  mutating func append(_ number: Double?) {
    values.append(number.flatMap { $0.isFinite ? .real($0) : nil } ?? .null)
  }

  /// Appends a time, or null; also null for one outside the years 0 to 9999.
  mutating func append(_ time: Timestamp?) {
    values.append(
      time.flatMap {
        Timestamp.writable.contains($0) ? .time($0.millisecondsSince1970) : nil
      } ?? .null)
  }

  /// Appends the names of a place, one for each of the columns that places have.
  mutating func append(_ place: PlaceNames) {
    append(place.city)
    append(place.quarter)
    append(place.district)
    append(place.region)
    append(place.regionCode)
    append(place.country)
    append(place.countryCode)
  }

  /// Sets the geometry to a point.
  mutating func setPoint(_ coordinate: Coordinate) {
    geometry.append(x: coordinate.longitudeDegrees, y: coordinate.latitudeDegrees)
  }
}

extension Double {
  /// Degrees rounded to 9 digits after the point (0.1 mm), the most that formats of text have: so
  /// positions are the same in all formats.
  var roundedForExport: Double { (self * 1e9).rounded() / 1e9 }
}
