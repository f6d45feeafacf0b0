import FogMap
import GeoStore
import Geodesy
import GridHash
import SQLiteLayer

/// The explored cells of a map with their first days.
struct MapCells {
  /// The cells on the map.
  let selected: Coverage

  /// Reads the cells that a map is about, and adds them to a tally.
  ///
  /// - Complexity: O(tiles), and that of ``CellSelection``.
  init(
    _ query: MapQuery, hiding hidden: HiddenGround, of snapshot: Snapshot, by explorer: Explorer,
    into tally: inout ExploredTally
  ) throws(DatabaseError) {
    let grid = snapshot.settings.grid
    let selection = try CellSelection(query.selection, of: snapshot, by: explorer)
    var selected = Coverage(grid: grid)
    try explorer.forEachTile(in: snapshot, of: grid) { (key, tile) in
      let tile = hidden.clipped(selection.clipped(tile, at: key), at: key)
      if tile.isEmpty { return }
      tally.add(tile, at: key)
      selected.insert(tile, at: key)
    }
    self.selected = selected
  }

  /// The cells that a map is about.
  static func selected(
    _ query: MapQuery, of snapshot: Snapshot, by explorer: Explorer
  ) throws(DatabaseError) -> Coverage {
    let grid = snapshot.settings.grid
    let hidden = HiddenGround(try query.zones(of: snapshot), snapshot.settings)
    let selection = try CellSelection(query.selection, of: snapshot, by: explorer)
    var selected = Coverage(grid: grid)
    try explorer.forEachTile(in: snapshot, of: grid) { (key, tile) in
      selected.insert(hidden.clipped(selection.clipped(tile, at: key), at: key), at: key)
    }
    return selected
  }

  /// The cells by the first day on which a kept fix explored them.
  ///
  /// - Parameter precision: days are the first ones of their month or year.
  /// - Complexity: O(n log n) for n kept fixes.
  func page(
    _ precision: MapPrecision, _ query: StatisticsQuery, of snapshot: Snapshot,
    by explorer: Explorer
  ) throws(DatabaseError) -> PageCells {
    var days = DayCells(selected)
    if precision != .none {
      let timeline = try FixTimeline(of: snapshot, in: query.times)
      var clock = LocalClock(geocoder: explorer.geocoder)
      var last: (day: Int, start: Int)?
      try timeline.forEachDated { fix in
        let day = query.clock.daysSince1970(
          Timestamp(millisecondsSince1970: fix.time), at: fix.coordinate, by: &clock)
        if day != last?.day { last = (day, precision.firstDay(of: day)) }
        days.mark(discAround: fix.coordinate, day: last?.start ?? day)
      }
    }
    return days.finish()
  }
}

extension MapPrecision {
  /// The first day of the period that contains a day; both are days since 1970-01-01.
  func firstDay(of day: Int) -> Int {
    let date = CalendarDay(daysSince1970: day)
    switch self {
    case .day, .none: return day
    case .month: return day - (date.day - 1)
    case .year: return CalendarDay.daysSince1970(year: date.year, month: 1, day: 1) ?? day
    }
  }

  /// The next coarser precision; nil after `none`.
  var coarser: MapPrecision? {
    switch self {
    case .day: .month
    case .month: .year
    case .year: MapPrecision.none
    case .none: nil
    }
  }
}

/// Gives cells the first day on which they were explored.
private struct DayCells {
  private let selected: Coverage
  private var coverage: Coverage
  private var page: PageCells
  /// The cells explored first on the current day.
  private var day: Int?
  private var today: [Int64: Tile] = [:]

  init(_ selected: Coverage) {
    self.selected = selected
    coverage = Coverage(grid: selected.grid)
    page = PageCells(grid: selected.grid)
  }

  /// Explores a disc on a day; days do not descend, except across time zones, where a cell that
  /// another clock has a day earlier keeps the day that came first.
  mutating func mark(discAround coordinate: Coordinate, day: Int) {
    if day != self.day { settle(day) }
    let grid = selected.grid
    coverage.mark(discAround: coordinate) { row, firstColumn, bits in
      let key = grid.tileKey(of: Cell(row: row, column: firstColumn))
      today[key, default: Tile()][row: Int(row & 63)] |= bits
    }
  }

  private mutating func settle(_ next: Int?) {
    for (key, tile) in today {
      guard let day, let wanted = selected.tile(at: key) else { continue }
      page.add(tile.intersection(wanted), at: key, day: max(1, day + PageCells.dayOf1970))
    }
    today.removeAll(keepingCapacity: true)
    day = next
  }

  /// The page's cells; those that no dated fix explored have no day.
  mutating func finish() -> PageCells {
    settle(nil)
    for (key, tile) in selected.tiles {
      let rest = coverage.tile(at: key).map { tile.subtracting($0) } ?? tile
      page.add(rest, at: key, day: PageCells.noDay)
    }
    return page
  }
}
