import Achievements
import GeoStore
import Geocode
import GridHash
import SQLiteLayer

/// The explored area, and the shares of countries and cities, as `roqua stats` shows them.
struct ExploredShares {
  private let areaSquareKilometers: Double
  private let countries: [Share]
  private let cities: [Share]
  /// The explored land of all countries and cities.
  private let land: AreaReplay.Land

  /// The explored share of the land of a place.
  private struct Share {
    let subject: AreaReplay.Subject
    let countryCode: String?
    let percentage: Double
    let totalSquareKilometers: Double
  }

  /// Measures the explored area.
  ///
  /// - Complexity: O(explored cells), and some milliseconds for each country and city.
  ///   Memory: about 1 kB for each explored tile.
  init(_ explorer: Explorer, _ snapshot: Snapshot) throws(DatabaseError) {
    let grid = snapshot.settings.grid
    let levels: [PlaceLevel] = [.country, .city]
    var tallies = levels.map { level in
      (level: level, ground: GroundTally(grid: grid, geocoder: explorer.geocoder, level: level))
    }
    var land: AreaReplay.Land = [:]
    var squareMeters = 0.0
    try explorer.forEachTile(in: snapshot, of: grid) { (key, tile) in
      squareMeters += grid.areaSquareMeters(of: tile, at: key)
      for index in tallies.indices {
        for part in tallies[index].ground.parts(of: tile, at: key) {
          tallies[index].ground.add(part, at: key)
          guard part.isLand, let subject = Self.subject(part.place, tallies[index].level) else {
            continue
          }
          let known = land[subject]?[key]
          land[subject, default: [:]][key] = known?.union(part.tile) ?? part.tile
        }
      }
    }
    areaSquareKilometers = squareMeters / 1e6
    self.land = land
    var (countries, cities) = ([Share](), [Share]())
    for (level, ground) in tallies {
      var subjects: [PlaceNames: AreaReplay.Subject] = [:]
      for key in ground.grounds.keys {
        subjects[explorer.names(of: key)] = Self.subject(key, level)
      }
      for share in explorer.shares(of: ground, by: level) {
        guard let percentage = share.percentage, let subject = subjects[share.place],
          let total = share.totalLandAreaSquareKilometers
        else { continue }
        let found = Share(
          subject: subject, countryCode: share.place.countryCode, percentage: percentage,
          totalSquareKilometers: total)
        if level == .city { cities.append(found) } else { countries.append(found) }
      }
    }
    (self.countries, self.cities) = (countries, cities)
  }

  private static func subject(_ place: PlaceKey, _ level: PlaceLevel) -> AreaReplay.Subject? {
    level == .city ? place.city.map { .city($0) } : place.country.map { .country($0) }
  }

  /// A replay that looks for these sizes in square kilometers.
  func replay(_ limits: [AreaReplay.Subject: Set<Double>]) -> AreaReplay {
    AreaReplay(limits: limits, land: land)
  }

  private func shares(of metric: AchievementMetric) -> [Share] {
    if metric.kind == .cityShare { return cities }
    guard let code = metric.argument else { return countries }
    return countries.filter { $0.countryCode == code }
  }

  /// The value of a metric of explored area.
  func value(of metric: AchievementMetric) -> Double {
    if metric.kind == .exploredArea { return areaSquareKilometers }
    return shares(of: metric).map(\.percentage).max() ?? 0
  }

  /// What reaches a tier, each with the area in square kilometers that reaches it.
  func subjects(
    of metric: AchievementMetric, reaching tier: Double
  ) -> [(AreaReplay.Subject, Double)] {
    if metric.kind == .exploredArea { return [(.all, tier)] }
    return shares(of: metric).filter { $0.percentage >= tier }
      .map { ($0.subject, tier / 100 * $0.totalSquareKilometers) }
  }
}
