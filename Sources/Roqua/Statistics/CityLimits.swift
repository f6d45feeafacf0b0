import Geocode
import Geodesy
import GridHash

/// What belongs to a city: the cells whose place is that city and that lie in its disc. It is counted as explored cells
/// are, so that a city which is explored to its last cell shows 100 %.
enum CityLimits {
  /// Whether a point, whose city is this one, lies in the city's disc.
  static func hold(_ coordinate: Coordinate, of city: CityIndex, geocoder: Geocoder) -> Bool {
    guard let center = geocoder.coordinate(of: city) else { return false }
    return center.distanceMeters(to: coordinate) <= geocoder.cityTerritoryRadiusMeters(of: city)
  }

  /// The land of a city in square kilometres.
  ///
  /// - Complexity: one lookup for each cell around the disc: some 500 for a town of 10 000 people, some 500 000 for the
  ///   largest disc of 25 km.
  static func landAreaSquareKilometers(of city: CityIndex, grid: Grid, geocoder: Geocoder) -> Double {
    guard let center = geocoder.coordinate(of: city) else { return 0 }
    let box = BoundingBox(
      around: center, radiusMeters: geocoder.cityTerritoryRadiusMeters(of: city))
    var squareMeters = 0.0
    for row in row(box.southE7, grid)...row(box.northE7, grid) {
      for range in box.longitudeRangesE7 {
        for column in column(range.lowerBound, grid)...column(range.upperBound, grid) {
          let cell = Cell(row: row, column: column)
          let middle = grid.center(of: cell)
          guard
            let coordinate = try? Coordinate(
              latitudeDegrees: middle.latitudeDegrees, longitudeDegrees: middle.longitudeDegrees),
            hold(coordinate, of: city, geocoder: geocoder), geocoder.codes(at: coordinate).city == city,
            geocoder.isLand(at: coordinate)
          else { continue }
          squareMeters += grid.areaSquareMeters(of: cell)
        }
      }
    }
    return squareMeters / 1e6
  }

  private static func row(_ latitudeE7: Int32, _ grid: Grid) -> Int32 {
    Coordinate(latitudeE7: latitudeE7, longitudeE7: 0).map { grid.cell(containing: $0).row } ?? 0
  }

  /// 180° E, the end of a range, counts to the last column.
  private static func column(_ longitudeE7: Int32, _ grid: Grid) -> Int32 {
    if longitudeE7 == 1_800_000_000 { return Int32(grid.columnCount - 1) }
    return Coordinate(latitudeE7: 0, longitudeE7: longitudeE7).map { grid.cell(containing: $0).column } ?? 0
  }
}
