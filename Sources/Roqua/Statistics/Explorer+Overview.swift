import GeoStore
import Geodesy
import GridHash
import SQLiteLayer

/// The explored area of a store, for a quick look.
package struct ExploredOverview: Hashable, Sendable {
  /// The area of the explored cells in square kilometers.
  package var areaSquareKilometers = 0.0
  /// The area of the explored land cells in square kilometers.
  package var landAreaSquareKilometers = 0.0
  /// Explored land ÷ land of the Earth × 100.
  package var landPercentage = 0.0
  /// True if the areas are estimates, right to about one in a thousand.
  package var isEstimate = false
}

extension Explorer {
  /// The most tiles that are measured exactly for an overview: a few milliseconds.
  static let mostTilesOfOverview = 512

  /// The size of the store's contents and its explored area, for a quick look.
  ///
  /// The area of a small store is exact. For a store of more than ``mostTilesOfOverview`` tiles, it
  /// is estimated: every cell of a tile counts as the mean cell of the tile, and as land if the
  /// tile's center is on land. Such errors cancel out over many tiles. Its cities are counted by
  /// their names. ``statistics(by:)`` has the exact numbers.
  ///
  /// - Complexity: O(explored tiles + sources + places), and O(regions) in a small store.
  package func overview(
    mostExactTiles: Int = mostTilesOfOverview
  ) throws -> (contents: StoreOverview, explored: ExploredOverview) {
    try read { snapshot in
      let grid = snapshot.settings.grid
      var cities = try CityTally(of: snapshot, geocoder)
      var contents = try snapshot.overview(cities: cities.estimate)
      contents.citiesAreEstimated = !cities.isCertain
      if contents.tiles <= mostExactTiles {
        try cities.addCenters(of: snapshot)
        (contents.cities, contents.citiesAreEstimated) = (cities.count, false)
        var tally = TotalsTally(grid: grid, geocoder: geocoder)
        try forEachTile(in: snapshot, of: grid) { (key, tile) in tally.add(tile, at: key) }
        let totals = tally.totals
        return (
          contents,
          ExploredOverview(
            areaSquareKilometers: totals.areaSquareKilometers,
            landAreaSquareKilometers: totals.landAreaSquareKilometers,
            landPercentage: totals.landPercentage)
        )
      }
      return (contents, try estimate(snapshot, grid))
    }
  }

  private func estimate(
    _ snapshot: Snapshot, _ grid: Grid
  ) throws(DatabaseError) -> ExploredOverview {
    var explored = ExploredOverview(isEstimate: true)
    var fullTiles = FullTileArea()
    try snapshot.forEachTileCount { key, cells in
      let full = fullTiles.ground(ofTile: key, grid: grid)
      guard full.cells > 0 else { return }
      let area = full.areaSquareKilometers * Double(cells) / Double(full.cells)
      explored.areaSquareKilometers += area
      if let middle = grid.middle(ofTile: key), geocoder.isLand(at: middle) {
        explored.landAreaSquareKilometers += area
      }
    }
    explored.landPercentage = percentage(
      explored.landAreaSquareKilometers,
      of: LandSurvey(grid: grid, geocoder: geocoder).landAreaOfEarthSquareKilometers)
    return explored
  }
}
