import Geodesy

extension Chronicle {
  /// The version of the encoding, and of the rules of the metrics: a state of another version is
  /// not read, and all fixes are taken again.
  static let version: UInt64 = 3

  /// The state as bytes (`docs/formats/achievements.md`). The last eight are a check value.
  ///
  /// - Complexity: O(n log n) for n places, days and squares.
  package var encoded: [UInt8] {
    var writer = StateWriter()
    writer.append(Self.version)
    writer.append(signed: rules.longestGapMilliseconds)
    writer.append(UInt64(lastTime == nil ? 0 : 1))
    writer.append(signed: lastTime ?? 0)
    Self.append(countries, to: &writer)
    writer.append(UInt64(countriesByContinent.count))
    for (continent, members) in countriesByContinent.sorted(by: { $0.key < $1.key }) {
      writer.append(UInt64(continent))
      writer.append(ascending: members.sorted().map(UInt64.init))
    }
    let regions = regions.sorted { $0.key < $1.key }
    writer.append(ascending: regions.map { UInt64($0.key) })
    for region in regions { writer.append(UInt64(region.value)) }
    writer.append(ascending: districts.sorted().map(UInt64.init))
    Self.append(cities, to: &writer)
    writer.append(ascending: islands.sorted().map(UInt64.init))
    Self.append(squares, to: &writer)
    writer.append(ascending: borders.sorted().map(UInt64.init))
    writer.append(ascending: bordersOnFoot.sorted().map(UInt64.init))
    for value in [meters, footMeters, nightMeters, bestDayMeters, bestDayFootMeters] {
      writer.append(value)
    }
    writer.append(UInt64(dawnDays))
    appendEnds(to: &writer)
    writer.append(ascending: days.sorted().map { UInt64(Int64($0) + Self.dayShift) })
    appendRecent(to: &writer)
    for value in [bestDayCountries, bestDayCities, bestDayContinents, bestYearCountries] {
      writer.append(UInt64(value))
    }
    writer.append(UInt64(compass == nil ? 0 : 1))
    if let compass {
      for value in [compass.north, compass.south, compass.east, compass.west] {
        writer.append(signed: Int64(value))
      }
      writer.append(UInt64(compass.equator))
      writer.append(UInt64(compass.hemispheres))
      writer.append(UInt64(compass.bands))
    }
    let check = Self.checkValue(writer.bytes[...])
    return writer.bytes + (0..<8).map { UInt8(truncatingIfNeeded: check >> UInt64(8 * $0)) }
  }

  /// Days are written as numbers that are not negative.
  private static let dayShift: Int64 = 1 << 31

