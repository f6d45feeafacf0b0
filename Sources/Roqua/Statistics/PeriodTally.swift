import GeoStore
import Geodesy
import GridHash
import SQLiteLayer

/// A year, month or day.
struct Period: Hashable, Comparable, CustomStringConvertible {
  let year: Int
  let month: Int?
  let day: Int?

  /// Creates the period that contains a day, for a breakdown.
  init(daysSince1970: Int, _ breakdown: Breakdown) {
    let date = CalendarDay(daysSince1970: daysSince1970)
    year = date.year
    month = breakdown == .year ? nil : date.month
    day = breakdown == .day ? date.day : nil
  }

  static func < (left: Period, right: Period) -> Bool {
    (left.year, left.month ?? 0, left.day ?? 0) < (right.year, right.month ?? 0, right.day ?? 0)
  }

  /// `2024`, `2024-05` or `2024-05-01`.
  var description: String {
    let parts = [Self.padded(year, 4)] + [month, day].compactMap { $0.map { Self.padded($0, 2) } }
    return parts.joined(separator: "-")
  }

  private static func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension Explorer {
  /// The newly explored area by period, from the kept fixes of a store; cells without a time come
  /// last.
  ///
  /// - Parameters:
  ///   - query: the range of time and the clock.
  ///   - selection: the cells of the query.
  ///   - counted: counts only these cells; nil for all.
  ///   - box: counts only cells in it; nil for all.
  /// - Complexity: O(n log n) for n kept fixes. Memory: the coverage that they explore, up to 145
  ///   bytes for each quarter of a tile. Cells from sources without fixes take none.
  func periodShares(
    of snapshot: Snapshot, by breakdown: Breakdown, _ query: StatisticsQuery,
    selecting selection: CellSelection, only counted: Coverage?, in box: CellBox? = nil
  ) throws(DatabaseError) -> [PeriodShare] {
    let timeline = try FixTimeline(of: snapshot, in: query.times)
    var ground = NewlyExplored<Period>(
      beyond: selection.before, countingIn: box, only: counted)
    var clock = LocalClock(geocoder: geocoder)
    var lastDay: Int?
    var period: Period?
    try timeline.forEachDated { fix in
      let day = query.clock.daysSince1970(
        Timestamp(millisecondsSince1970: fix.time), at: fix.coordinate, by: &clock)
      if day != lastDay { (lastDay, period) = (day, Period(daysSince1970: day, breakdown)) }
      ground.mark(discAround: fix.coordinate, in: period)
    }
    try timeline.forEachUndated { ground.mark(discAround: $0, in: nil) }

    var gains = ground.gains
    if query.times == nil,
      let rest = try gain(beyond: ground.coverage, only: counted, in: box, of: snapshot)
    {
      gains[nil, default: CoverageGain()] += rest
    }
    let ordered: [Period?] = gains.keys.compactMap { $0 }.sorted() + [nil]
    return ordered.compactMap { period in
      gains[period].map { gain in
        PeriodShare(
          period: period?.description, newCells: gain.cells,
          newAreaSquareKilometers: gain.areaSquareMeters / 1e6)
      }
    }
  }

  /// The area explored only by cells from sources without fixes; nil if there is none.
  ///
  /// - Memory: one tile.
  private func gain(
    beyond ground: Coverage, only counted: Coverage?, in box: CellBox?, of snapshot: Snapshot
  ) throws(DatabaseError) -> CoverageGain? {
    // In the usual store all cells come from fixes.
    if try snapshot.exploredCellCount() == ground.count { return nil }
    var rest = CoverageSize(grid: ground.grid)
    try forEachTile(in: snapshot, of: ground.grid) { (key, tile) in
      var new = ground.tile(at: key).map { tile.subtracting($0) } ?? tile
      if let counted { new = new.intersection(counted.tile(at: key) ?? Tile()) }
      rest.add(box?.clipped(new, at: key) ?? new, at: key)
    }
    guard rest.cells > 0 else { return nil }
    return CoverageGain(cells: rest.cells, areaSquareMeters: rest.areaSquareMeters)
  }
}
