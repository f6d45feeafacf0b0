import Foundation
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

@Suite struct CheckTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func filledStore(_ options: StoreOptions = StoreOptions()) throws -> Store {
    let store = try Store(path: folder.file("s.sqlite"), creating: true, options: options)
    var random = SplitMix64(seed: 5)
    for index in 0..<3 {
      try store.add(
        wanderingTrack(count: 150, homes: Array(awkwardHomes.prefix(3)), using: &random),
        as: "\(index)")
    }
    var cells = Coverage()
    cells.mark(discAround: Coordinate(10, 10))
    try store.add(cells, as: "cells")
    var region = SourceRegion(center: Coordinate(20, 20), original: "{}")
    (region.visitCount, region.start, region.end) = (5, Self.minutes(0), Self.minutes(9_000))
    try store.add(regions: [region], as: "regions")
    return store
  }

  private static func minutes(_ count: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: 1_700_000_000_000 + count * 60_000)
  }

  /// Place names that depend on the coordinate.
  private static var namingOptions: StoreOptions {
    var options = StoreOptions(placeNames: { place in
      PlaceNames(countryCode: "XX", country: "Land", city: "City \(place.latitudeE7 / 100_000)")
    })
    options.reportMembers = { text in
      let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      return object?.mapValues { $0 is NSNull ? nil : "\($0)" }
    }
    return options
  }

  @Test func `an undamaged store passes the check`() throws {
    let store = try filledStore(Self.namingOptions)
    let before = try StoreContents(store)
    let check = try store.check()
    #expect(check.isSound && !check.isQuick)
    #expect(check.steps.map(\.subject) == StoreCheck.Subject.allCases)
    #expect(
      check.steps.allSatisfy {
        let isEmpty = [.erasure, .zones, .achievements].contains($0.subject)
        return ($0.count > 0) != isEmpty && $0.differences.isEmpty
      })
    #expect(check.steps.allSatisfy { !$0.isSkipped })
    func count(_ subject: StoreCheck.Subject) -> Int? {
      check.steps.first { $0.subject == subject }?.count
    }
    #expect(count(.regions) == before.regions.count && count(.places) == before.regions.count)
    #expect(count(.visits) == before.regions.reduce(0) { $0 + $1.visits.count })
    #expect(count(.coverage) == before.coverage.count)
    #expect(count(.sources) == 5)
    let quick = try store.check(isQuick: true)
    #expect(
      quick.isSound && quick.steps.map(\.subject) == [.database, .references, .schema, .erasure])
    try #expect(StoreContents(store) == before)
    #expect(try Store(path: folder.file("empty.sqlite"), creating: true).check().isSound)
  }

  @Test(arguments: 0..<(own.count + derived.count))
  func `the check finds each defect, and a repair fixes what the sources can restore`(index: Int)
    throws
  {
    let store = try filledStore(Self.namingOptions)
    let wrong = try (Self.own + Self.derived)[index].naming(regionsOf: store)
    let before = try StoreContents(store)
    try store.tamper(wrong.sql)
    try store.tamper("PRAGMA foreign_keys = ON")
    let check = try store.check()
    let step = try #require(check.steps.first { $0.differenceCount > 0 }, "\(wrong.sql)")
    #expect(step.subject == wrong.subject, "\(wrong.sql)")
    #expect(step.differences.contains { $0.contains(wrong.word) }, "\(step.differences)")
    #expect(
      !check.isSound && check.canBeRepaired == wrong.isMended, "\(wrong.sql): \(step.differences)")
    #expect(check.liesInSources == (wrong.isMended || [.sources, .tiles].contains(wrong.subject)))
    guard check.canBeRepaired else { return }
    #expect(try store.repair().isErased)
    let again = try store.check()
    #expect(again.isSound, "\(wrong.sql): \(again.steps.flatMap(\.differences))")
    let after = try StoreContents(store)
    #expect(after.keptFixes == before.keptFixes)
    if !wrong.sql.contains("source_tiles") { #expect(after.coverage == before.coverage) }
    if !wrong.sql.contains("settings") { #expect(after.regions == before.regions) }
    // The store accepts new sources as before.
    try store.add(
      [KeptFix(coordinate: Coordinate(60, 5), time: nil, accuracyMeters: nil, startsSegment: true)],
      as: "x")
    #expect(try store.check().isSound)
    #expect(try store.read { snapshot in try snapshot.sources().last?.id } == 6)
  }

  @Test(arguments: [
    "UPDATE sqlite_sequence SET seq = 1", "DELETE FROM sqlite_sequence", "DELETE FROM revision",
  ])
  func `a lowered counter of sources or a missing revision does not prevent an import`(sql: String)
    throws
  {
    let store = try filledStore()
    try store.tamper(sql)
    #expect(try store.regions().count > 5)
    try store.add(
      [KeptFix(coordinate: Coordinate(60, 5), time: nil, accuracyMeters: nil, startsSegment: true)],
      as: "x")
    #expect(try store.read { snapshot in try snapshot.sources().last?.id } == 6)
    #expect(try store.check().isSound)
  }

  @Test func `a counter at its maximum is reported as damage`() throws {
    let store = try filledStore()
    try store.tamper("UPDATE sqlite_sequence SET seq = 9223372036854775807")
    let detail = "sqlite_sequence, row sources: seq is 9223372036854775807"
    #expect(throws: DatabaseError.damaged(path: store.path, detail: detail)) {
      try store.add([], as: "x")
    }
  }

  @Test func `the check reports place names as skipped if it has no names to compare with`()
    throws
  {
    let store = try filledStore()
    try store.tamper("UPDATE places SET city = 'Atlantis'")
    let check = try store.check()
    #expect(check.isSound)
    let step = try #require(check.steps.first { $0.subject == .places })
    #expect(step.isSkipped && step.count == 0)
    #expect(check.steps.count(where: \.isSkipped) == 1)
  }

  @Test func `a rebuild keeps tables, indexes, views and triggers that a user added`() throws {
    let store = try filledStore()
    let mine = ["TABLE notes (text)", "INDEX mine ON repeat_visits (visits)", "VIEW v AS SELECT 1"]
    for thing in mine { try store.tamper("CREATE \(thing)") }
    try store.tamper("CREATE TRIGGER t AFTER INSERT ON notes BEGIN DELETE FROM notes; END")
    _ = try store.rebuild()
    let count = "SELECT count(*) FROM sqlite_schema WHERE name IN ('notes', 'mine', 'v', 't')"
    #expect(
      try store.withReader { (reader) throws(DatabaseError) in try reader.integer(count) } == 4)
  }

  @Test func `all differences are counted, and only some are listed`() throws {
    let store = try filledStore()
    try store.tamper("UPDATE regions SET radius = 1")
    let regions = try store.regions().count
    let step = try #require(try store.check().steps.first { $0.subject == .regions })
    #expect(step.differenceCount == regions && regions > StoreCheck.differenceLimit)
    #expect(step.differences.count == StoreCheck.differenceLimit)
  }

  @Test func `tables, indexes and views that a user added are not differences`() throws {
    let store = try filledStore()
    try store.tamper(
      """
      CREATE TABLE notes (text); CREATE INDEX mine ON repeat_visits (visits);
      CREATE VIEW v AS SELECT 1
      """)
    #expect(try store.check().isSound)
  }

  @Test(arguments: Seeds.sample(40))
  func `a flipped bit causes an error or a difference, or leaves the data unchanged`(
    seed: UInt64
  ) throws {
    let path = folder.file("s.sqlite")
    let before: StoreContents
    do {
      let store = try filledStore()
      before = try StoreContents(store)
      try store.checkpoint()
    }
    var random = SplitMix64(seed: seed)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes[.random(in: 0..<bytes.count, using: &random)] ^=
      1 << UInt8.random(in: 0..<8, using: &random)
    try folder.write(bytes, to: "flipped.sqlite")
    do {
      let store = try Store(path: folder.file("flipped.sqlite"), creating: false)
      guard try store.check().isSound else { return }
      let after = try StoreContents(store)
      #expect(after.coverage == before.coverage)
      // Place names are not compared, because this store has none.
      #expect(after.regions.map(\.coordinate) == before.regions.map(\.coordinate))
      #expect(after.regions.map(\.visits) == before.regions.map(\.visits))
    } catch is DatabaseError {
      // An error is valid too.
    }
  }
}
