import Geodesy

extension Geocoder {
  /// The time zone at a position; nil at sea beyond territorial waters and where there is none.
  ///
  /// - Complexity: the same as ``countryIndex(at:)``. No allocation.
  package func timeZoneIndex(at coordinate: Coordinate) -> TimeZoneIndex? {
    let zone = gazetteer.boundaries.label(at: coordinate)
    return zone == 0 ? nil : TimeZoneIndex(rawValue: zone)
  }
}
