import Foundation
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import GeoStore

@Suite struct CheckTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func filledStore() throws -> Store {
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    var random = SplitMix64(seed: 5)
    for index in 0..<3 {
      try store.add(
        wanderingTrack(count: 150, homes: Array(awkwardHomes.prefix(3)), using: &random), as: "\(index)")
    }
    var cells = Coverage()
    cells.mark(discAround: Coordinate(10, 10))
    try store.add(cells, as: "cells")
    return store
  }

  @Test func `a store that nobody hurt is sound`() throws {
    let store = try filledStore()
    let before = try StoreContents(store)
    let check = try store.check()
    #expect(check.isSound && !check.isQuick)
    #expect(check.steps.map(\.subject) == StoreCheck.Subject.allCases)
    #expect(check.steps.allSatisfy { $0.count > 0 && $0.differences.isEmpty })
    func count(_ subject: StoreCheck.Subject) -> Int? { check.steps.first { $0.subject == subject }?.count }
    #expect(count(.regions) == before.regions.count)
    #expect(count(.visits) == before.regions.reduce(0) { $0 + $1.visits.count })
    #expect(count(.coverage) == before.coverage.count)
    #expect(count(.sources) == 4)
    let quick = try store.check(isQuick: true)
    #expect(quick.isSound && quick.steps.map(\.subject) == [.database, .references, .schema])
    try #expect(StoreContents(store) == before)
    #expect(try Store(path: folder.file("empty.sqlite"), creating: true).check().isSound)
  }

  /// What may be wrong, and where it is noticed first.
  private static let wrongs: [(sql: String, subject: StoreCheck.Subject, word: String)] = [
    ("PRAGMA foreign_keys = OFF; DELETE FROM sources WHERE id = 2", .references, "kept_fixes"),
    ("DROP INDEX visited_regions_by_country", .schema, "visited_regions_by_country is missing"),
    ("ALTER TABLE coverage_tiles ADD COLUMN note TEXT", .schema, "coverage_tiles is not"),
    ("UPDATE sources SET kept = kept - 1 WHERE id = 3", .sources, "source 3 has 150"),
    ("UPDATE kept_fixes SET count = 151 WHERE id = 1", .sources, "chunk 1 of source 1 has 150"),
    ("DELETE FROM kept_fixes WHERE id = 2", .sources, "source 2 has 0"),
    ("UPDATE kept_fixes SET payload = zeroblob(40) WHERE id = 2", .sources, "chunk 2 of source 2 cannot"),
    (
      "UPDATE coverage_tiles SET cells = cells + 1 WHERE key = (SELECT min(key) FROM coverage_tiles)", .tiles,
      "row says"
    ),
    ("UPDATE source_tiles SET bits = x'ffff'", .tiles, "(source 4) cannot be read"),
    ("UPDATE source_tiles SET key = -1", .tiles, "not on the grid"),
    ("UPDATE visited_regions SET visit_count = 99 WHERE id = 5", .regions, "(5): visit_count is 99"),
    ("UPDATE visited_regions SET radius = 200 WHERE id = 5", .regions, "(5): radius is 200, should be 150"),
    ("UPDATE visited_regions SET geohash = NULL WHERE id = 5", .regions, "(5): geohash is NULL"),
    ("UPDATE visited_regions SET timestamp_end = '2030' WHERE id = 5", .regions, "timestamp_end is 2030"),
    ("DELETE FROM visited_regions WHERE id = 5", .regions, "is missing"),
    ("UPDATE visited_regions SET latitude = latitude + 0.001 WHERE id = 5", .regions, "no source gives it"),
    ("INSERT INTO visits VALUES (5, 1, 2)", .visits, "(5): 1970-01-01T00:00:00.001Z"),
    ("UPDATE visits SET end_ms = end_ms + 1 WHERE region_id = 5", .visits, "(5): "),
    ("DELETE FROM visits", .visits, "no visit, should be"),
    ("DELETE FROM coverage_tiles", .coverage, "is missing"),
    ("UPDATE coverage_tiles SET (cells, bits) = (SELECT cells, bits FROM source_tiles)", .coverage, "cells"),
    ("DELETE FROM source_tiles", .coverage, "no source explored"),
    ("INSERT OR REPLACE INTO settings VALUES ('visitGapMinutes', 1)", .regions, "visit_count"),
  ]

  @Test(arguments: wrongs.indices)
  func `what is wrong is found, and a rebuild mends what follows from the sources`(index: Int) throws {
    let wrong = Self.wrongs[index]
    let store = try filledStore()
    try store.tamper(wrong.sql)
    let check = try store.check()
    let step = try #require(check.steps.first { $0.differenceCount > 0 }, "\(wrong.sql)")
    #expect(step.subject == wrong.subject)
    #expect(step.differences.contains { $0.contains(wrong.word) }, "\(step.differences)")
    #expect(!check.isSound && check.canBeRebuilt == wrong.subject.isDerived)
    guard check.canBeRebuilt else { return }
    _ = try store.rebuild()
    #expect(try store.check().isSound)
  }

  @Test func `many differences are counted, and only some listed`() throws {
    let store = try filledStore()
    try store.tamper("UPDATE visited_regions SET radius = 1")
    let regions = try store.regions().count
    let step = try #require(try store.check().steps.first { $0.subject == .regions })
    #expect(step.differenceCount == regions && regions > StoreCheck.differenceLimit)
    #expect(step.differences.count == StoreCheck.differenceLimit)
  }

  @Test func `what a user added beside the tables is no difference`() throws {
    let store = try filledStore()
    try store.tamper(
      "CREATE TABLE notes (text); CREATE INDEX mine ON visits (end_ms); CREATE VIEW v AS SELECT 1")
    #expect(try store.check().isSound)
  }

  @Test(arguments: Seeds.sample(40))
  func `a bit that flipped is an error or a difference, or changes nothing that follows`(seed: UInt64) throws
  {
    let path = folder.file("s.sqlite")
    let before: StoreContents
    do {
      let store = try filledStore()
      before = try StoreContents(store)
      try store.checkpoint()
    }
    var random = SplitMix64(seed: seed)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes[.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    try folder.write(bytes, to: "flipped.sqlite")
    do {
      let store = try Store(path: folder.file("flipped.sqlite"), creating: false)
      guard try store.check().isSound else { return }
      let after = try StoreContents(store)
      #expect(after.coverage == before.coverage)
      // Names of places, which this store has not, are not looked at.
      #expect(after.regions.map(\.coordinate) == before.regions.map(\.coordinate))
      #expect(after.regions.map(\.visits) == before.regions.map(\.visits))
    } catch is StoreError {
      // An error is as good.
    }
  }
}
