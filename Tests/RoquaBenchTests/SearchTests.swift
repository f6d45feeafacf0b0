import CSQLite
import Foundation
import GeoStore
import Geodesy
import TestSupport
import Testing
import SQLiteLayer

@testable import RoquaBench

@Suite struct SearchTests {
  /// Creates competitors, and reads their regions from the database with plain SQL.
  private static func competitors(
    _ folder: TemporaryFolder
  ) throws -> (competitors: [any SearchCompetitor], rows: [(id: Int64, place: Coordinate)]) {
    let made = try BenchmarkStore.make(path: folder.file("store.sqlite"), regions: 3_000, seed: 5)
    _ = try SearchBenchmark(made, folder: folder.path, questions: 1, seed: 5)
    let database = try CompetitorDatabase(path: folder.file("competitors.sqlite"))
    let select = try database.prepare("SELECT id, latitude, longitude FROM regions")
    var rows: [(id: Int64, place: Coordinate)] = []
    while try select.step() {
      rows.append(
        (
          select.integer(0),
          try Coordinate(latitudeDegrees: select.double(1), longitudeDegrees: select.double(2))
        ))
    }
    var competitors: [any SearchCompetitor] = [
      try PlainIndexCompetitor(database), try GeohashTextCompetitor(database),
      try RTreeCompetitor(database),
    ]
    #if SpatiaLite
      competitors.append(
        try SpatiaLiteCompetitor.make(
          path: folder.file("spatialite-2.sqlite"), regionsAt: folder.file("competitors.sqlite")
        ).competitor)
    #endif
    return (competitors, rows)
  }

