import GeoStore
import Geocode
import Geodesy
import GridHash
import SQLiteLayer

/// Finds the fixes with which the explored area, and that of some countries and cities, first
/// reached a size.
struct AreaReplay {
  /// What is measured.
  enum Subject: Hashable {
    /// All explored area.
    case all
    /// The explored land of a country.
    case country(CountryIndex)
    /// The explored land of a city.
    case city(CityIndex)
  }

  /// The explored land of subjects, by the key of its tile.
  typealias Land = [Subject: [Int64: Tile]]

  /// A subject with the sizes that it has not reached.
  private struct Measured {
    let subject: Subject
    /// Square kilometers in ascending order.
    var limits: ArraySlice<Double>
    var area = 0.0
    var lastGain: Timestamp?
  }

  private var measured: [Measured]
  /// The place in ``measured`` of all explored area.
  private let all: Int?
  /// The cells of subjects in each tile.
  private var land: [Int64: [(index: Int, cells: Tile)]] = [:]
  /// The time at which a subject reached a size.
  private(set) var times: [Subject: [Double: Timestamp]] = [:]

  /// Creates a replay that looks for these sizes in square kilometers.
  ///
  /// - Parameter land: the explored land of the countries and cities among the subjects.
  init(limits: [Subject: Set<Double>], land: Land) {
    measured = limits.map { Measured(subject: $0, limits: $1.sorted()[...]) }
    all = measured.firstIndex { $0.subject == .all }
    for index in measured.indices {
      for (key, cells) in land[measured[index].subject] ?? [:] {
        self.land[key, default: []].append((index, cells))
      }
    }
  }

  /// Explores the disc around each fix with a time, in order of time.
  ///
  /// - Parameter isComplete: whether there is no area without a time. If sums of areas in another
  ///   order differ in their last digits, the last gain counts then.
  /// - Complexity: O(n log n) for n fixes.
  mutating func run(on snapshot: Snapshot, isComplete: Bool) throws(DatabaseError) {
    let grid = snapshot.settings.grid
    var coverage = GridHash.Coverage(grid: grid)
    let timeline = try FixTimeline(of: snapshot, includesStays: false)
    // New cells mostly are in the tile of the ones before.
    var (lastKey, parts) = (Int64?.none, [(index: Int, cells: Tile)]())
    try timeline.forEachDated { fix in
      let time = Timestamp(millisecondsSince1970: fix.time)
      coverage.mark(discAround: fix.coordinate) { row, firstColumn, bits in
        if let all { gain(all, row, firstColumn, bits, grid, time) }
        if land.isEmpty { return }
        let key = grid.tileKey(of: Cell(row: row, column: firstColumn))
        if key != lastKey { (lastKey, parts) = (key, land[key] ?? []) }
        for (index, cells) in parts {
          gain(index, row, firstColumn, bits & cells[row: Int(row & 63)], grid, time)
        }
      }
    }
    guard isComplete else { return }
    for left in measured {
      for limit in left.limits { times[left.subject, default: [:]][limit] = left.lastGain }
    }
  }

  /// Adds cells of one row to a subject.
  private mutating func gain(
    _ index: Int, _ row: Int32, _ firstColumn: Int32, _ bits: UInt64, _ grid: Grid,
    _ time: Timestamp
  ) {
    guard bits != 0, let next = measured[index].limits.first else { return }
    measured[index].area +=
      grid.areaSquareMeters(row: row, firstColumn: firstColumn, bits: bits) / 1e6
    measured[index].lastGain = time
    let area = measured[index].area
    guard area >= next else { return }
    let reached = measured[index].limits.prefix { $0 <= area }
    for limit in reached { times[measured[index].subject, default: [:]][limit] = time }
    measured[index].limits.removeFirst(reached.count)
  }
}
