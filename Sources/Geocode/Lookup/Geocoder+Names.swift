import Geodesy

extension Geocoder {
  /// The place at a position, with the country's name in English.
  public func place(at coordinate: Coordinate) -> Place {
    let land = gazetteer.land
    land.prefetchEntry(at: CellPoint(coordinate, level: land.level))
    return names(of: codes(at: coordinate), at: coordinate)
  }

  /// The names for these codes, with the country's name in English.
  ///
  /// - Parameters:
  ///   - codes: the codes of a place.
  ///   - coordinate: if given, the point from which the distance to the city is measured. Without
  ///     it, the place has no ``Place/sea`` and no nautical time zone.
  public func names(of codes: PlaceCodes, at coordinate: Coordinate? = nil) -> Place {
    let places = gazetteer.places
    var position = PlacePosition()
    let city = places.index(codes.city)
    if let city { places.prefetchName(of: city) }
    if let coordinate {
      if let city,
        let center = places.coordinate(of: city, nearRow: SearchStart(coordinate).row)
      {
        position.cityDistanceMeters = Self.distanceMeters(from: coordinate, toCity: center)
      }
      if let waters = waters(at: coordinate) { add(waters, to: &position) }
    }
    return gazetteer.names.place(of: codes, position, gazetteer)
  }

  /// The distance to a city's center, with one sine and one cosine up to 20 km.
  package static func distanceMeters(from here: Coordinate, toCity center: Coordinate) -> Double {
    let near = NearbyDistance(center: here)
    let up = abs(Int64(center.latitudeE7) - Int64(here.latitudeE7))
    guard up <= 1_700_000, near.reaches(20_000) else { return here.distanceMeters(to: center) }
    let meters = near.meters(
      squaredChord: near.squaredChord(
        latitudeE7: center.latitudeE7, longitudeE7: center.longitudeE7))
    return meters <= 20_000 ? meters : here.distanceMeters(to: center)
  }

  /// The English name of a country; nil if the code is not in use.
  public func name(of country: CountryIndex) -> String? {
    let places = gazetteer.places
    return places.countryRow(country.rawValue).flatMap(places.countryName(inRow:))
  }

  /// The IANA name of a time zone.
  package func name(of zone: TimeZoneIndex) -> String? {
    gazetteer.names.zone(zone.rawValue, gazetteer)
  }

  /// The name of a first-level division; nil if the data have none.
  package func name(of region: RegionIndex) -> String? {
    Int(region.rawValue) < gazetteer.places.admin1Count
      ? gazetteer.places.admin1Name(region.rawValue) : nil
  }

  /// The country of a first-level division.
  package func country(of region: RegionIndex) -> CountryIndex? {
    guard Int(region.rawValue) < gazetteer.places.admin1Count else { return nil }
    return CountryIndex(rawValue: gazetteer.places.admin1Country(region.rawValue))
  }

  /// The name of a second-level division.
  package func name(of district: DistrictIndex) -> String? {
    gazetteer.places.name(of: district)
  }
}
