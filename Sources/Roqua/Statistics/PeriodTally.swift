import GeoStore
import Geodesy
import GridHash

/// A year, a month of it or a day of that, in UTC.
struct Period: Hashable, Comparable, CustomStringConvertible {
  let year: Int
  let month: Int?
  let day: Int?

  /// The period of a breakdown that holds a day.
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

/// Finds when each cell was first explored, and adds up the new ground by period.
enum PeriodTally {
  /// New ground by period, from the kept fixes of a store; what has no time comes last.
  ///
  /// - Complexity: O(n log n) for n kept fixes; 16 bytes of memory each, and those of the coverage.
  /// - Parameter box: count only cells in it; nil for all.
  static func shares(
    of snapshot: Snapshot, by breakdown: Breakdown, in box: CellBox? = nil
  ) throws(StoreError) -> [PeriodShare] {
    let timeline = try KeptTimeline(of: snapshot)
    var ground = NewGround<Period>(grid: try snapshot.settings.grid(), countingIn: box)
    var lastDay: Int?
    var period: Period?
    for (time, coordinate) in timeline.dated {
      let day = Timestamp(millisecondsSince1970: time).daysSince1970
      if day != lastDay { (lastDay, period) = (day, Period(daysSince1970: day, breakdown)) }
      ground.mark(discAround: coordinate, in: period)
    }
    for coordinate in timeline.undated { ground.mark(discAround: coordinate, in: nil) }
    ground.add(try snapshot.ownCellsOfSources(), in: nil)

    let gains = ground.gains
    let ordered: [Period?] = gains.keys.compactMap { $0 }.sorted() + [nil]
    return ordered.compactMap { period in
      gains[period].map { gain in
        PeriodShare(
          period: period?.description, newCells: gain.cells,
          newAreaSquareKilometers: gain.areaSquareMeters / 1e6)
      }
    }
  }
}
