extension Chronicle {
  /// The value of a metric; nil if it does not come from fixes, or of a direction before the first
  /// fix.
  package func value(of metric: AchievementMetric) -> Double? {
    switch metric.kind {
    case .countries:
      guard let argument = metric.argument else { return Double(countries.count) }
      let number = Continent(rawValue: argument)?.number ?? 0
      return Double(countriesByContinent[number]?.count ?? 0)
    case .continents: return Double(countriesByContinent.count)
    case .regions:
      guard let argument = metric.argument else { return Double(regions.count) }
      return Double(regionCounts[CountryNumber.of(argument) ?? 0] ?? 0)
    case .districts: return Double(districts.count)
    case .cities: return Double(cities.count)
    case .islands: return Double(islands.count)
    case .borders: return Double(borders.count)
    case .bordersOnFoot: return Double(bordersOnFoot.count)
    case .distance: return meters / 1_000
    case .dayDistance: return bestDayMeters / 1_000
    case .footDistance: return footMeters / 1_000
    case .dayFootDistance: return bestDayFootMeters / 1_000
    case .nightDistance: return nightMeters / 1_000
    case .days: return Double(days.count)
    case .streak: return Double(streak)
    case .years: return Double(years.count)
    case .months: return Double(months.nonzeroBitCount)
    case .daysOn:
      let day = metric.argument.flatMap(AchievementMetric.dayOfYear) ?? 0
      return Double(daysOfYear[day] ?? 0)
    case .dayCountries: return Double(bestDayCountries)
    case .dayCities: return Double(bestDayCities)
    case .dayContinents: return Double(bestDayContinents)
    case .yearCountries: return Double(bestYearCountries)
    case .dawnDays: return Double(dawnDays)
    case .placeDays: return Double(mostSquareDays)
    case .cityDays: return Double(mostCityDays)
    case .countryDays: return Double(mostCountryDays)
    case .north: return compass.map { Double($0.north) / 1e7 }
    case .south: return compass.map { -Double($0.south) / 1e7 }
    case .east: return compass.map { Double($0.east) / 1e7 }
    case .west: return compass.map { -Double($0.west) / 1e7 }
    case .equator: return compass.map { 90 - Double($0.equator) / 1e7 }
    case .hemispheres: return Double(compass?.hemispheres.nonzeroBitCount ?? 0)
    case .latitudeSpan: return compass.map { Double(Int($0.north) - Int($0.south)) / 1e7 } ?? 0
    case .longitudeBands: return Double(compass?.bands.nonzeroBitCount ?? 0)
    case .exploredArea, .countryShare, .cityShare, .highest, .lowest, .custom: return nil
    }
  }
}
