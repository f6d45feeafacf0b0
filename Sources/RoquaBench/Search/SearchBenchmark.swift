import Foundation
import GeoStore
import Geodesy
import SQLiteLayer

/// Searches by distance and box in a store, against other indexes over the same rows in the same process.
public struct SearchBenchmark {
  /// What is searched for.
  public enum Question: Hashable, Sendable {
    /// All within so many metres, nearest first.
    case near(Double)
    /// All in a box with this many metres from the centre to its nearest edges, by id.
    case box(Double)
    /// So many, nearest first.
    case nearest(Int)

    /// Its name in tables.
    public var name: String {
      switch self {
      case .near(let meters): "near \(Self.text(meters))"
      case .box(let meters): "box \(Self.text(2 * meters))"
      case .nearest(let count): "nearest \(count)"
      }
    }

    /// The part of the benchmark that asks it.
    public var part: BenchmarkPart {
      switch self {
      case .near: .near
      case .box: .bbox
      case .nearest: .nearest
      }
    }

    /// What a part asks.
    public static func all(of part: BenchmarkPart) -> [Question] {
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

  /// Seconds that an index over all regions took to build, on the wall clock.
  public private(set) var builds: [BenchmarkReport.Build] = []

  let store: Store
  let rivals: [any SearchRival]
  /// The places that are asked around.
  let centers: [Coordinate]
  let all: [VisitedRegion]
  let floor: SortedCoordinates

  /// Prepares: copies the regions into a database of its own in `folder` and builds the rivals' indexes there.
  ///
  /// - Parameters:
  ///   - questions: how many places are asked around, drawn by `seed` from the regions and moved by up to 300 m.
  ///   - alone: whether to leave out the rivals, and so the building of their indexes.
  public init(
    _ made: BenchmarkStore, folder: String, questions: Int, seed: UInt64, alone: Bool = false
  ) throws {
    store = made.store
    all = try made.store.read { snapshot in try snapshot.allRegions() }
    guard !all.isEmpty else { throw BenchmarkError("The store has no regions to search.") }
    let sorted = Clock.wallSeconds { [all] in SortedCoordinates(all) }
    floor = sorted.result
    builds.append(.init(name: "the floor: sorted coordinates", seconds: sorted.seconds))
    var random = SeededGenerator(seed: seed)
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
      rivals = []
      return
    }
    let path = folder + "/rivals.sqlite"
    let database = try RivalDatabase(path: path)
    try database.execute("ATTACH '\(made.store.path)' AS o")
    let columns = RivalRow.columns.joined(separator: ", ")
    try database.execute(
      """
      CREATE TABLE regions (id INTEGER PRIMARY KEY, latitude REAL, longitude REAL, radius INTEGER,
        timestamp_start TEXT, timestamp_end TEXT, visit_count INTEGER, country_code TEXT, country TEXT, region TEXT,
        district TEXT, city TEXT, geohash TEXT);
      INSERT INTO regions SELECT \(columns), geohash FROM o.visited_regions ORDER BY id;
      DETACH o;
      """)
    var builds = builds
    func build(_ name: String, _ body: () throws -> Void) rethrows {
      builds.append(.init(name: name, seconds: try Clock.wallSeconds(body).seconds))
    }
    try build("Roqua: index on geohash with positions") {
      try database.execute("CREATE INDEX roqua ON regions (geohash, latitude, longitude)")
    }
    try database.execute("DROP INDEX roqua")
    try build("index on (latitude, longitude)") { try PlainIndexRival.build(in: database) }
    try build("index on geohash text") { try GeohashTextRival.build(in: database) }
    try build("R*Tree") { try RTreeRival.build(in: database) }
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    var rivals: [any SearchRival] = [
      try PlainIndexRival(database), try GeohashTextRival(database), try RTreeRival(database),
    ]
    #if SpatiaLite
      let made = try SpatiaLiteRival.make(path: folder + "/spatialite.sqlite", regionsAt: path)
      builds.append(.init(name: "SpatiaLite's spatial index", seconds: made.seconds))
      rivals.append(made.rival)
    #endif
    self.rivals = rivals
    self.builds = builds
  }

  /// Asks a question everywhere, of Roqua and of each rival, in turns. Around some places answers are compared with a
  /// look at every region, region by region; around all of them, while they are timed, the count of each with Roqua's.
  ///
  /// - Throws: ``BenchmarkError`` where an answer is another one.
  public func run(_ question: Question) throws -> [Measurement] {
    try store.read { (snapshot) -> Result<[Measurement], any Error> in
      Result { try run(question, snapshot) }
    }.get()
  }

  /// Who answers, and by how much its count may differ from Roqua's.
  private struct Contender {
    /// Which counts are right.
    enum Tolerance {
      /// Roqua's alone.
      case none
      /// One more or less: another formula may see a region at the very rim on the other side.
      case atTheRim
      /// Those of circles that are a hundredth smaller and larger: a flat Earth.
      case flat
    }
    let name: String
    let tolerance: Tolerance
    let ask: (Coordinate) throws -> Int
  }

