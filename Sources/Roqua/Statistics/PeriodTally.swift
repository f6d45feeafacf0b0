import GeoStore
import Geodesy
import GridHash
import SQLiteLayer

/// A year, month or day, in UTC.
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
  /// The newly explored area by period, from the kept fixes of a store; undated fixes come last.
  ///
  /// - Complexity: O(n log n) for n kept fixes. Memory: 16 bytes for each, and the coverage that
  ///   they explore, up to 145 bytes for each quarter of a tile. Cells from sources without fixes
  ///   take none.
  /// - Parameter box: counts only cells in it; nil for all.
  func periodShares(
    of snapshot: Snapshot, by breakdown: Breakdown, in box: CellBox? = nil
  ) throws(DatabaseError) -> [PeriodShare] {
    let timeline = try KeptTimeline(of: snapshot)
    var ground = NewlyExplored<Period>(grid: snapshot.settings.grid, countingIn: box)
    var lastDay: Int?
    var period: Period?
    for (time, coordinate) in timeline.dated {
      let day = Timestamp(millisecondsSince1970: time).daysSince1970
      if day != lastDay { (lastDay, period) = (day, Period(daysSince1970: day, breakdown)) }
      ground.mark(discAround: coordinate, in: period)
    }
    for coordinate in timeline.undated { ground.mark(discAround: coordinate, in: nil) }

    var gains = ground.gains
    if let rest = try gain(beyond: ground.coverage, in: box, of: snapshot) {
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
    beyond ground: Coverage, in box: CellBox?, of snapshot: Snapshot
  ) throws(DatabaseError) -> CoverageGain? {
    // In the usual store all cells come from fixes.
    if try snapshot.exploredCellCount() == ground.count { return nil }
    var rest = CoverageSize(grid: ground.grid)
    try forEachTile(in: snapshot, of: ground.grid) { (key, tile) in
      let new = ground.tile(at: key).map { tile.subtracting($0) } ?? tile
      rest.add(box?.clipped(new, at: key) ?? new, at: key)
    }
    guard rest.cells > 0 else { return nil }
    return CoverageGain(cells: rest.cells, areaSquareMeters: rest.areaSquareMeters)
  }
}
