import Foundation
import GeoStore
import Geodesy

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

    private static func text(_ meters: Double) -> String {
      meters >= 1_000 ? "\((meters / 100).rounded() / 10) km" : "\(Int(meters)) m"
    }
  }

  /// How one contender did with one question.
  public struct Row: Sendable {
    /// The question.
    public let question: Question
    /// Who answered.
    public let contender: String
    /// Seconds a question.
    public let times: Sample
    /// Rows of an answer, on average.
    public let meanHits: Double
    /// Its median as a multiple of that of Roqua with all columns.
    public let ratio: Double
  }

  /// Seconds that an index over all regions took to build, on the wall clock.
  public private(set) var buildSeconds: [(name: String, seconds: Double)] = []

  private let store: Store
  private let rivals: [any SearchRival]
  private let centers: [Coordinate]
  private let all: [VisitedRegion]

  /// Prepares: copies the regions into a database of its own in `folder` and builds the rivals' indexes there.
  ///
  /// - Parameter questions: how many places are asked around, drawn by `seed` from the regions and moved by up to 300 m.
  public init(_ made: BenchmarkStore, folder: String, questions: Int, seed: UInt64) throws {
    store = made.store
    all = try made.store.read { (snapshot) throws(StoreError) in try snapshot.allRegions() }
    guard !all.isEmpty else { throw BenchmarkError("The store has no regions to search.") }
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
    var seconds: [(name: String, seconds: Double)] = []
    func build(_ name: String, _ body: () throws -> Void) rethrows {
      seconds.append((name, try Clock.wallSeconds(body).seconds))
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
      seconds.append(("SpatiaLite's spatial index", made.seconds))
      rivals.append(made.rival)
    #endif
    self.rivals = rivals
    buildSeconds = seconds
  }

  /// Asks a question everywhere, of Roqua and of each rival, in turns.
  ///
  /// - Throws: ``BenchmarkError`` where an answer is not that of a look at every region.
  public func run(_ question: Question) throws -> [Row] {
    try store.read { (snapshot) throws(StoreError) -> Result<[Row], any Error> in
      Result { try run(question, snapshot) }
    }.get()
  }

  private typealias Contender = (name: String, ask: (Coordinate) throws -> Int)

  private func run(_ question: Question, _ snapshot: Snapshot) throws -> [Row] {
    try check(question, snapshot)
    let contenders = contenders(question, snapshot)
    // Once for the caches, where each learns how often it must ask for a time that the clock can tell.
    var repeats: [Int] = []
    for contender in contenders {
      for center in centers { _ = try contender.ask(center) }
      let start = Clock.processorSeconds()
      for center in centers.prefix(20) { _ = try contender.ask(center) }
      let each = (Clock.processorSeconds() - start) / Double(min(20, centers.count))
      repeats.append(max(1, min(1_000, Int(20e-6 / max(each, 1e-9)))))
    }
    var times = [[Double]](repeating: [], count: contenders.count)
    var hits = [Int](repeating: 0, count: contenders.count)
    for center in centers {
      for (index, contender) in contenders.enumerated() {
        let start = Clock.processorSeconds()
        for _ in 0..<repeats[index] { hits[index] += try contender.ask(center) }
        times[index].append((Clock.processorSeconds() - start) / Double(repeats[index]))
      }
    }
    let samples = times.map(Sample.init)
    return contenders.indices.map { index in
      Row(
        question: question, contender: contenders[index].name, times: samples[index],
        meanHits: Double(hits[index]) / Double(repeats[index] * centers.count),
        ratio: samples[index].median / samples[0].median)
    }
  }

  private func contenders(_ question: Question, _ snapshot: Snapshot) -> [Contender] {
    var contenders: [Contender] = []
    switch question {
    case .near(let meters):
      contenders.append(("Roqua", { try snapshot.regions(near: $0, radiusMeters: meters).count }))
      contenders.append(
        ("Roqua, ids and distances", { try snapshot.hits(near: $0, radiusMeters: meters).count }))
      contenders.append(
        (
          "Roqua, ids and distances, unsorted",
          { center in
            var sum = 0
            try snapshot.forEachHit(near: center, radiusMeters: meters) {
              sum += $0.distanceMeters >= 0 ? 1 : 0
            }
            return sum
          }
        ))
      for rival in rivals {
        contenders.append((rival.name, { try rival.rows(near: $0, radiusMeters: meters).count }))
      }
    case .box(let meters):
      func box(_ center: Coordinate) -> BoundingBox {
        BoundingBox(around: LocalFrame(center: center), radiusMeters: meters)
      }
      contenders.append(("Roqua", { try snapshot.regions(in: box($0)).count }))
      for rival in rivals {
        contenders.append((rival.name, { try rival.rows(in: box($0)).sorted { $0.id < $1.id }.count }))
      }
    case .nearest(let count):
      contenders.append(("Roqua", { try snapshot.nearestRegions(to: $0, count: count).count }))
      contenders.append(
        ("Roqua, ids and distances", { try snapshot.nearestHits(to: $0, count: count).count }))
      for rival in rivals {
        contenders.append((rival.name, { try Self.nearest(count, to: $0, of: rival).count }))
      }
    }
    return contenders
  }

  /// The nearest by a rival that knows circles only: twice the radius until there are enough.
  private static func nearest(_ count: Int, to center: Coordinate, of rival: any SearchRival) throws
    -> [RivalRow]
  {
    var radius = 250.0
    while true {
      let rows = try rival.rows(near: center, radiusMeters: radius)
      if rows.count >= count || radius > 20_100_000 { return Array(rows.prefix(count)) }
      radius *= 2
    }
  }

  /// Compares answers around some places with a look at every region.
  private func check(_ question: Question, _ snapshot: Snapshot) throws {
    for center in centers.prefix(3) {
      let expected = lookAtAll(question, center)
      func compare(_ name: String, _ found: [Int64]) throws {
        guard Set(found) == Set(expected), found.count == expected.count else {
          throw BenchmarkError(
            "\(name) gives \(found.count) regions for \(question.name) of \(center), not \(expected.count).")
        }
      }
      switch question {
      case .near(let meters):
        try compare("Roqua", snapshot.regions(near: center, radiusMeters: meters).map(\.region.id))
        for rival in rivals {
          let found = try rival.rows(near: center, radiusMeters: meters).map(\.id)
          // Another formula may see a region at the very rim on the other side.
          if !rival.measuresItself || abs(found.count - expected.count) > 1 { try compare(rival.name, found) }
        }
      case .box(let meters):
        let box = BoundingBox(around: LocalFrame(center: center), radiusMeters: meters)
        try compare("Roqua", snapshot.regions(in: box).map(\.id))
        for rival in rivals { try compare(rival.name, rival.rows(in: box).map(\.id)) }
      case .nearest(let count):
        try compare("Roqua", snapshot.nearestRegions(to: center, count: count).map(\.region.id))
        for rival in rivals where !rival.measuresItself {
          try compare(rival.name, Self.nearest(count, to: center, of: rival).map(\.id))
        }
      }
    }
  }

  private func lookAtAll(_ question: Question, _ center: Coordinate) -> [Int64] {
    switch question {
    case .near(let meters):
      let frame = LocalFrame(center: center)
      return all.filter {
        frame.isNearer(than: meters + 1, to: $0.coordinate)
          && center.distanceMeters(to: $0.coordinate) <= meters
      }.map(\.id)
    case .box(let meters):
      let box = BoundingBox(around: LocalFrame(center: center), radiusMeters: meters)
      return all.filter { box.contains($0.coordinate) }.map(\.id)
    case .nearest(let count):
      let near = all.map { (id: $0.id, meters: center.distanceMeters(to: $0.coordinate)) }
      return near.sorted { ($0.meters, $0.id) < ($1.meters, $1.id) }.prefix(count).map(\.id)
    }
  }
}
