import GeoStore
import Geocode
import GridHash

/// Adds up the explored area, in total and by place, tile by tile. Finding the places of the cells
/// takes most of the time, so all cores do it for some tiles at a time.
///
/// - Memory: the places, and under 2 MB for the tiles that wait.
struct ExploredTally {
  /// What was added.
  struct Sums {
    let totals: TotalsTally
    /// The explored area of each place, for each breakdown by place.
    let places: [(level: PlaceLevel, ground: GroundTally)]
  }

  private var totals: TotalsTally
  private var places: [(level: PlaceLevel, ground: GroundTally)] = []
  private var waiting: [(key: Int64, tile: Tile)] = []

  /// The number of tiles that are divided at a time.
  private static let tilesAtOnce = 512

  /// Creates an empty tally.
  init(grid: Grid, geocoder: Geocoder, breakdowns: Set<Breakdown>) {
    totals = TotalsTally(grid: grid, geocoder: geocoder)
    for breakdown in breakdowns {
      guard let level = breakdown.placeLevel else { continue }
      places.append((level, GroundTally(grid: grid, geocoder: geocoder, level: level)))
    }
  }

  /// Adds a tile. Keys must ascend.
  mutating func add(_ tile: Tile, at key: Int64) {
    totals.add(tile, at: key)
    if places.isEmpty { return }
    waiting.append((key, tile))
    if waiting.count == Self.tilesAtOnce { addWaiting() }
  }

  private mutating func addWaiting() {
    for index in places.indices { places[index].ground.add(waiting) }
    waiting.removeAll(keepingCapacity: true)
  }

  /// Everything that was added.
  consuming func finish() -> Sums {
    addWaiting()
    return Sums(totals: totals, places: places)
  }
}
