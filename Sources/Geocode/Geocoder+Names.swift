import Geodesy

extension Geocoder {
  /// The place at a position, with the country's name in English.
  public func place(at coordinate: Coordinate) -> Place {
    names(of: codes(at: coordinate), at: coordinate)
  }

  /// The places at many positions, in the same order.
  public func places(at coordinates: some Sequence<Coordinate>) -> [Place] {
    coordinates.map(place(at:))
  }

  /// The names for these codes, with the country's name in English.
  ///
  /// - Parameters:
  ///   - codes: the codes of a place.
  ///   - coordinate: if given, the point from which the distance to the city is measured.
  public func names(of codes: PlaceCodes, at coordinate: Coordinate? = nil) -> Place {
    var place = Place()
    place.countryCode = codes.country?.code
    if let country = codes.country, let row = gazetteer.places.countryRow(country.rawValue) {
      place.countryCodeAlpha3 = gazetteer.places.countryAlpha3(inRow: row)
      place.country = gazetteer.places.countryName(inRow: row)
      place.continent = gazetteer.places.continent(inRow: row)
    }
    place.regionCode = codes.region.flatMap(code(of:))
    place.region = codes.region.flatMap(name(of:))
    place.district = codes.district.flatMap(name(of:))
    place.city = codes.city.flatMap(name(of:))
    place.timeZone = codes.timeZone.flatMap(name(of:))
    if let coordinate, let city = codes.city, let center = self.coordinate(of: city) {
      place.cityDistanceMeters = coordinate.distanceMeters(to: center)
    }
    return place
  }

  /// The English name of a country; nil if the code is not in use.
  public func name(of country: CountryIndex) -> String? {
    let places = gazetteer.places
    return places.countryRow(country.rawValue).flatMap(places.countryName(inRow:))
  }

  /// The IANA name of a time zone.
  package func name(of zone: TimeZoneIndex) -> String? {
    let number = Int(zone.rawValue)
    return number >= 1 && number <= gazetteer.zoneCount ? gazetteer.zoneName(zone.rawValue) : nil
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

  /// The name of a second-level division or a quarter.
  package func name(of district: DistrictIndex) -> String? {
    let places = gazetteer.places
    if district.rawValue & DistrictIndex.isPlace != 0 {
      let place = Int(district.rawValue & ~DistrictIndex.isPlace)
      return place < places.count ? places.name(of: place) : nil
    }
    return Int(district.rawValue) < places.admin2Count
      ? places.admin2Name(UInt16(truncatingIfNeeded: district.rawValue)) : nil
  }
}
