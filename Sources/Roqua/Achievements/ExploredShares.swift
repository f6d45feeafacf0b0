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
  init(_ explorer: Explorer, _ snapshot: Snapshot) throws(DatabaseError) {
    let grid = snapshot.settings.grid
    var tally = ExploredTally(
      grid: grid, geocoder: explorer.geocoder, breakdowns: [.country, .city])
    try explorer.forEachTile(in: snapshot, of: grid) { (key, tile) in tally.add(tile, at: key) }
    areaSquareKilometers = tally.totals.size.areaSquareKilometers
    var (countries, cities) = ([Share](), [Share]())
    for (level, ground) in tally.places {
      var subjects: [PlaceNames: AreaReplay.Subject] = [:]
      for key in ground.grounds.keys {
        let subject =
          level == .city ? key.city.map(AreaReplay.Subject.city) : key.country.map { .country($0) }
        subjects[explorer.names(of: key)] = subject
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
