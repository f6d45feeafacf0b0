import Geodesy

extension Geocoder {
  /// The IANA name of the time zone at a position, such as "Europe/Istanbul": at sea beyond
  /// territorial waters the nautical one, such as "Etc/GMT+3"; nil on land where there is none.
  ///
  /// ```swift
  /// let zone = geocoder.timeZone(at: here).flatMap { TimeZone(identifier: $0) }
  /// ```
  ///
  /// - Complexity: the same as ``countryIndex(at:)``. No allocation once the table of
  ///   names is made, by the 65th answer in words.
  public func timeZone(at coordinate: Coordinate) -> String? {
    let zone = gazetteer.boundaries.label(at: coordinate)
    if let name = gazetteer.names.zone(zone, gazetteer) { return name }
    return isLand(at: coordinate) ? nil : NauticalZone(at: coordinate).identifier
  }

  /// The time zone at a position; nil at sea beyond territorial waters and where there is none.
  ///
  /// - Complexity: the same as ``countryIndex(at:)``. No allocation.
  package func timeZoneIndex(at coordinate: Coordinate) -> TimeZoneIndex? {
    let zone = gazetteer.boundaries.label(at: coordinate)
    return zone == 0 ? nil : TimeZoneIndex(rawValue: zone)
  }
}
