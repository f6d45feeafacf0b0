import FogMap
import GeoStore
import Geodesy
import GridHash
import SQLiteLayer

/// What was first explored in each year or month, from the first to the last one with a kept fix.
struct PictureFilm {
  /// A period.
  struct Frame {
    /// What is written on the picture: `2024`, `May 2024`.
    let label: String
    /// The cells that were first explored in it.
    var added: [Int64: Tile] = [:]
  }

  private(set) var frames: [Frame] = []
  /// Whether there is a kept fix with a time.
  var isDated: Bool { frames.count > 1 || frames.first.map { !$0.label.isEmpty } ?? false }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// Finds the cells of each period. Those that no dated fix explored are in the first one.
  ///
  /// - Parameter selected: the cells that are shown.
  /// - Complexity: O(n log n) for n kept fixes; memory for the coverage twice.
  init(
    _ selected: Coverage, by step: PictureOptions.Film, _ query: StatisticsQuery,
    of snapshot: Snapshot, explorer: Explorer
  ) throws(DatabaseError) {
    let grid = selected.grid
    var seen = Coverage(grid: grid)
    var clock = LocalClock(geocoder: explorer.geocoder)
    let timeline = try FixTimeline(of: snapshot, in: query.times)
    var first: Int?
    var found: [[Int64: Tile]] = []
    try timeline.forEachDated { fix in
      let day = query.clock.daysSince1970(
        Timestamp(millisecondsSince1970: fix.time), at: fix.coordinate, by: &clock)
      let period = Self.period(of: day, step)
      // A film begins with what it shows, not with what is hidden or elsewhere.
      var added: [(key: Int64, row: Int, bits: UInt64)] = []
      seen.mark(discAround: fix.coordinate) { row, firstColumn, bits in
        added.append((grid.tileKey(of: Cell(row: row, column: firstColumn)), Int(row & 63), bits))
      }
      for (key, row, bits) in added {
        guard let wanted = selected.tile(at: key) else { continue }
        let kept = bits & wanted[row: row]
        if kept == 0 { continue }
        let start = first ?? period
        first = start
        // Across time zones, a day may come before the one before it.
        let place = max(0, period - start)
        while found.count <= place { found.append([:]) }
        found[place][key, default: Tile()][row: row] |= kept
      }
    }
    frames = found.enumerated().map { place, added in
      Frame(label: Self.label((first ?? 0) + place, step), added: added)
    }
    if frames.isEmpty { frames = [Frame(label: "")] }
    for (key, tile) in selected.tiles {
      let rest = seen.tile(at: key).map { tile.subtracting($0) } ?? tile
      if !rest.isEmpty { frames[0].added[key] = frames[0].added[key]?.union(rest) ?? rest }
    }
  }

  private static func period(of day: Int, _ step: PictureOptions.Film) -> Int {
    let date = CalendarDay(daysSince1970: day)
    return step == .year ? date.year : 12 * date.year + date.month - 1
  }

  private static func label(_ period: Int, _ step: PictureOptions.Film) -> String {
    step == .year ? "\(period)" : "\(months[period % 12]) \(period / 12)"
  }
}
