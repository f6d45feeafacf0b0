import ConcurrentMap
import GeoStore
import Geocode
import Geodesy
import GridHash
import SQLiteLayer

extension Explorer {
  /// The totals of the store and the requested breakdowns. All numbers describe the same state of
  /// the store.
  ///
  /// - Complexity: O(explored tiles), O(explored cells) for regions and cities, O(n log n) in kept
  ///   fixes for periods. Memory does not grow with the explored area, except for periods, or with
  ///   the number of kept fixes.
  /// - Throws: `DatabaseError`.
  public func statistics(by breakdowns: Set<Breakdown> = []) throws -> Statistics {
    try statistics(StatisticsQuery(breakdowns: breakdowns))
  }

  /// The totals of a part of the store, such as a country or a year, and the requested breakdowns.
  /// All numbers describe the same state of the store.
  ///
  /// - Complexity: that of `statistics(by:)`; with a range of time also O(kept fixes), and with a
  ///   place one lookup for each of them. Memory grows with the coverage if a range of time is
  ///   given, and with the coverage of the place if periods of a place are requested.
  /// - Throws: `DatabaseError`.
  public func statistics(_ query: StatisticsQuery) throws -> Statistics {
    try read { snapshot in
      let grid = snapshot.settings.grid
      let selection = try CellSelection(query, of: snapshot, by: self)
      var tally = ExploredTally(grid: grid, geocoder: geocoder, breakdowns: query.breakdowns)
      let breakdownsByTime = query.breakdowns.filter { $0.placeLevel == nil }
      let countsSome = query.isRestricted && !breakdownsByTime.isEmpty
      var counted = Coverage(grid: grid)
      try forEachTile(in: snapshot, of: grid) { (key, tile) in
        let tile = selection.clipped(tile, at: key)
        if tile.isEmpty { return }
        tally.add(tile, at: key)
        if countsSome { counted.insert(tile, at: key) }
      }
      let ground = tally.finish()
      var places: [Breakdown: [PlaceShare]] = [:]
      var periods: [Breakdown: [PeriodShare]] = [:]
      var presences = ground.places.map {
        PresenceTally(by: $0.level, area: selection.area, geocoder: geocoder)
      }
      let counts = try counts(of: snapshot, query, selecting: selection, adding: &presences)
      for ((level, tally), presences) in zip(ground.places, presences) {
        places[level.breakdown] = shares(
          of: tally, presences.presences(query.clock, of: self), by: level)
      }
      for breakdown in breakdownsByTime {
        periods[breakdown] = try periodShares(
          of: snapshot, by: breakdown, query, selecting: selection,
          only: countsSome ? counted : nil)
      }
      let flown = query.place == nil ? try snapshot.flights(in: query.times) : nil
      return Statistics(
        query: query, counts: counts,
        flights: flown.map { FlightTotals($0.flights, keptFixes: $0.keptFixes) },
        totals: ground.totals.totals, placeShare: placeShare(of: selection, query),
        places: places, periods: periods,
        percentageDecimals: snapshot.settings.shownPercentageDecimals)
    }
  }

  /// The explored area of the query's place, and all land of it; nil without a place.
  func placeShare(of selection: CellSelection, _ query: StatisticsQuery) -> GroundShare? {
    guard let place = query.place, let area = selection.area else { return nil }
    return share(of: area, in: place)
  }

  /// The explored area of a place, and all land of it.
  func share(of area: PlaceArea, in place: NamedPlace) -> GroundShare {
    let found = shares(of: area.ground, by: place.level)
    var ground = ExploredGround()
    for share in found { ground += share.ground }
    let totals = found.compactMap(\.totalLandAreaSquareKilometers)
    var total = totals.isEmpty || totals.count < found.count ? nil : totals.reduce(0, +)
    if found.isEmpty, place.level == .country, let country = place.country {
      let survey = LandSurvey(grid: area.ground.grid, geocoder: geocoder)
      total = survey.landAreaSquareKilometers(of: country)
    }
    let names = found.count == 1 ? found[0].place : PlaceNames(countryCode: place.country?.code)
    return GroundShare(place: names, ground: ground, totalLandAreaSquareKilometers: total)
  }

