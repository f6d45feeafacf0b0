import CSQLite
import Foundation
import GeoStore
import Geodesy
import TestSupport
import Testing

@testable import RoquaBench

@Suite struct SearchTests {
  /// Regions, read from the database by hand, and the rivals over them.
  private static func rivals(
    _ folder: TemporaryFolder
  ) throws -> (rivals: [any SearchRival], rows: [(id: Int64, place: Coordinate)]) {
    let made = try BenchmarkStore.make(path: folder.file("store.sqlite"), regions: 3_000, seed: 5)
    _ = try SearchBenchmark(made, folder: folder.path, questions: 1, seed: 5)
    let database = try RivalDatabase(path: folder.file("rivals.sqlite"))
    let select = try database.prepare("SELECT id, latitude, longitude FROM regions")
    var rows: [(id: Int64, place: Coordinate)] = []
    while try select.step() {
      rows.append(
        (
          select.integer(0),
          try Coordinate(latitudeDegrees: select.double(1), longitudeDegrees: select.double(2))
        ))
    }
    var rivals: [any SearchRival] = [
      try PlainIndexRival(database), try GeohashTextRival(database), try RTreeRival(database),
    ]
    #if SpatiaLite
      rivals.append(
        try SpatiaLiteRival.make(
          path: folder.file("spatialite-2.sqlite"), regionsAt: folder.file("rivals.sqlite")
        ).rival)
    #endif
    return (rivals, rows)
  }

  @Test func `rivals give the regions that a look at every one gives`() throws {
    let folder = try TemporaryFolder()
    let (rivals, rows) = try Self.rivals(folder)
    #expect(rows.count >= 3_000)
    for center in stride(from: 0, to: rows.count, by: 400).map({ rows[$0].place }) {
      for meters in [0.0, 90, 1_000, 20_000] {
        let within = rows.filter { center.distanceMeters(to: $0.place) <= meters }.map(\.id)
        let box = BoundingBox(around: LocalFrame(center: center), radiusMeters: meters)
        let inBox = rows.filter { box.contains($0.place) }.map(\.id)
        for rival in rivals {
          let near = try rival.rows(near: center, radiusMeters: meters)
          #expect(Set(near.map(\.id)) == Set(within), "\(rival.name), \(meters) m")
          #expect(near.map(\.meters) == near.map(\.meters).sorted(), "\(rival.name): nearest first")
          let found = try rival.rows(in: box).map(\.id)
          #expect(found.sorted() == inBox.sorted(), "\(rival.name), box of \(meters) m")
        }
      }
    }
  }

  @Test func `every question is measured for everyone`() throws {
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
        rows.contains { $0.contender.contains("every region") && $0.times.seconds.count <= 3 }, "\(name)")
    }
  }

  @Test func `rivals find what lies on both sides of ±180°`() throws {
    let folder = try TemporaryFolder()
    let database = try RivalDatabase(path: folder.file("rivals.sqlite"))
    try database.execute("CREATE TABLE regions (\(RivalRow.columns.joined(separator: ", ")), geohash TEXT)")
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
    try PlainIndexRival.build(in: database)
    try GeohashTextRival.build(in: database)
    try RTreeRival.build(in: database)
    let rivals: [any SearchRival] = [
      try PlainIndexRival(database), try GeohashTextRival(database), try RTreeRival(database),
    ]
    for center in places {
      for meters in [20.0, 500, 2_500, 20_000] {
        let box = BoundingBox(around: LocalFrame(center: center), radiusMeters: meters)
        let expected = places.indices.filter { box.contains(places[$0]) }.map { Int64($0 + 1) }
        for rival in rivals {
          let found = try rival.rows(in: box).map(\.id)
          #expect(found.sorted() == expected, "\(rival.name), \(meters) m around \(center)")
        }
      }
    }
  }

  @Test(arguments: [0, 12]) func `a row that a rival lacks ends the run`(first: Int) throws {
    let folder = try TemporaryFolder()
    let made = try BenchmarkStore.make(path: folder.file("store.sqlite"), regions: 3_000, seed: 5)
    let search = try SearchBenchmark(made, folder: folder.path, questions: 60, seed: 5)
    let asked = search.centers.prefix(first)
    // From the first place on, one that is not near those before it: they are looked at more closely, and agree.
    let center = try #require(
      search.centers.dropFirst(first).first { center in
        asked.allSatisfy { $0.distanceMeters(to: center) > 5_000 }
      })
    #expect(throws: Never.self) { try search.run(.box(1_000)) }
    let box = BoundingBox(around: LocalFrame(center: center), radiusMeters: 600)
    let database = try RivalDatabase(path: folder.file("rivals.sqlite"))
    try database.execute(
      """
      DELETE FROM regions WHERE latitude BETWEEN \(box.south) AND \(box.north)
        AND longitude BETWEEN \(box.west) AND \(box.east)
      """)
    #expect(throws: BenchmarkError.self) { try search.run(.box(1_000)) }
  }

  @Test func `the floor's count lies between those of slightly smaller and larger circles`() throws {
    let folder = try TemporaryFolder()
    let made = try BenchmarkStore.make(path: folder.file("store.sqlite"), regions: 3_000, seed: 6)
    let regions = try made.store.read { snapshot in try snapshot.allRegions() }
    let floor = SortedCoordinates(regions)
    for center in stride(from: 0, to: regions.count, by: 300).map({ regions[$0].coordinate }) {
      for meters in [500.0, 2_000, 10_000] {
        let count = floor.search(around: center, radiusMeters: meters)
        let found = Set(floor.found(count))
        #expect(found.count == count)
        for region in regions {
          let distance = center.distanceMeters(to: region.coordinate)
          if distance < 0.99 * meters { #expect(found.contains(region.id), "\(distance) m of \(meters)") }
          if distance > 1.01 * meters { #expect(!found.contains(region.id), "\(distance) m of \(meters)") }
        }
      }
    }
  }

  @Test func `a user's store is read, and neither it nor its folder changes`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("mine"), withIntermediateDirectories: true)
    let path = folder.file("mine/store.sqlite")
    do {
      let made = try BenchmarkStore.make(path: path, regions: 500, seed: 2)
      #expect(made.regionCount >= 500)
    }
    // A schema of before: opening such a store as a store would bring it up to date.
    let database = try RivalDatabase(path: path)
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
