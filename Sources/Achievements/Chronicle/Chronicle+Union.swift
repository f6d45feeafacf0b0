extension Chronicle {
  /// Adds the places and extremes of another chronicle, whose fixes have no time.
  package mutating func formUnion(placesOf other: Chronicle) {
    for country in other.countries.keys where countries[country] == nil {
      countries[country] = DayCount()
    }
    countriesByContinent.merge(other.countriesByContinent) { $0.union($1) }
    for (region, country) in other.regions
    where regions.updateValue(country, forKey: region) == nil {
      regionCounts[country, default: 0] += 1
    }
    districts.formUnion(other.districts)
    for city in other.cities.keys where cities[city] == nil { cities[city] = DayCount() }
    islands.formUnion(other.islands)
    guard let theirs = other.compass else { return }
    compass = compass.map { $0.union(theirs) } ?? theirs
  }
}

extension Compass {
  fileprivate func union(_ other: Compass) -> Compass {
    var union = self
    union.north = max(north, other.north)
    union.south = min(south, other.south)
    union.east = max(east, other.east)
    union.west = min(west, other.west)
    union.equator = min(equator, other.equator)
    union.hemispheres |= other.hemispheres
    union.bands |= other.bands
    return union
  }
}

extension Chronicle {
  /// Whether it has taken no fix.
  package var isEmpty: Bool { lastTime == nil && compass == nil }
}
