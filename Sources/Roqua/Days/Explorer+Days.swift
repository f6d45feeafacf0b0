import GeoStore
import Geocode
import Geodesy
import GridHash
import SQLiteLayer

extension Explorer {
  /// Does what the async form does, on the calling thread.
  package func dayReport(_ query: DayQuery = DayQuery()) throws -> DayReport {
    try read { snapshot in
      let timeline = try FixTimeline(of: snapshot)
      var diary = Diary(
        longestGapMilliseconds: Int64(snapshot.settings.visitGapMinutes * 60_000),
        regionMeters: 2 * snapshot.settings.explorationRadiusMeters, geocoder: geocoder,
        placeLevel: query.placeLevel)
      var ground = Coverage(grid: snapshot.settings.grid)
      var newDays: Set<Int> = []
      try timeline.forEachDated { fix in
        let day = diary.take(fix)
        if query.findsNewCells, ground.mark(discAround: fix.coordinate) > 0 { newDays.insert(day) }
      }
      let namer = PlaceNamer(geocoder: geocoder)
      var (home, farthest) = (DayReport.Home?.none, DayReport.Farthest?.none)
      let found = query.home == nil ? diary.homes.home : nil
      if let coordinate = query.home ?? found?.coordinate {
        home = DayReport.Home(
          coordinate: coordinate, place: namer.names(at: coordinate), nights: found?.nights)
        farthest = try self.farthest(from: coordinate, in: snapshot, query, namer)
      }
      let flown =
        query.countryCode == nil
        ? try snapshot.flights(in: query.days.map { Self.times($0) }) : nil
      return DayReport(
        of: diary, query, daysWithNewCells: newDays, home: home, farthest: farthest,
        flights: flown.map { FlightTotals($0.flights, keptFixes: $0.keptFixes) },
        names: { self.names(of: $0) })
    }
  }

  /// The times of days in UTC.
  private static func times(_ days: ClosedRange<Int>) -> ClosedRange<Timestamp> {
    let first = Int64(days.lowerBound) * Timestamp.millisecondsPerDay
    let last = (Int64(days.upperBound) + 1) * Timestamp.millisecondsPerDay - 1
    return Timestamp(millisecondsSince1970: first)...Timestamp(millisecondsSince1970: last)
  }

  private func farthest(
    from home: Coordinate, in snapshot: Snapshot, _ query: DayQuery, _ namer: PlaceNamer
  ) throws(DatabaseError) -> DayReport.Farthest? {
    var search = FarthestFix(from: home)
    var clock = LocalClock(geocoder: geocoder)
    let isRestricted = query.days != nil || query.countryCode != nil
    let country = query.countryCode.flatMap(CountryIndex.init(code:))
    let flightsExplore = snapshot.settings.flightsExplore
    try snapshot.forEachChunkOfKeptFixes { fixes in
      for fix in fixes where flightsExplore || !fix.isInFlight {
        guard let time = fix.time else { continue }
        if isRestricted {
          let local = Timestamp(
            millisecondsSince1970: clock.milliseconds(
              time.millisecondsSince1970, at: fix.coordinate))
          guard query.days?.contains(local.daysSince1970) ?? true,
            query.countryCode == nil || geocoder.countryIndex(at: fix.coordinate) == country
          else { continue }
        }
        search.take(fix.coordinate, at: time)
      }
    }
    return search.farthest.map { coordinate, time, meters in
      DayReport.Farthest(
        coordinate: coordinate, place: namer.names(at: coordinate), time: time,
        distanceMeters: meters)
    }
  }

  /// Days and nights by country, and distances on the ground, in one state of the store.
  ///
  /// - Complexity: O(n log n) for n kept fixes.
  /// - Throws: `CancellationError`, `DatabaseError`.
  public func dayReport(_ query: DayQuery = DayQuery()) async throws -> DayReport {
    try await blocking { try $0.dayReport(query) }
  }
}

/// Days, nights, distances and home, from fixes in order of time.
struct Diary {
  /// The distance on the ground of a day in a country.
  struct Stage: Hashable {
    let day: Int
    let country: CountryIndex?
  }

  /// The distance on the ground of a day in a place.
  struct PlaceStage: Hashable {
    let day: Int
    let place: PlaceKey
  }

  private(set) var ledger = DayLedger<CountryIndex?>()
  private(set) var homes = HomeFinder()
  private(set) var meters: [Stage: Double] = [:]
  /// Every place and day with a fix, with the distance to it; empty without a level of places.
  private(set) var placeMeters: [PlaceStage: Double] = [:]
  private let placeLevel: PlaceLevel?
  private var track: TrackGeocoder
  private var distance: GroundDistance
  private var clock: LocalClock
  private let geocoder: Geocoder
  private let regionMeters: Double
  private var last: (time: Int64, day: Int, coordinate: Coordinate)?

  /// Creates an empty diary.
  ///
  /// - Parameters:
  ///   - regionMeters: a night counts for home if its last and first fix are at most this apart.
  ///   - placeLevel: the level of ``placeMeters``.
  init(
    longestGapMilliseconds: Int64, regionMeters: Double, geocoder: Geocoder,
    placeLevel: PlaceLevel? = nil
  ) {
    self.placeLevel = placeLevel
    track = TrackGeocoder(geocoder)
    distance = GroundDistance(longestGapMilliseconds: longestGapMilliseconds)
    clock = LocalClock(geocoder: geocoder)
    (self.geocoder, self.regionMeters) = (geocoder, regionMeters)
  }

  /// Adds the next fix, and returns its day by the clock there.
  mutating func take(_ fix: FixTimeline.Fix) -> Int {
    let local = clock.milliseconds(fix.time, at: fix.coordinate)
    let day = Timestamp(millisecondsSince1970: local).daysSince1970
    let country = geocoder.countryIndex(at: fix.coordinate)
    let isMidnight = local == Int64(day) * Timestamp.millisecondsPerDay
    let missing = missingDates(before: day, fix)
    ledger.take(day: day, isMidnight: isMidnight, in: country, missing: missing)
    if let last, day == last.day + 1 + missing.count,
      last.coordinate.distanceMeters(to: fix.coordinate) <= regionMeters
    {
      homes.add(last.coordinate)
    }
    last = (fix.time, day, fix.coordinate)
    let length = distance.take(fix)
    add(length, to: Stage(day: day, country: country))
    if let placeLevel {
      let place = PlaceKey(at: fix.coordinate, level: placeLevel, along: &track)
      placeMeters[PlaceStage(day: day, place: place), default: 0] += length
    }
    return day
  }

  /// The dates between the last fix and one on a later day that the clocks at neither showed in the
  /// meantime: a country can skip one, and so does a journey westward across the date line.
  private mutating func missingDates(before day: Int, _ fix: FixTimeline.Fix) -> Set<Int> {
    guard let last, last.day + 1 < day else { return [] }
    let here = clock.dates(from: last.time, to: fix.time, at: fix.coordinate)
    if here.shown.lowerBound <= last.day + 1, here.skipped.isEmpty { return [] }
    let there = clock.dates(from: last.time, to: fix.time, at: last.coordinate)
    return Set(last.day + 1..<day).filter { date in
      [here, there].allSatisfy { !$0.shown.contains(date) || $0.skipped.contains(date) }
    }
  }

  private mutating func add(_ length: Double, to stage: Stage) {
    guard length > 0 else { return }
    meters[stage, default: 0] += length
  }
}
