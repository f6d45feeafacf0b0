import Geodesy

/// All metrics of fixes in order of time, as a value that grows fix by fix.
///
/// The same fixes in the same order give the same state. A state can be written and read
/// (``encoded``), so that later fixes need not begin at the first one.
///
/// - Memory: some bytes for each place, day, and visited square of 0.005°.
package struct Chronicle: Sendable {
  /// The settings that the metrics depend on.
  package struct Rules: Hashable, Sendable {
    /// A step that takes longer is a gap.
    package var longestGapMilliseconds: Int64

    package init(longestGapMilliseconds: Int64) {
      self.longestGapMilliseconds = longestGapMilliseconds
    }
  }

  /// The greatest speed that counts as walking or running, in meters per second.
  package static let fastestOnFoot = 3.5
  /// The meters at this speed without a break from which on they count.
  package static let shortestWalkMeters = 300.0
  /// The hours of a night and of dawn by the local clock.
  package static let nightHours = 0..<5
  package static let dawnHours = 5..<7
  /// The meters at dawn with which a day counts.
  package static let dawnMeters = 1_000.0
  /// The side of the square that counts as one place, in units of 1e-7 degree.
  package static let squareE7 = 50_000

  package let rules: Rules
  /// The time of the last fix, or of the end of a stay after it; nil before the first.
  package internal(set) var lastTime: Int64?

  // Places.
  var countries: [UInt16: DayCount] = [:]
  /// The countries of each continent: a country on two continents is in both.
  var countriesByContinent: [UInt8: Set<UInt16>] = [:]
  /// The country of each region.
  var regions: [UInt32: UInt16] = [:]
  var regionCounts: [UInt16: Int] = [:]
  var districts: Set<UInt32> = []
  var cities: [UInt32: DayCount] = [:]
  var islands: Set<UInt16> = []
  var squares: [UInt32: DayCount] = [:]
  var (mostCountryDays, mostCityDays, mostSquareDays) = (Int32(0), Int32(0), Int32(0))

  // Borders: the smaller country × 65536 + the greater one.
  var borders: Set<UInt32> = []
  var bordersOnFoot: Set<UInt32> = []

  // Distances in meters.
  var (meters, footMeters, nightMeters) = (0.0, 0.0, 0.0)
  var (bestDayMeters, bestDayFootMeters) = (0.0, 0.0)
  var dawnDays: Int32 = 0
  var ends: [Int64: SourceEnd] = [:]
  var covered: CoveredTime

  // Days.
  var days: Set<Int32> = []
  var streak: Int32 = 0
  var years: Set<Int32> = []
  /// Bit n stands for month n.
  var months: UInt16 = 0
  /// The number of days by month × 32 + day.
  var daysOfYear: [UInt16: Int32] = [:]
  var recentDays: [DayTally] = []
  var recentYears: [YearTally] = []
  var (bestDayCountries, bestDayCities, bestDayContinents) = (Int32(0), Int32(0), Int32(0))
  var bestYearCountries: Int32 = 0

  // The compass, in units of 1e-7 degree.
  var compass: Compass?

  /// The last fix, to know quickly what has not changed.
  private var last: (day: Int32, place: PlaceFacts, square: UInt32, tally: Int)?

  /// Creates an empty chronicle.
  package init(rules: Rules) {
    self.rules = rules
    covered = CoveredTime(longestStepMilliseconds: rules.longestGapMilliseconds)
  }

  /// Adds the next fix in order of time, and returns the kinds of metrics that may have changed.
  ///
  /// - Precondition: no earlier than the fix before.
  /// - Complexity: O(1), and O(streak) for the first fix of a day.
  package mutating func take(_ fix: ChronicleFix) -> MetricSet {
    precondition(lastTime.map { $0 <= fix.time } ?? true, "fixes are not in order of time")
    lastTime = fix.time
    var changed: MetricSet = []
    let day = fix.day
    let square = Self.square(fix.coordinate)
    if day != last?.day {
      if takeDay(day) { changed.formUnion(.days) }
      last = (day, PlaceFacts(), .max, tally(ofDay: day))
      takePlace(fix.place, on: day)
      changed.formUnion(.places)
      last?.place = fix.place
    } else if fix.place != last?.place {
      takePlace(fix.place, on: day)
      changed.formUnion(.places)
      last?.place = fix.place
    }
    if square != last?.square {
      last?.square = square
      if squares[square, default: DayCount()].count(day) {
        mostSquareDays = max(mostSquareDays, squares[square]?.days ?? 0)
        changed.insert(MetricSet(.placeDays))
      }
    }
    if takeExtremes(of: fix.coordinate) { changed.formUnion(.compass) }
    changed.formUnion(takeStep(to: fix))
    return changed
  }

  /// Adds the end of a source that stayed at its last fix until then. It is no fix: it gives no day
  /// and no distance. But the time has passed without any, and no other source's step has it again.
  ///
  /// - Parameter order: the number that the source's next fix would have.
  /// - Precondition: no earlier than the fix before.
  /// - Complexity: O(1).
  package mutating func takeStay(until time: Int64, ofSource source: Int64, order: UInt32) {
    precondition(lastTime.map { $0 <= time } ?? true, "a stay is not in order of time")
    lastTime = time
    guard var end = ends[source], end.order &+ 1 == order else { return }
    if time > end.time, time - end.time <= rules.longestGapMilliseconds {
      _ = covered.cover(from: end.time, to: time)
    }
    (end.time, end.order) = (time, order)
    ends[source] = end
  }

  /// Adds a position without a time. It counts for places and for the compass.
  package mutating func takeUndated(_ coordinate: Coordinate, _ place: PlaceFacts) {
    add(place)
    _ = takeExtremes(of: coordinate)
  }

  // MARK: Days

  /// Counts a day; returns whether it is a new one.
  private mutating func takeDay(_ day: Int32) -> Bool {
    guard days.insert(day).inserted else { return false }
    var (first, end) = (day, day)
    while days.contains(first - 1) { first -= 1 }
    while days.contains(end + 1) { end += 1 }
    streak = max(streak, end - first + 1)
    let date = CalendarDay(daysSince1970: Int(day))
    years.insert(Int32(clamping: date.year))
    months |= 1 << UInt16(date.month)
    daysOfYear[UInt16(date.month * 32 + date.day), default: 0] += 1
    return true
  }

  /// The index of the tally of a day. Local days run backwards by at most two, so older tallies
  /// than that are complete.
  private mutating func tally(ofDay day: Int32) -> Int {
    if let index = recentDays.firstIndex(where: { $0.day == day }) { return index }
    recentDays.removeAll { $0.day < day - Self.longestReturnInDays }
    recentDays.append(DayTally(day: day))
    return recentDays.count - 1
  }

  /// The most days by which a local date goes back: offsets from UTC differ by 26 hours at most.
  static let longestReturnInDays: Int32 = 2

  // MARK: Places

  private mutating func takePlace(_ place: PlaceFacts, on day: Int32) {
    add(place)
    guard let index = last?.tally else { return }
    if place.country != 0 {
      if countries[place.country, default: DayCount()].count(day) {
        mostCountryDays = max(mostCountryDays, countries[place.country]?.days ?? 0)
      }
      recentDays[index].countries.insert(place.country)
      bestDayCountries = max(bestDayCountries, Int32(recentDays[index].countries.count))
      takeYear(of: day, country: place.country)
    }
    if place.city != 0 {
      if cities[place.city, default: DayCount()].count(day) {
        mostCityDays = max(mostCityDays, cities[place.city]?.days ?? 0)
      }
      recentDays[index].cities.insert(place.city)
      bestDayCities = max(bestDayCities, Int32(recentDays[index].cities.count))
    }
    if place.continent != 0 {
      recentDays[index].continents |= 1 << place.continent
      let count = recentDays[index].continents.nonzeroBitCount
      bestDayContinents = max(bestDayContinents, Int32(count))
    }
  }

  private mutating func takeYear(of day: Int32, country: UInt16) {
    let year = Int32(clamping: CalendarDay(daysSince1970: Int(day)).year)
    var index = recentYears.firstIndex { $0.year == year }
    if index == nil {
      recentYears.removeAll { $0.year < year - 1 }
      recentYears.append(YearTally(year: year))
      index = recentYears.count - 1
    }
    guard let index else { return }
    recentYears[index].countries.insert(country)
    bestYearCountries = max(bestYearCountries, Int32(recentYears[index].countries.count))
  }

  private mutating func add(_ place: PlaceFacts) {
    if place.country != 0 {
      if countries[place.country] == nil { countries[place.country] = DayCount() }
      if place.continent != 0 {
        countriesByContinent[place.continent, default: []].insert(place.country)
      }
    }
    if place.region != 0, regions.updateValue(place.country, forKey: place.region) == nil {
      regionCounts[place.country, default: 0] += 1
    }
    if place.district != 0 { districts.insert(place.district) }
    if place.city != 0, cities[place.city] == nil { cities[place.city] = DayCount() }
    if place.island != 0 { islands.insert(place.island) }
  }

  private static func square(_ coordinate: Coordinate) -> UInt32 {
    let row = (Int(coordinate.latitudeE7) + 900_000_000) / squareE7
    let column = (Int(coordinate.longitudeE7) + 1_800_000_000) / squareE7
    return UInt32(row * (3_600_000_000 / squareE7) + column)
  }

  // MARK: The compass

  private mutating func takeExtremes(of coordinate: Coordinate) -> Bool {
    guard compass != nil else {
      compass = Compass(coordinate)
      return true
    }
    return compass?.take(coordinate) ?? false
  }

  // MARK: Steps

  private mutating func takeStep(to fix: ChronicleFix) -> MetricSet {
    var end = SourceEnd(
      time: fix.time, order: fix.order, latitudeE7: fix.coordinate.latitudeE7,
      longitudeE7: fix.coordinate.longitudeE7, country: fix.place.country)
    defer { ends[fix.source] = end }
    guard let before = ends[fix.source] else {
      // The ends of sources that have ended long ago are of no use.
      if ends.count >= 64 { ends = usefulEnds(at: fix.time) }
      return []
    }
    let duration = fix.time - before.time
    guard fix.isJoined, before.order &+ 1 == fix.order, duration <= rules.longestGapMilliseconds
    else { return [] }
    let start = Coordinate(
      uncheckedLatitudeE7: before.latitudeE7, longitudeE7: before.longitudeE7)
    let length = start.distanceMeters(to: fix.coordinate)
    guard GroundStep.isPossible(meters: length, milliseconds: duration) else { return [] }
    var counted = length
    if duration > 0 {
      let uncovered = covered.cover(from: before.time, to: fix.time)
      counted = uncovered > 0 ? length * Double(uncovered) / Double(duration) : 0
    }
    var changed: MetricSet = []
    if counted > 0 {
      takeDistance(counted, to: fix)
      changed.formUnion(.distances)
    }
    if length <= Self.fastestOnFoot * Double(duration) / 1_000 {
      end.slowMeters = before.slowMeters + length
      end.waitingMeters = before.waitingMeters + counted
      if end.slowMeters >= Self.shortestWalkMeters {
        takeWalk(end.waitingMeters)
        end.waitingMeters = 0
        changed.formUnion(.footDistances)
      }
    }
    if before.country != fix.place.country, before.country != 0, fix.place.country != 0 {
      let pair = [before.country, fix.place.country].sorted()
      let border = UInt32(pair[0]) << 16 | UInt32(pair[1])
      borders.insert(border)
      if end.slowMeters >= Self.shortestWalkMeters { bordersOnFoot.insert(border) }
      changed.formUnion(.borders)
    }
    return changed
  }

  /// The number that the next fix of a source has if no fix without a time came after the last one
  /// with a time; 0 if the source is unknown or has ended long ago.
  package func nextOrder(ofSource source: Int64) -> UInt32 {
    ends[source].map { $0.order &+ 1 } ?? 0
  }

  /// The times of the last fixes of sources to which a step can lead at this time or later.
  package var lastTimes: [Int64: Int64] { usefulEnds(at: lastTime ?? 0).mapValues(\.time) }

  /// Whether a fix of a source comes too late to be the next one: it is earlier than the last, or
  /// another source has a fix at the same time, so that the order of the two is to be found.
  package func isLate(_ time: Int64, ofSource source: Int64) -> Bool {
    guard let lastTime, time <= lastTime else { return false }
    return time < lastTime || ends.contains { $0.key != source && $0.value.time == time }
  }

  /// The ends of sources to which a step can lead at this time or later.
  func usefulEnds(at time: Int64) -> [Int64: SourceEnd] {
    ends.filter { $0.value.time >= time - rules.longestGapMilliseconds }
  }

  private mutating func takeDistance(_ length: Double, to fix: ChronicleFix) {
    meters += length
    guard let index = last?.tally else { return }
    recentDays[index].meters += length
    bestDayMeters = max(bestDayMeters, recentDays[index].meters)
    let day = Int64(recentDays[index].day) * Timestamp.millisecondsPerDay
    let hour = Int((fix.localTime - day) / 3_600_000)
    if Self.nightHours.contains(hour) { nightMeters += length }
    if Self.dawnHours.contains(hour) {
      let before = recentDays[index].dawnMeters
      recentDays[index].dawnMeters += length
      if before < Self.dawnMeters, recentDays[index].dawnMeters >= Self.dawnMeters { dawnDays += 1 }
    }
  }

  private mutating func takeWalk(_ length: Double) {
    footMeters += length
    guard let index = last?.tally else { return }
    recentDays[index].footMeters += length
    bestDayFootMeters = max(bestDayFootMeters, recentDays[index].footMeters)
  }
}