  private func run(_ question: Question, _ snapshot: Snapshot) throws -> [Measurement] {
    try check(question, snapshot)
    let contenders = contenders(question, snapshot)
    // Once for the caches, where each learns how often it must ask for a time that the clock can tell, and at how many
    // places: who takes milliseconds is asked at fewer.
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
        var found = 0
        let start = Clock.processorSeconds()
        for _ in 0..<plans[index].repeats { found = try contender.ask(center) }
        times[index].append((Clock.processorSeconds() - start) / Double(plans[index].repeats))
        hits[index] += Double(found)
        try compare(found, with: expected, of: contender, question, center, snapshot)
      }
    }
    return contenders.indices.map { index in
      let sample = Sample(times[index])
      // Against Roqua at the same places.
      let ours = Sample(Array(times[0].prefix(times[index].count)))
      return Measurement(
        question.part, question.name, contenders[index].name, unit: "search", sample,
        ratio: sample.median / ours.median, meanHits: hits[index] / Double(times[index].count))
    }
  }

  private func compare(
    _ found: Int, with expected: Int, of contender: Contender, _ question: Question, _ center: Coordinate,
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
        "\(contender.name) gives \(found) regions for \(question.name) of \(center), not \(expected).")
    }
  }

  /// How long each contender may take for a question, about: at all places of `roqua bench`, or at ten at least.
  private static let secondsEach = 1.0

  private func contenders(_ question: Question, _ snapshot: Snapshot) -> [Contender] {
    var contenders: [Contender] = []
    func add(
      _ name: String, _ tolerance: Contender.Tolerance = .none, _ ask: @escaping (Coordinate) throws -> Int
    ) {
      contenders.append(Contender(name: name, tolerance: tolerance, ask: ask))
    }
    func add(_ rival: any SearchRival, _ ask: @escaping (Coordinate) throws -> Int) {
      add(rival.name, rival.measuresItself ? .atTheRim : .none, ask)
    }
    switch question {
    case .near(let meters):
      add("Roqua") { try snapshot.regions(near: $0, radiusMeters: meters).count }
      add("Roqua, every text of its place read") { center in
        try snapshot.regions(near: center, radiusMeters: meters).reduce(0) { count, match in
          let place = match.region.place
          return count + (Self.bytes(place) >= 0 ? 1 : 0)
        }
      }
      add("Roqua, ids and distances") { try snapshot.hits(near: $0, radiusMeters: meters).count }
      add("Roqua, ids and distances, unsorted") { center in
        var count = 0
        try snapshot.forEachHit(near: center, radiusMeters: meters) {
          count += $0.distanceMeters >= 0 ? 1 : 0
        }
        return count
      }
      if meters == 2_000 {
        add("Roqua, a read of its own") { center in
          try store.read { snapshot in
            try snapshot.regions(near: center, radiusMeters: meters).count
          }
        }
      }
      add("the floor: ids from sorted coordinates", .flat) { floor.search(around: $0, radiusMeters: meters) }
      for rival in rivals { add(rival) { try rival.rows(near: $0, radiusMeters: meters).count } }
    case .box(let meters):
      func box(_ center: Coordinate) -> BoundingBox {
        BoundingBox(around: LocalFrame(center: center), radiusMeters: meters)
      }
      add("Roqua") { try snapshot.regions(in: box($0)).count }
      for rival in rivals { add(rival) { try rival.rows(in: box($0)).sorted { $0.id < $1.id }.count } }
    case .nearest(let count):
      add("Roqua") { try snapshot.nearestRegions(to: $0, count: count).count }
      add("Roqua, ids and distances") { try snapshot.nearestHits(to: $0, count: count).count }
      for rival in rivals { add(rival) { try Self.nearest(count, to: $0, of: rival).count } }
    }
    if !rivals.isEmpty {
      add("a look at every region in memory") { scan(question, $0).count }
    }
    return contenders
  }

  /// Bytes of the texts of a place.
  private static func bytes(_ place: PlaceNames) -> Int {
    let texts = [place.countryCode, place.country, place.region, place.district, place.city]
    return texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
  }

  /// A look at every region as one would program it: by the box first, by distance only inside it; the nearest by the
  /// chord, of which the smallest are kept.
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
      var found: [(chord: Double, id: Int64)] = []
      for region in all {
        let chord = near.squaredChord(
          latitudeE7: region.coordinate.latitudeE7, longitudeE7: region.coordinate.longitudeE7)
        if found.count == count, let last = found.last, chord >= last.chord { continue }
        if found.count == count { found.removeLast() }
        found.insert((chord, region.id), at: found.partitioningIndex { $0.chord > chord })
      }
      return found.map(\.id)
    }
  }

  /// The nearest by a rival that knows circles only: twice the radius until there are enough.
  static func nearest(_ count: Int, to center: Coordinate, of rival: any SearchRival) throws
    -> [RivalRow]
  {
    var radius = 250.0
    while true {
      let rows = try rival.rows(near: center, radiusMeters: radius)
      if rows.count >= count || radius > 20_100_000 { return Array(rows.prefix(count)) }
      radius *= 2
    }
  }
}
