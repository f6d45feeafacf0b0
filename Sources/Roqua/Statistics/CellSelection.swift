import GeoStore
import Geodesy
import GridHash
import SQLiteLayer

/// The explored cells that a query is about.
final class CellSelection {
  /// The place; nil for everywhere.
  let area: PlaceArea?
  /// The cells first explored in the range of time; nil for all.
  let newCells: Coverage?
  /// The cells explored before the range of time.
  let before: Coverage

  init(
    _ query: StatisticsQuery, of snapshot: Snapshot, by explorer: Explorer
  ) throws(DatabaseError) {
    let grid = snapshot.settings.grid
    area = query.place.map { PlaceArea(of: $0, grid: grid, geocoder: explorer.geocoder) }
    guard let times = query.times else {
      (newCells, before) = (nil, Coverage(grid: grid))
      return
    }
    var (inside, earlier) = (Coverage(grid: grid), Coverage(grid: grid))
    let flightsExplore = snapshot.settings.flightsExplore
    try snapshot.forEachChunkOfKeptFixes { fixes in
      for fix in fixes where flightsExplore || !fix.isInFlight {
        guard let time = fix.time, time <= times.upperBound else { continue }
        if time < times.lowerBound {
          earlier.mark(discAround: fix.coordinate)
        } else {
          inside.mark(discAround: fix.coordinate)
        }
      }
    }
    (newCells, before) = (inside.subtracting(earlier), earlier)
  }

  /// The cells of an explored tile that the query is about. Keys must ascend.
  func clipped(_ tile: Tile, at key: Int64) -> Tile {
    var tile = tile
    if let newCells {
      guard let new = newCells.tile(at: key) else { return Tile() }
      tile = tile.intersection(new)
    }
    guard let area, !tile.isEmpty else { return tile }
    return area.clipped(tile, at: key)
  }
}