  /// FNV-1a of 64 bits, byte by byte.
  ///
  /// - Source: IETF draft-eastlake-fnv.
  private static func checkValue(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  private static func append<Key: FixedWidthInteger>(
    _ counts: [Key: DayCount], to writer: inout StateWriter
  ) {
    let counts = counts.sorted { $0.key < $1.key }
    writer.append(ascending: counts.map { UInt64($0.key) })
    for (_, count) in counts {
      writer.append(UInt64(count.days))
      if count.days > 0 { writer.append(signed: Int64(count.last)) }
    }
  }

  private func appendEnds(to writer: inout StateWriter) {
    let time = lastTime ?? 0
    let ends = usefulEnds(at: time).sorted { $0.key < $1.key }
    writer.append(ascending: ends.map { UInt64($0.key) })
    for (_, end) in ends {
      writer.append(signed: end.time)
      writer.append(UInt64(end.order))
      writer.append(signed: Int64(end.latitudeE7))
      writer.append(signed: Int64(end.longitudeE7))
      writer.append(UInt64(end.country))
      writer.append(end.slowMeters)
      writer.append(end.waitingMeters)
    }
    let spans = covered.spans(near: time)
    writer.append(UInt64(spans.count))
    for span in spans {
      writer.append(signed: span.start)
      writer.append(signed: span.end)
    }
  }

  private func appendRecent(to writer: inout StateWriter) {
    let newest = recentDays.map(\.day).max() ?? 0
    // A day at which no further fix can be is complete.
    let days = recentDays.filter { $0.day >= newest - Self.longestReturnInDays }
      .sorted { $0.day < $1.day }
    writer.append(UInt64(days.count))
    for day in days {
      writer.append(signed: Int64(day.day))
      for value in [day.meters, day.footMeters, day.dawnMeters] { writer.append(value) }
      writer.append(ascending: day.countries.sorted().map(UInt64.init))
      writer.append(ascending: day.cities.sorted().map(UInt64.init))
      writer.append(UInt64(day.continents))
    }
    let years = recentYears.sorted { $0.year < $1.year }
    writer.append(UInt64(years.count))
    for year in years {
      writer.append(signed: Int64(year.year))
      writer.append(ascending: year.countries.sorted().map(UInt64.init))
    }
  }

  /// Reads a state; nil if the bytes are damaged, or of another version.
  package init?(encoded bytes: [UInt8]) {
    guard bytes.count > 8 else { return nil }
    let body = bytes[..<(bytes.count - 8)]
    let stored = bytes[body.endIndex...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard stored == Self.checkValue(body) else { return nil }
    var reader = StateReader(body)
    guard reader.number() == Self.version else { return nil }
    self.init(rules: Rules(longestGapMilliseconds: reader.signed(as: Int64.self)))
    let hasTime = reader.number() == 1
    let time = reader.signed(as: Int64.self)
    lastTime = hasTime ? time : nil
    countries = Self.counts(&reader)
    for _ in 0..<reader.count() {
      let continent = reader.number(as: UInt8.self)
      countriesByContinent[continent] = Set(reader.ascending(as: UInt16.self))
    }
    for region in reader.ascending(as: UInt32.self) { regions[region] = 0 }
    for region in regions.keys.sorted() {
      let country = reader.number(as: UInt16.self)
      regions[region] = country
      regionCounts[country, default: 0] += 1
    }
    districts = Set(reader.ascending(as: UInt32.self))
    cities = Self.counts(&reader)
    islands = Set(reader.ascending(as: UInt16.self))
    squares = Self.counts(&reader)
    borders = Set(reader.ascending(as: UInt32.self))
    bordersOnFoot = Set(reader.ascending(as: UInt32.self))
    meters = reader.real()
    footMeters = reader.real()
    nightMeters = reader.real()
    bestDayMeters = reader.real()
    bestDayFootMeters = reader.real()
    dawnDays = reader.number(as: Int32.self)
    readEnds(&reader)
    readDays(&reader)
    bestDayCountries = reader.number(as: Int32.self)
    bestDayCities = reader.number(as: Int32.self)
    bestDayContinents = reader.number(as: Int32.self)
    bestYearCountries = reader.number(as: Int32.self)
    if reader.number() == 1 { compass = Compass(&reader) }
    guard reader.isWhole else { return nil }
    mostCountryDays = countries.values.map(\.days).max() ?? 0
    mostCityDays = cities.values.map(\.days).max() ?? 0
    mostSquareDays = squares.values.map(\.days).max() ?? 0
  }

  private static func counts<Key: FixedWidthInteger & Hashable>(
    _ reader: inout StateReader
  ) -> [Key: DayCount] {
    var counts: [Key: DayCount] = [:]
    for key in reader.ascending(as: Key.self) {
      var count = DayCount()
      count.days = reader.number(as: Int32.self)
      if count.days > 0 { count.last = reader.signed(as: Int32.self) }
      counts[key] = count
    }
    return counts
  }

  private mutating func readEnds(_ reader: inout StateReader) {
    for source in reader.ascending(as: Int64.self) {
      var end = SourceEnd(
        time: reader.signed(as: Int64.self), order: reader.number(as: UInt32.self),
        latitudeE7: reader.signed(as: Int32.self), longitudeE7: reader.signed(as: Int32.self),
        country: reader.number(as: UInt16.self))
      end.slowMeters = reader.real()
      end.waitingMeters = reader.real()
      ends[source] = end
    }
    var spans: [CoveredTime.Span] = []
    for _ in 0..<reader.count() {
      let start = reader.signed(as: Int64.self)
      spans.append(CoveredTime.Span(start: start, end: reader.signed(as: Int64.self)))
    }
    covered = CoveredTime(longestStepMilliseconds: rules.longestGapMilliseconds, spans: spans)
  }

  private mutating func readDays(_ reader: inout StateReader) {
    for shifted in reader.ascending(as: UInt32.self) {
      let day = Int32(truncatingIfNeeded: Int64(shifted) - Self.dayShift)
      days.insert(day)
      let date = CalendarDay(daysSince1970: Int(day))
      years.insert(Int32(clamping: date.year))
      months |= 1 << UInt16(date.month)
      daysOfYear[UInt16(date.month * 32 + date.day), default: 0] += 1
    }
    for day in days where !days.contains(day - 1) {
      var end = day
      while days.contains(end + 1) { end += 1 }
      streak = max(streak, end - day + 1)
    }
    for _ in 0..<reader.count() {
      var tally = DayTally(day: reader.signed(as: Int32.self))
      tally.meters = reader.real()
      tally.footMeters = reader.real()
      tally.dawnMeters = reader.real()
      tally.countries = Set(reader.ascending(as: UInt16.self))
      tally.cities = Set(reader.ascending(as: UInt32.self))
      tally.continents = reader.number(as: UInt8.self)
      recentDays.append(tally)
    }
    for _ in 0..<reader.count() {
      var tally = YearTally(year: reader.signed(as: Int32.self))
      tally.countries = Set(reader.ascending(as: UInt16.self))
      recentYears.append(tally)
    }
  }
}

extension Compass {
  fileprivate init(_ reader: inout StateReader) {
    north = reader.signed(as: Int32.self)
    south = reader.signed(as: Int32.self)
    east = reader.signed(as: Int32.self)
    west = reader.signed(as: Int32.self)
    equator = reader.number(as: Int32.self)
    hemispheres = reader.number(as: UInt8.self)
    bands = reader.number(as: UInt32.self)
  }
}
