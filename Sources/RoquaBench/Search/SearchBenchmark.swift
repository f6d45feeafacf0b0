import Foundation
import GeoStore
import Geodesy
import SQLiteLayer
import SeededRandom

/// Benchmarks searches by distance and by box in a store against other indexes over the same rows
/// in the same process.
package struct SearchBenchmark {
  /// A kind of search.
  package enum Question: Hashable, Sendable {
    /// All regions within this many meters, nearest first.
    case near(Double)
    /// All regions in a box with this many meters from the center to its edges, by id.
    case box(Double)
    /// This many regions, nearest first.
    case nearest(Int)

    /// Its name in tables.
    package var name: String {
      switch self {
      case .near(let meters): "near \(Self.text(meters))"
      case .box(let meters): "box \(Self.text(2 * meters))"
      case .nearest(let count): "nearest \(count)"
      }
    }

    /// The part of the benchmark that it belongs to.
    package var part: BenchmarkPart {
      switch self {
      case .near: .near
      case .box: .bbox
      case .nearest: .nearest
      }
    }

    /// The questions of a part.
    package static func all(of part: BenchmarkPart) -> [Question] {
      switch part {
      case .near: [.near(500), .near(2_000), .near(10_000)]
      case .bbox: [.box(1_000), .box(10_000)]
      case .nearest: [.nearest(1), .nearest(20)]
      default: []
      }
    }

    private static func text(_ meters: Double) -> String {
      meters >= 1_000 ? "\((meters / 100).rounded() / 10) km" : "\(Int(meters)) m"
    }
  }

  /// Seconds to build each index over all regions.
  package private(set) var builds: [BenchmarkReport.Build] = []

  let store: Store
  let competitors: [any SearchCompetitor]
  /// The places to search around.
  let centers: [Coordinate]
  let all: [VisitedRegion]
  let lowerBound: SortedCoordinates

  /// Copies the regions into a database in `folder`, and builds the competitors' indexes there.
  ///
  /// - Parameters:
  ///   - questions: the number of places to search around, drawn by `seed` from the regions and
  ///     moved by up to 300 m.
  ///   - alone: true to leave out the competitors and their indexes.
  package init(
    _ made: BenchmarkStore, folder: String, questions: Int, seed: UInt64, alone: Bool = false
  ) throws {
    store = made.store
    all = try made.store.read { snapshot in try snapshot.allRegions() }
    guard !all.isEmpty else { throw BenchmarkError("The store has no regions to search.") }
    let sorted = Clock.wallSeconds { [all] in SortedCoordinates(all) }
    lowerBound = sorted.result
    builds.append(.init(name: "lower bound: sorted coordinates", seconds: sorted.seconds))
    builds.append(try Self.buildCachedTiles(ofStoreAt: made.store.path, all))
    var random = SplitMix64(seed: seed)
    var centers: [Coordinate] = []
    while centers.count < questions {
      let region = all[Int.random(in: 0..<all.count, using: &random)].coordinate
      let moved = try? Coordinate(
        latitudeDegrees: min(
          90, max(-90, region.latitudeDegrees + .random(in: -0.002...0.002, using: &random))),
        longitudeDegrees: region.longitudeDegrees + .random(in: -0.002...0.002, using: &random))
      if let moved { centers.append(moved) }
    }
    self.centers = centers

    guard !alone else {
      competitors = []
      return
    }
    let path = folder + "/competitors.sqlite"
    let database = try CompetitorDatabase(path: path)
    try database.execute("ATTACH '\(made.store.path)' AS o")
    let columns = CompetitorRow.columns.joined(separator: ", ")
    try database.execute(
      """
      CREATE TABLE regions (id INTEGER PRIMARY KEY, latitude REAL, longitude REAL, radius INTEGER,
        timestamp_start TEXT, timestamp_end TEXT, visit_count INTEGER, country_code TEXT,
        country TEXT, region TEXT, district TEXT, city TEXT, geohash TEXT);
      INSERT INTO regions SELECT \(columns), geohash FROM o.visited_regions ORDER BY id;
      DETACH o;
      """)
    var builds = builds
    func build(_ name: String, _ body: () throws -> Void) rethrows {
      builds.append(.init(name: name, seconds: try Clock.wallSeconds(body).seconds))
    }
    try build("index on (latitude, longitude)") { try PlainIndexCompetitor.build(in: database) }
    try build("index on geohash text") { try GeohashTextCompetitor.build(in: database) }
    try build("R*Tree") { try RTreeCompetitor.build(in: database) }
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    var competitors: [any SearchCompetitor] = [
      try PlainIndexCompetitor(database), try GeohashTextCompetitor(database),
      try RTreeCompetitor(database),
    ]
    #if SpatiaLite
      let made = try SpatiaLiteCompetitor.make(path: folder + "/spatialite.sqlite", regionsAt: path)
      builds.append(.init(name: "SpatiaLite's spatial index", seconds: made.seconds))
      competitors.append(made.competitor)
    #endif
    self.competitors = competitors
    self.builds = builds
  }

  /// Measures how long a newly opened store takes to load all its cached tiles into memory, by a
  /// search in each of them.
  private static func buildCachedTiles(
    ofStoreAt path: String, _ regions: [VisitedRegion]
  ) throws -> BenchmarkReport.Build {
    // A cached tile has the regions whose geohashes share four characters.
    var seen = Set<Geohash>()
    let firsts = regions.map(\.coordinate).filter { seen.insert(Geohash($0, length: 4)).inserted }
    var options = StoreOptions()
    options.cachedTileBytes = .max  // none is evicted
    let store = try Store(path: path, creating: false, options: options)
    let start = Clock.processorSeconds()
    try store.read { snapshot in
      for center in firsts { try snapshot.forEachBatch(near: center, radiusMeters: 0) { _ in } }
    }
    let seconds = Clock.processorSeconds() - start
    let bytes = store.cachedTileByteCount
    // 16 bytes for each region's center and id.
    guard bytes >= 16 * regions.count else {
      throw BenchmarkError("The cached tiles take \(bytes) bytes for \(regions.count) regions.")
    }
    return .init(name: "Roqua: cached tiles of all regions", seconds: seconds, memoryBytes: bytes)
  }

  /// Searches around all places, alternating between Roqua and each competitor.
  ///
  /// A contender answers each question once before it is timed, and finds in the processor's caches
  /// what it read. Around some places, answers are compared region by region with a scan of every
  /// region. Around all places, while they are timed, the count of each answer is compared with
  /// Roqua's.
  ///
  /// - Throws: ``BenchmarkError`` if an answer is wrong.
  package func run(_ question: Question) throws -> [Measurement] {
    try store.read { (snapshot) -> Result<[Measurement], any Error> in
      Result { try run(question, snapshot) }
    }.get()
  }

  /// A contender, and how far its count may differ from Roqua's.
  private struct Contender {
    /// The counts that are accepted.
    enum Tolerance {
      /// Only Roqua's.
      case none
      /// One more or less, since another formula may place a region near the edge on the other side
      /// of it.
      case atTheRim
      /// Between those of circles that are 1 % smaller and larger: a flat Earth.
      case flat
    }
    let name: String
    let tolerance: Tolerance
    let ask: (Coordinate) throws -> Int
  }

  private func run(_ question: Question, _ snapshot: Snapshot) throws -> [Measurement] {
    try check(question, snapshot)
    let contenders = contenders(question, snapshot)
    // An untimed pass fills the caches. For each contender it also determines how often to repeat a
    // search, so that the clock can measure it, and how many places to search: slow contenders get
    // fewer.
    var plans: [(repeats: Int, places: Int)] = []
    for contender in contenders {
      let start = Clock.processorSeconds()
      let first = centers.prefix(3)
      for center in first { _ = try contender.ask(center) }
      let each = (Clock.processorSeconds() - start) / Double(first.count)
      let places = max(1, min(centers.count, max(10, Int(Self.secondsEach / each))))
      for center in centers.prefix(places) { _ = try contender.ask(center) }
      let again = Clock.processorSeconds()
      let few = centers.prefix(min(20, places))
      for center in few { _ = try contender.ask(center) }
      let warm = (Clock.processorSeconds() - again) / Double(few.count)
      plans.append((max(1, min(1_000, Int(20e-6 / max(warm, 1e-9)))), places))
    }
    var times = [[Double]](repeating: [], count: contenders.count)
    var hits = [Double](repeating: 0, count: contenders.count)
    for (number, center) in centers.enumerated() {
      let expected = try contenders[0].ask(center)
      for (index, contender) in contenders.enumerated() where number < plans[index].places {
        // Brings into the processor's caches what the contenders before it displaced.
        var found = try contender.ask(center)
        let start = Clock.processorSeconds()
        for _ in 0..<plans[index].repeats { found = try contender.ask(center) }
        times[index].append((Clock.processorSeconds() - start) / Double(plans[index].repeats))
        hits[index] += Double(found)
        try compare(found, with: expected, of: contender, question, center, snapshot)
      }
    }
    return contenders.indices.map { index in
      let sample = Sample(times[index])
      // Relative to Roqua at the same places.
      let ours = Sample(Array(times[0].prefix(times[index].count)))
      return Measurement(
        question.part, question.name, contenders[index].name, unit: "search", sample,
        ratio: sample.median / ours.median, meanHits: hits[index] / Double(times[index].count))
    }
  }

  private func compare(
    _ found: Int, with expected: Int, of contender: Contender, _ question: Question,
    _ center: Coordinate,
    _ snapshot: Snapshot
  ) throws {
    let isRight: Bool
    switch (contender.tolerance, question) {
    case (.atTheRim, .near): isRight = abs(found - expected) <= 1
    case (.flat, .near(let meters)):
      isRight = try isRightOnFlatEarth(found, around: center, radiusMeters: meters, snapshot)
    default: isRight = found == expected
    }
    guard isRight else {
      throw BenchmarkError(
        "\(contender.name) returns \(found) regions for \(question.name) of \(center), "
          + "not \(expected)."
      )
    }
  }

  /// About how many seconds a contender may take for a question, at ten places or more.
  private static let secondsEach = 1.0

  private func contenders(_ question: Question, _ snapshot: Snapshot) -> [Contender] {
    var contenders: [Contender] = []
    func add(
      _ name: String, _ tolerance: Contender.Tolerance = .none,
      _ ask: @escaping (Coordinate) throws -> Int
    ) {
      contenders.append(Contender(name: name, tolerance: tolerance, ask: ask))
    }
    func add(_ competitor: any SearchCompetitor, _ ask: @escaping (Coordinate) throws -> Int) {
      add(competitor.name, competitor.measuresItself ? .atTheRim : .none, ask)
    }
    switch question {
    case .near(let meters):
      add("Roqua") { try snapshot.regions(near: $0, radiusMeters: meters).count }
      add("Roqua, with all place names read") { center in
        try snapshot.regions(near: center, radiusMeters: meters).reduce(0) { count, match in
          let place = match.region.place
          return count + (Self.bytes(place) >= 0 ? 1 : 0)
        }
      }
      add("Roqua, ids and distances") { try snapshot.hits(near: $0, radiusMeters: meters).count }
      add("Roqua, ids and distances, unsorted") { center in
        var (count, ids) = (0, Int64(0))
        try snapshot.forEachBatch(near: center, radiusMeters: meters) { hits in
          // Reads the id and the distance of each. Captured variables are in memory, so each is
          // changed once per batch.
          var (inside, sum) = (0, Int64(0))
          for hit in hits {
            inside &+= hit.distanceMeters <= meters ? 1 : 0
            sum &+= hit.id
          }
          count += inside
          ids &+= sum
        }
        return ids == 0 ? 0 : count
      }
      if meters == 2_000 {
        add("Roqua, one snapshot per query") { center in
          try store.read { snapshot in
            try snapshot.regions(near: center, radiusMeters: meters).count
          }
        }
      }
      add("lower bound: ids from sorted coordinates", .flat) {
        lowerBound.search(around: $0, radiusMeters: meters)
      }
      for competitor in competitors {
        add(competitor) { try competitor.rows(near: $0, radiusMeters: meters).count }
      }
    case .box(let meters):
      func box(_ center: Coordinate) -> BoundingBox {
        BoundingBox(around: LocalFrame(center: center), radiusMeters: meters)
      }
      add("Roqua") { try snapshot.regions(in: box($0)).count }
      for competitor in competitors {
        add(competitor) { try competitor.rows(in: box($0)).sorted { $0.id < $1.id }.count }
      }
    case .nearest(let count):
      add("Roqua") { try snapshot.nearestRegions(to: $0, count: count).count }
      add("Roqua, ids and distances") { try snapshot.nearestHits(to: $0, count: count).count }
      for competitor in competitors {
        add(competitor) { try Self.nearest(count, to: $0, of: competitor).count }
      }
    }
    if !competitors.isEmpty {
      add("scan of every region in memory") { scan(question, $0).count }
    }
    return contenders
  }

  /// Number of bytes in the texts of a place.
  private static func bytes(_ place: PlaceNames) -> Int {
    let texts = [place.countryCode, place.country, place.region, place.district, place.city]
    return texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
  }

  /// A scan of every region as one would program it: by the box first, then by distance only inside
  /// it. The nearest are found by their chords, of which the smallest are kept.
  func scan(_ question: Question, _ center: Coordinate) -> [Int64] {
    switch question {
    case .near(let meters):
      let box = BoundingBox(around: LocalFrame(center: center), radiusMeters: meters)
      var found: [(meters: Double, id: Int64)] = []
      for region in all where box.contains(region.coordinate) {
        let distance = center.distanceMeters(to: region.coordinate)
        if distance <= meters { found.append((distance, region.id)) }
      }
      return found.sorted { ($0.meters, $0.id) < ($1.meters, $1.id) }.map(\.id)
    case .box(let meters):
      let box = BoundingBox(around: LocalFrame(center: center), radiusMeters: meters)
      return all.filter { box.contains($0.coordinate) }.map(\.id)
    case .nearest(let count):
      let near = NearbyDistance(center: center)
      var found: [(meters: Double, id: Int64)] = []
      for region in all {
        let place = region.coordinate
        // Beyond the reach of the series the distance is exact.
        let meters =
          near.covers(place)
          ? near.meters(
            squaredChord: near.squaredChord(
              latitudeE7: place.latitudeE7, longitudeE7: place.longitudeE7))
          : center.distanceMeters(to: place)
        if found.count == count, let last = found.last, meters >= last.meters { continue }
        if found.count == count { found.removeLast() }
        found.insert((meters, region.id), at: found.partitioningIndex { $0.meters > meters })
      }
      return found.map(\.id)
    }
  }

  /// The nearest by a competitor that only searches circles: doubles the radius until it has
  /// enough.
  static func nearest(_ count: Int, to center: Coordinate, of competitor: any SearchCompetitor)
    throws
    -> [CompetitorRow]
  {
    var radius = 250.0
    while true {
      let rows = try competitor.rows(near: center, radiusMeters: radius)
      if rows.count >= count || radius > 20_100_000 { return Array(rows.prefix(count)) }
      radius *= 2
    }
  }
}
