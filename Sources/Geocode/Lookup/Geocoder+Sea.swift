import Geodesy

/// The sea and the nautical time zone of a point at sea.
package struct Waters: Hashable, Sendable {
  /// A label of the seas, from 1; 0 if the data have no sea there.
  package let label: UInt16
  /// The time zone where no country's is known.
  package let nauticalZone: NauticalZone
}

extension Geocoder {
  /// The English name of the ocean, sea, gulf, strait or bay at a position, such as "Aegean Sea";
  /// nil on land and on lakes.
  ///
  /// - Complexity: the same as ``countryIndex(at:)``, twice.
  public func sea(at coordinate: Coordinate) -> String? {
    waters(at: coordinate).flatMap { gazetteer.seas?.name(ofLabel: $0.label) }
  }

  /// The sea and the nautical time zone of a position; nil on land.
  ///
  /// - Complexity: the same as ``sea(at:)``. No allocation after the first call.
  package func waters(at coordinate: Coordinate) -> Waters? {
    guard !isLand(at: coordinate) else { return nil }
    return Waters(
      label: gazetteer.seas?.partition.label(at: coordinate) ?? 0,
      nauticalZone: NauticalZone(at: coordinate))
  }

  /// Adds the sea and the nautical time zone to what is known of a position.
  func add(_ waters: Waters, to position: inout PlacePosition) {
    position.sea = gazetteer.seas?.name(ofLabel: waters.label)
    position.nauticalZone = waters.nauticalZone
  }

  /// Adds the sea to a place, and the nautical time zone if it has none.
  package func add(_ waters: Waters, to place: inout Place) {
    place.sea = gazetteer.seas?.name(ofLabel: waters.label)
    if place.timeZone == nil { place.timeZone = waters.nauticalZone.identifier }
  }
}