  @Test func `competitors return the same regions as a scan of all regions`() throws {
    let folder = try TemporaryFolder()
    let (competitors, rows) = try Self.competitors(folder)
    #expect(rows.count >= 3_000)
    for center in stride(from: 0, to: rows.count, by: 400).map({ rows[$0].place }) {
      for meters in [0.0, 90, 1_000, 20_000] {
        let within = rows.filter { center.distanceMeters(to: $0.place) <= meters }.map(\.id)
        let box = BoundingBox(around: LocalFrame(center: center), radiusMeters: meters)
        let inBox = rows.filter { box.contains($0.place) }.map(\.id)
        for competitor in competitors {
          let near = try competitor.rows(near: center, radiusMeters: meters)
          #expect(Set(near.map(\.id)) == Set(within), "\(competitor.name), \(meters) m")
          #expect(
            near.map(\.meters) == near.map(\.meters).sorted(), "\(competitor.name): nearest first")
          let found = try competitor.rows(in: box).map(\.id)
          #expect(found.sorted() == inBox.sorted(), "\(competitor.name), box of \(meters) m")
        }
      }
    }
  }

  @Test func `every query is measured for every competitor`() throws {
    let folder = try TemporaryFolder()
    var benchmark = Benchmark()
    benchmark.parts = [.near, .bbox, .nearest]
    benchmark.regions = 2_000
    benchmark.questions = 3
    let report = try benchmark.run(in: folder.path)
    let questions = Dictionary(grouping: report.measurements, by: \.question)
    #expect(questions.count == 7)
    for (name, rows) in questions {
      #expect(rows.first?.contender == "Roqua", "\(name)")
      #expect(rows.first?.ratio == 1, "\(name)")
      #expect(rows.count >= 5, "\(name)")
      #expect(rows.allSatisfy { $0.times.median > 0 && ($0.meanHits ?? 0) > 0 }, "\(name)")
      #expect(
        rows.contains { $0.contender.contains("every region") && $0.times.seconds.count <= 3 },
        "\(name)")
    }
    let tiles = try #require(report.builds.first { $0.name.contains("cached tiles") })
    #expect(tiles.seconds > 0)
    #expect((tiles.memoryBytes ?? 0) >= 16 * (report.regions ?? 0))
  }

  @Test func `competitors find regions on both sides of ±180°`() throws {
    let folder = try TemporaryFolder()
    let database = try CompetitorDatabase(path: folder.file("competitors.sqlite"))
    try database.execute(
      "CREATE TABLE regions (\(CompetitorRow.columns.joined(separator: ", ")), geohash TEXT)")
    let insert = try database.prepare(
      "INSERT INTO regions (id, latitude, longitude, geohash) VALUES (?1, ?2, ?3, ?4)")
    var places: [Coordinate] = []
    for longitude in [179.97, 179.99, 179.9999, -180, -179.9999, -179.98, -179.96] {
      let place = try Coordinate(latitudeDegrees: -16.8, longitudeDegrees: longitude)
      places.append(place)
      insert.bind(Int64(places.count), at: 1)
      insert.bind(place.latitudeDegrees, at: 2)
      insert.bind(place.longitudeDegrees, at: 3)
      insert.bind("\(Geohash(place, length: 9))", at: 4)
      _ = try insert.step()
      insert.reset()
    }
    try PlainIndexCompetitor.build(in: database)
    try GeohashTextCompetitor.build(in: database)
    try RTreeCompetitor.build(in: database)
    let competitors: [any SearchCompetitor] = [
      try PlainIndexCompetitor(database), try GeohashTextCompetitor(database),
      try RTreeCompetitor(database),
    ]
    for center in places {
      for meters in [20.0, 500, 2_500, 20_000] {
        let box = BoundingBox(around: LocalFrame(center: center), radiusMeters: meters)
        let expected = places.indices.filter { box.contains(places[$0]) }.map { Int64($0 + 1) }
        for competitor in competitors {
          let found = try competitor.rows(in: box).map(\.id)
          #expect(found.sorted() == expected, "\(competitor.name), \(meters) m around \(center)")
        }
      }
    }
  }

  @Test(arguments: [0, 12]) func `a row missing from a competitor's answer ends the run`(first: Int)
    throws
  {
    let folder = try TemporaryFolder()
    let made = try BenchmarkStore.make(path: folder.file("store.sqlite"), regions: 3_000, seed: 5)
    let search = try SearchBenchmark(made, folder: folder.path, questions: 60, seed: 5)
    let asked = search.centers.prefix(first)
    // The first place that is not near earlier ones, whose answers are compared more closely.
    let center = try #require(
      search.centers.dropFirst(first).first { center in
        asked.allSatisfy { $0.distanceMeters(to: center) > 5_000 }
      })
    #expect(throws: Never.self) { try search.run(.box(1_000)) }
    let box = BoundingBox(around: LocalFrame(center: center), radiusMeters: 600)
    let database = try CompetitorDatabase(path: folder.file("competitors.sqlite"))
    try database.execute(
      """
      DELETE FROM regions WHERE latitude BETWEEN \(box.south) AND \(box.north)
        AND longitude BETWEEN \(box.west) AND \(box.east)
      """)
    #expect(throws: BenchmarkError.self) { try search.run(.box(1_000)) }
  }

  @Test func `the lower bound counts between slightly smaller and larger circles`() throws {
    let folder = try TemporaryFolder()
    let made = try BenchmarkStore.make(path: folder.file("store.sqlite"), regions: 3_000, seed: 6)
    let regions = try made.store.read { snapshot in try snapshot.allRegions() }
    let lowerBound = SortedCoordinates(regions)
    for center in stride(from: 0, to: regions.count, by: 300).map({ regions[$0].coordinate }) {
      for meters in [500.0, 2_000, 10_000] {
        let count = lowerBound.search(around: center, radiusMeters: meters)
        let found = Set(lowerBound.found(count))
        #expect(found.count == count)
        for region in regions {
          let distance = center.distanceMeters(to: region.coordinate)
          if distance < 0.99 * meters {
            #expect(found.contains(region.id), "\(distance) m of \(meters)")
          }
          if distance > 1.01 * meters {
            #expect(!found.contains(region.id), "\(distance) m of \(meters)")
          }
        }
      }
    }
  }

  @Test func `benchmarking a user's store changes neither it nor its folder`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("mine"), withIntermediateDirectories: true)
    let path = folder.file("mine/store.sqlite")
    do {
      let made = try BenchmarkStore.make(path: path, regions: 500, seed: 2)
      #expect(made.regionCount >= 500)
    }
    // A rollback journal, as another program may leave it: opening the store would change the file.
    let database = try CompetitorDatabase(path: path)
    let version = try database.integer("PRAGMA user_version")
    try database.execute("PRAGMA journal_mode = DELETE")
    database.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("mine"))
    var benchmark = Benchmark()
    benchmark.parts = [.near]
    benchmark.questions = 2
    benchmark.storePath = path
    try FileManager.default.createDirectory(
      atPath: folder.file("scratch"), withIntermediateDirectories: true)
    let report = try benchmark.run(in: folder.file("scratch"))
    #expect(report.isUsersStore)
    #expect((report.regions ?? 0) >= 500)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("mine")) == names)
    #expect(names == ["store.sqlite"])
    #expect(version > 0)
  }
}