  /// Calls `body` with the explored tiles in the order of their keys. Each lies on the grid.
  ///
  /// - Memory: one tile.
  func forEachTile(
    in snapshot: Snapshot, of grid: Grid, _ body: (Int64, Tile) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try snapshot.forEachCoverageTile { (key, tile) throws(DatabaseError) in
      guard grid.accepts(tile, at: key) else {
        throw .damaged(path: store.path, detail: "coverage tile \(key) is not on the grid")
      }
      try body(key, tile)
    }
  }

  /// The explored area and visited regions of each place, ordered by descending area.
  ///
  /// - Parameter counts: the visited regions of each place.
  private func shares(
    of tally: GroundTally, _ counts: [PlaceNames: PlacePresence], by level: PlaceLevel
  ) -> [PlaceShare] {
    // Explored area and visited regions are matched by name: two towns with one name in one region
    // share one row, as readers would expect.
    let grounds = shares(of: tally, by: level)
    let known = Set(grounds.map(\.place))
    let others = counts.keys.filter { !known.contains($0) }
      .sorted { $0.order.lexicographicallyPrecedes($1.order) }
      .map { GroundShare(place: $0, ground: ExploredGround(), totalLandAreaSquareKilometers: nil) }
    return (grounds + others).map { share in
      let counts = counts[share.place]
      return PlaceShare(
        share: share, visitedRegions: counts?.visitedRegions ?? 0, visits: counts?.visits ?? 0,
        firstTime: counts?.firstTime, lastTime: counts?.lastTime, firstDay: counts?.firstDay,
        lastDay: counts?.lastDay)
    }
  }
}

extension Explorer {
  /// The totals of a coverage.
  func totals(of coverage: Coverage) -> CoverageTotals {
    var tally = TotalsTally(grid: coverage.grid, geocoder: geocoder)
    for (key, tile) in coverage.tiles { tally.add(tile, at: key) }
    return tally.totals
  }

  /// The explored area of a coverage by place, ordered by descending area.
  ///
  /// - Complexity: O(tiles), O(rows) along borders and coasts, O(cells) for cities; and some
  ///   milliseconds per place found for its denominator.
  public func shares(of coverage: Coverage, by level: PlaceLevel) -> [GroundShare] {
    var tally = ExploredTally(
      grid: coverage.grid, geocoder: geocoder, breakdowns: [level.breakdown])
    for (key, tile) in coverage.tiles { tally.add(tile, at: key) }
    return tally.finish().places.first.map { shares(of: $0.ground, by: level) } ?? []
  }

  /// The tally's explored area by place, ordered by descending area.
  func shares(of tally: GroundTally, by level: PlaceLevel) -> [GroundShare] {
    // In the order of the keys' numbers, so that sums are the same each time.
    let found = tally.grounds.sorted { $0.key < $1.key }
    let totals = totalLand(of: found.map(\.key), level: level, grid: tally.grid)
    var grounds: [PlaceNames: (ground: ExploredGround, total: Double?)] = [:]
    for (key, ground) in found {
      // Places with and without a denominator are not combined into one share.
      let name = names(of: key)
      if let known = grounds[name] {
        let total = known.total.flatMap { known in totals[key].map { known + $0 } }
        grounds[name] = (known.ground + ground, total)
      } else {
        grounds[name] = (ground, totals[key])
      }
    }
    return grounds.map { place, entry in
      GroundShare(place: place, ground: entry.ground, totalLandAreaSquareKilometers: entry.total)
    }
    .sorted { left, right in
      let (leftArea, rightArea) = (
        left.ground.areaSquareKilometers, right.ground.areaSquareKilometers
      )
      if leftArea != rightArea { return leftArea > rightArea }
      return left.place.order.lexicographicallyPrecedes(right.place.order)
    }
  }

  /// The denominators of the places' percentages, if known.
  private func totalLand(of keys: [PlaceKey], level: PlaceLevel, grid: Grid) -> [PlaceKey: Double] {
    let survey = LandSurvey(grid: grid, geocoder: geocoder)
    if level == .region { return survey.landAreasSquareKilometers(of: keys) }
    let areas = concurrentMap(keys, chunk: 4, state: survey) { survey, key in
      level == .country
        ? key.country.flatMap { survey.landAreaSquareKilometers(of: $0) }
        : key.city.map { survey.landAreaSquareKilometers(of: $0) }
    }
    return Dictionary(uniqueKeysWithValues: zip(keys, areas)).compactMapValues(\.self)
  }
}
