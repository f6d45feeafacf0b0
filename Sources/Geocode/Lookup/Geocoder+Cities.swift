import Geodesy

extension Geocoder {
  /// The number of cities in the data. The values of ``CityIndex`` are 0..<`cityCount`.
  public var cityCount: Int { gazetteer.places.count }

  /// The city with this number; nil beyond ``cityCount``.
  public func city(_ number: Int) -> CityIndex? {
    (0..<cityCount).contains(number) ? CityIndex(rawValue: Int32(number)) : nil
  }

  /// The city with this GeoNames number, or nil.
  ///
  /// - Complexity: O(cities), about 0.2 ms.
  package func city(geonamesID: Int) -> CityIndex? {
    guard geonamesID > 0 else { return nil }
    let wanted = UInt32(clamping: geonamesID)
    for place in 0..<cityCount where gazetteer.places.identifier(of: place) == wanted {
      return CityIndex(rawValue: Int32(place))
    }
    return nil
  }

  /// The city's name.
  public func name(of city: CityIndex) -> String? { known(city).map(gazetteer.places.name(of:)) }

  /// The city's center.
  public func coordinate(of city: CityIndex) -> Coordinate? {
    known(city).flatMap(gazetteer.places.coordinate(of:))
  }

  /// The number of people who live in the city; 0 if GeoNames does not state it.
  public func population(of city: CityIndex) -> Int {
    known(city).map { Int(gazetteer.places.flaggedPopulation($0) & ~PlacesFile.partOfCity) } ?? 0
  }

  /// Returns true if GeoNames lists the place as a section of a populated place, which is never the
  /// city of a point.
  package func isPartOfCity(_ city: CityIndex) -> Bool {
    known(city).map { gazetteer.places.flaggedPopulation($0) & PlacesFile.partOfCity != 0 } ?? false
  }

  /// The GeoNames number of the city, which is the same in all editions of the data; nil for a
  /// place that is not from GeoNames.
  public func geonamesID(of city: CityIndex) -> Int? {
    known(city).map { Int(gazetteer.places.identifier(of: $0)) }.flatMap { $0 == 0 ? nil : $0 }
  }

  /// The country of the city.
  package func country(of city: CityIndex) -> CountryIndex? {
    known(city).flatMap { CountryIndex(rawValue: gazetteer.places.country($0)) }
  }

  /// The first-level division of the city.
  package func region(of city: CityIndex) -> RegionIndex? {
    known(city).map { RegionIndex(rawValue: gazetteer.places.admin1Row($0)) }
  }

  /// The radius in meters of the disc that counts as the city: √(population ÷ 5000π) km, at most 25
  /// km.
  package func cityTerritoryRadiusMeters(of city: CityIndex) -> Double {
    PlaceSearch.discSquared(population: UInt32(population(of: city))).squareRoot()
  }

  /// The radius in meters of the area that the explored share of the city refers to: that of its
  /// disc, but at least that of ``leastCityPopulation`` people, 178 m.
  ///
  /// One place in eight has no population in the data, and others have only a few people. Their
  /// discs would contain no cell.
  package func cityLimitsRadiusMeters(of city: CityIndex) -> Double {
    let population = UInt32(max(population(of: city), Self.leastCityPopulation))
    return PlaceSearch.discSquared(population: population).squareRoot()
  }

  /// The population from which on all places are in the data. Smaller places are included if they
  /// are the seat of a division or were larger once.
  package static var leastCityPopulation: Int { 500 }

  /// The place of a city; nil if it is not in the data.
  @inline(__always)
  func known(_ city: CityIndex) -> Int? { gazetteer.places.index(city) }
}
