import FogMap
import GeoStore
import Geodesy
import GridHash
import SQLiteLayer

/// The cells of a poster and its numbers, which count what the poster shows.
struct PictureSummary {
  /// The cells on the map.
  let coverage: Coverage
  /// The numbers below the map.
  let numbers: [PosterLayout.Number]

  /// Reads what a query selects and nothing hides, and names its place in the language of `names`.
  init(
    _ query: MapQuery, hiding hidden: HiddenGround, of snapshot: Snapshot, by explorer: Explorer,
    in names: PlaceTranslator
  ) throws(DatabaseError) {
    let grid = snapshot.settings.grid
    var tally = ExploredTally(grid: grid, geocoder: explorer.geocoder, breakdowns: [])
    let cells = try MapCells(query, hiding: hidden, of: snapshot, by: explorer, into: &tally)
    coverage = cells.selected
    let area = query.selection.place.map {
      PlaceArea(of: $0, grid: grid, geocoder: explorer.geocoder)
    }
    let places = try MapPlaces(
      query.selection, hiding: hidden, in: area, of: snapshot, by: explorer)
    let totals = tally.finish().totals.totals
    let isImperial = snapshot.settings.units == .imperial
    let squareUnit = isImperial ? 2.589988110336 : 1
    var areaSquareKilometers = totals.areaSquareKilometers
    var share: PosterLayout.Number?
    if let place = query.selection.place {
      // The share of the place's own land.
      let ground = PlaceArea(of: place, grid: grid, geocoder: explorer.geocoder)
      for (key, tile) in coverage.tiles { _ = ground.clipped(tile, at: key) }
      let found = explorer.share(of: ground, in: place)
      let percentage = found.ground.cells == 0 ? 0 : found.percentage
      share = percentage.map { .init(Self.percent($0), "of \(names.label(place))") }
      // Both numbers are of the same ground: a city's is that within its limits.
      if place.level == .city, share != nil {
        areaSquareKilometers = found.ground.landAreaSquareKilometers
      }
    } else {
      share = .init(Self.percent(totals.landPercentage), "of all land")
    }
    var numbers = [
      PosterLayout.Number(
        Self.area(areaSquareKilometers / squareUnit),
        isImperial ? "sq mi explored" : "km² explored")
    ]
    if let share { numbers.append(share) }
    func count(_ level: PlaceLevel, _ one: String, _ more: String) {
      let count = places.entries[level]?.keys.filter { MapLists.name(of: $0, level) != nil }.count
      numbers.append(.init(MapWording.count(count ?? 0), count == 1 ? one : more))
    }
    let level = query.selection.place?.level
    if level == nil { count(.country, "country", "countries") }
    if level == .country { count(.region, "region", "regions") }
    if level != .city { count(.city, "city", "cities") }
    if level == .city {
      numbers.append(
        .init(MapWording.count(places.visits), places.visits == 1 ? "visit" : "visits"))
    }
    self.numbers = numbers
  }

  /// An area: with a digit after the point below 100, and never 0 for something.
  private static func area(_ value: Double) -> String {
    if value > 0, value < 0.05 { return DecimalText.significant(value) }
    return DecimalText.decimal(value, value < 99.95 ? 1 : 0)
  }

  /// A percentage as in `roqua stats`.
  private static func percent(_ value: Double) -> String { DecimalText.percentage(value) + " %" }
}
