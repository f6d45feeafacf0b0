import Achievements
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

  /// Sizes in square kilometers that each subject reaches, in ascending order.
  private var limits: [Subject: [Double]]
  /// The time at which a subject reached a size.
  private(set) var times: [Subject: [Double: Timestamp]] = [:]
  private var areas: [Subject: Double] = [:]
  private var lastGains: [Subject: Timestamp] = [:]
  private let geocoder: Geocoder
  private var hasCountries = false
  private var hasCities = false

  /// Creates a replay that looks for these sizes in square kilometers.
  init(limits: [Subject: Set<Double>], geocoder: Geocoder) {
    self.limits = limits.mapValues { $0.sorted() }
    self.geocoder = geocoder
    for subject in limits.keys {
      switch subject {
      case .all: break
      case .country: hasCountries = true
      case .city: hasCities = true
      }
    }
  }

  /// Explores the disc around each fix with a time, in order of time.
  ///
  /// - Parameter isComplete: whether there is no area without a time. If sums of areas in another
  ///   order differ in their last digits, the last gain counts then.
  /// - Complexity: O(n log n) for n fixes, and a lookup of the place of each newly explored cell
  ///   if countries or cities are measured.
  mutating func run(on snapshot: Snapshot, isComplete: Bool) throws(DatabaseError) {
    let grid = snapshot.settings.grid
    var coverage = GridHash.Coverage(grid: grid)
    var limits = CityLimits(geocoder: geocoder)
    let timeline = try FixTimeline(of: snapshot, includesStays: false)
    try timeline.forEachDated { fix in
      let time = Timestamp(millisecondsSince1970: fix.time)
      coverage.mark(discAround: fix.coordinate) { row, firstColumn, bits in
        var rest = bits
        while rest != 0 {
          let cell = Cell(row: row, column: firstColumn + Int32(rest.trailingZeroBitCount))
          rest &= rest - 1
          let area = grid.areaSquareMeters(of: cell) / 1e6
          gain(.all, area, time)
          if hasCountries || hasCities { takeLand(cell, on: grid, area, time, &limits) }
        }
      }
    }
    guard isComplete else { return }
    for (subject, left) in self.limits {
      for limit in left { times[subject, default: [:]][limit] = lastGains[subject] }
    }
  }

  /// Adds a cell to its country and city, if its center is on land.
  private mutating func takeLand(
    _ cell: Cell, on grid: Grid, _ area: Double, _ time: Timestamp, _ limits: inout CityLimits
  ) {
    let degrees = grid.center(of: cell)
    let center = try? Coordinate(
      latitudeDegrees: degrees.latitudeDegrees, longitudeDegrees: degrees.longitudeDegrees)
    guard let center, geocoder.isLand(at: center) else { return }
    guard hasCities else {
      if let country = geocoder.countryIndex(at: center) { gain(.country(country), area, time) }
      return
    }
    let codes = geocoder.codes(at: center)
    if let country = codes.country { gain(.country(country), area, time) }
    if let city = codes.city, self.limits[.city(city)] != nil, limits.hold(center, of: city) {
      gain(.city(city), area, time)
    }
  }

  private mutating func gain(_ subject: Subject, _ area: Double, _ time: Timestamp) {
    guard let left = limits[subject], !left.isEmpty else { return }
    let sum = (areas[subject] ?? 0) + area
    areas[subject] = sum
    lastGains[subject] = time
    guard let next = left.first, sum >= next else { return }
    let reached = left.prefix { $0 <= sum }
    for limit in reached { times[subject, default: [:]][limit] = time }
    limits[subject]?.removeFirst(reached.count)
  }
}
