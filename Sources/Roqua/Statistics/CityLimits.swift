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

  /// Cells that are asked for one city; where its disc has more, one stands for the block around it. The disc's edge
  /// passes some 700 blocks then, each wrong by a quarter of itself or so to either side: √700 · ¼ ÷ 47 000 = 0.01 %.
  static let mostQuestions = 60_000

  /// The land of a city in square kilometres.
  ///
  /// - Complexity: a lookup for each cell around the disc, some 500 for a town of 10 000 people, and at most
  ///   ``mostQuestions``.
  static func landAreaSquareKilometers(of city: CityIndex, grid: Grid, geocoder: Geocoder) -> Double {
    guard let center = geocoder.coordinate(of: city) else { return 0 }
    let box = BoundingBox(
      around: center, radiusMeters: geocoder.cityTerritoryRadiusMeters(of: city))
    let rows = row(box.southE7, grid)...row(box.northE7, grid)
    let ranges = box.longitudeRangesE7.map { column($0.lowerBound, grid)...column($0.upperBound, grid) }
    let cells = rows.count * ranges.reduce(0) { $0 + $1.count }
    let side = Int32((Double(cells) / Double(mostQuestions)).squareRoot().rounded(.up))
    var squareMeters = 0.0
    for row in stride(from: rows.lowerBound + side / 2, through: rows.upperBound, by: Int(side)) {
      for range in ranges {
        for column in stride(from: range.lowerBound + side / 2, through: range.upperBound, by: Int(side)) {
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
    return squareMeters * Double(side * side) / 1e6
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
