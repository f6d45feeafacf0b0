import Geodesy

extension Geocoder {
  /// Every city of the data: 0..<this, as ``CityIndex``.
  public var cityCount: Int { gazetteer.places.count }

  /// The city of this number, or nil beyond ``cityCount``.
  public func city(_ number: Int) -> CityIndex? {
    (0..<cityCount).contains(number) ? CityIndex(rawValue: Int32(number)) : nil
  }

  /// The city with this number of GeoNames, or nil.
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

  /// How many people live there; 0 where GeoNames does not say.
  public func population(of city: CityIndex) -> Int {
    known(city).map { Int(gazetteer.places.flaggedPopulation($0) & ~PlacesFile.partOfCity) } ?? 0
  }

  /// Whether GeoNames knows the place as a section of a populated place, which is never the city of
  /// a point.
  package func isPartOfCity(_ city: CityIndex) -> Bool {
    known(city).map { gazetteer.places.flaggedPopulation($0) & PlacesFile.partOfCity != 0 } ?? false
  }

  /// GeoNames' number of the city, which lasts from one edition of the data to the next; nil for a
  /// place that is not from GeoNames.
  package func geonamesID(of city: CityIndex) -> Int? {
    known(city).map { Int(gazetteer.places.identifier(of: $0)) }.flatMap { $0 == 0 ? nil : $0 }
  }

  /// The country the city is in.
  package func country(of city: CityIndex) -> CountryIndex? {
    known(city).flatMap { CountryIndex(rawValue: gazetteer.places.country($0)) }
  }

  /// The first division the city is in.
  package func region(of city: CityIndex) -> RegionIndex? {
    known(city).map { RegionIndex(rawValue: gazetteer.places.admin1Row($0)) }
  }

  /// Radius in meters of the disc that counts as the city: √(population ÷ 5000π) km, at most 25 km.
  package func cityTerritoryRadiusMeters(of city: CityIndex) -> Double {
    PlaceSearch.discSquared(population: UInt32(population(of: city))).squareRoot()
  }

  /// Radius in meters of the ground that is taken to be the city's when its explored share is told:
  /// that of its disc, but at least that of ``leastCityPopulation`` people, 178 m.
  ///
  /// One place in eight has no population in the data, and others have a few people: such a disc
  /// holds no cell.
  package func cityLimitsRadiusMeters(of city: CityIndex) -> Double {
    let population = UInt32(max(population(of: city), Self.leastCityPopulation))
    return PlaceSearch.discSquared(population: population).squareRoot()
  }

  /// From so many people on a place is in the data; those with fewer are in it because they are the
  /// seat of a division or were larger once.
  package static var leastCityPopulation: Int { 500 }

  private func known(_ city: CityIndex) -> Int? {
    (0..<cityCount).contains(Int(city.rawValue)) ? Int(city.rawValue) : nil
  }
}
