import GeoStore
import Geocode
import Geodesy
import GridHash

extension Explorer {
  /// What is explored: totals, and the breakdowns asked for. All numbers are of one state of the store.
  ///
  /// - Complexity: O(explored tiles), O(explored cells) for regions and cities, O(n log n) in kept fixes for periods.
  public func statistics(by breakdowns: Set<Breakdown> = []) throws(ExplorerError) -> Statistics {
    try read { (snapshot) throws(StoreError) in
      let coverage = try snapshot.coverage()
      var places: [Breakdown: [PlaceShare]] = [:]
      var periods: [Breakdown: [PeriodShare]] = [:]
      for breakdown in breakdowns {
        if let level = breakdown.placeLevel {
          places[breakdown] = try shares(of: coverage, snapshot, by: level)
        } else {
          periods[breakdown] = try PeriodTally.shares(of: snapshot, by: breakdown)
        }
      }
      return Statistics(
        counts: try snapshot.counts(), totals: totals(of: coverage), places: places, periods: periods,
        percentageDecimals: Int(snapshot.settings[.percentageDecimals]))
    }
  }

  /// Explored ground and visited regions by place, the largest ground first.
  private func shares(
    of coverage: Coverage, _ snapshot: Snapshot, by level: PlaceLevel
  ) throws(StoreError) -> [PlaceShare] {
    // Ground and regions meet by name: two towns of one name in one region are one row, as people would have it.
    let grounds = shares(of: coverage, by: level)
    let counts = try placeCounts(in: snapshot, by: level)
    let known = Set(grounds.map(\.place))
    let others = counts.keys.filter { !known.contains($0) }
      .sorted { $0.order.lexicographicallyPrecedes($1.order) }
      .map { GroundShare(place: $0, ground: ExploredGround(), totalLandAreaSquareKilometers: nil) }
    return (grounds + others).map { share in
      let counts = counts[share.place]
      return PlaceShare(
        share: share, visitedRegions: counts?.visitedRegions ?? 0, visits: counts?.visits ?? 0,
        firstTime: counts?.firstTime, lastTime: counts?.lastTime)
    }
  }
}

extension Explorer {
  /// The totals of a coverage.
  func totals(of coverage: Coverage) -> CoverageTotals {
    CoverageTotals(
      grid: coverage.grid, cells: coverage.count, areaSquareKilometers: coverage.areaSquareKilometers,
      landAreaSquareKilometers: tally(coverage, by: nil).total.landAreaSquareKilometers,
      landAreaOfEarthSquareKilometers: LandSurvey(grid: coverage.grid, geocoder: geocoder)
        .landAreaOfEarthSquareKilometers)
  }

  /// What is explored, land and sea.
  func tally(_ coverage: Coverage, by level: PlaceLevel?) -> GroundTally {
    var tally = GroundTally(grid: coverage.grid, geocoder: geocoder, level: level)
    for (key, tile) in coverage.tiles { tally.add(tile, at: key) }
    return tally
  }

  /// The ground of a coverage by place, the largest first.
  ///
  /// - Complexity: O(tiles), O(rows) along borders and coasts, O(cells) for cities; and for each place found some
  ///   milliseconds for its denominator.
  public func shares(of coverage: Coverage, by level: PlaceLevel) -> [GroundShare] {
    // In the order of the keys' numbers, so that sums come out the same each time.
    let found = tally(coverage, by: level).grounds.sorted { $0.key < $1.key }
    let totals = totalLand(of: found.map(\.key), level: level, grid: coverage.grid)
    var grounds: [PlaceNames: (ground: ExploredGround, total: Double?)] = [:]
    for (key, ground) in found {
      // What has a denominator and what has none are no share together.
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
      let (leftArea, rightArea) = (left.ground.areaSquareKilometers, right.ground.areaSquareKilometers)
      if leftArea != rightArea { return leftArea > rightArea }
      return left.place.order.lexicographicallyPrecedes(right.place.order)
    }
  }

  /// The denominators of places' percentages, where they are known.
  private func totalLand(of keys: [PlaceKey], level: PlaceLevel, grid: Grid) -> [PlaceKey: Double] {
    let survey = LandSurvey(grid: grid, geocoder: geocoder)
    if level == .region { return survey.landAreasSquareKilometers(of: keys) }
    var totals: [PlaceKey: Double] = [:]
    for key in keys {
      totals[key] =
        level == .country
        ? key.country.flatMap { survey.landAreaSquareKilometers(of: $0) }
        : key.city.map { survey.landAreaSquareKilometers(of: $0) }
    }
    return totals
  }
}
