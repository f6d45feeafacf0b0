import CSQLite
import Foundation
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import GeoStore

/// Stores of older versions (``OldStore``).
@Suite struct MigrationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A store of now with tracks, regions, visits, settings and, from version 2 on, cells of a source's own, from version 5 on
  /// regions of a source's own.
  private func store(version: Int) throws -> Store {
    var random = SplitMix64(seed: 11)
    let options = StoreOptions(
      placeNames: { PlaceNames(countryCode: "CH", country: $0.latitudeDegrees > 10 ? "North" : "South") },
      now: { Timestamp(millisecondsSince1970: 1_700_000_000_000) })
    let store = try Store(path: folder.file("new.sqlite"), creating: true, options: options)
    try store.write { (session) throws(StoreError) in try session.set(.visitGapMinutes, to: 20) }
    for seed in 1...2 {
      try store.add(wanderingTrack(count: 300, homes: awkwardHomes, using: &random), as: "track \(seed)")
    }
    if version >= 2 {
      var cells = Coverage(grid: .standard)
      cells.mark(discAround: Coordinate(-33.9, 18.4))
      try store.write { (session) throws(StoreError) in
        let writer = try session.beginCellSource(grid: .standard)
        for (key, tile) in cells.tiles { try writer.append(tile, at: key) }
        _ = try writer.finish(.sample("cells"))
      }
    }
    if version >= 5 {
      var region = SourceRegion(center: Coordinate(35.68, 139.77), original: #"{"id":1}"#)
      region.visitCount = 5
      region.start = Timestamp(millisecondsSince1970: 1_600_000_000_000)
      region.end = Timestamp(millisecondsSince1970: 1_650_000_000_000)
      try store.add(regions: [region], as: "regions")
    }
    try store.checkpoint()
    return store
  }

  @Test(arguments: 1..<Schema.currentVersion)
  func `a store of any older version is brought to the current one with all that it holds`(version: Int)
    throws
  {
    let new = try store(version: version)
    let path = folder.file("old.sqlite")
    try OldStore.make(at: path, version: version, from: new)
    for (table, _, _) in OldStore.tables(version: version) {
      let hasRows = try new.read { (snapshot) throws(StoreError) in
        try snapshot.connection.integer("SELECT EXISTS (SELECT 1 FROM \(table))")
      }
      #expect(hasRows == 1, "\(table)")
    }
    let migrated = try Store(path: path, creating: false)
    #expect(try migrated.pragma("user_version").writer == "\(Schema.currentVersion)")
    #expect(try schema(of: migrated) == schema(of: new))
    #expect(try migrated.regions() == new.regions())
    try #expect(StoreContents(migrated) == StoreContents(new))
    let sources = { (store: Store) throws in
      try store.read { (snapshot) throws(StoreError) in try snapshot.sources() }
    }
    #expect(try sources(migrated) == sources(new))
    #expect(
      try migrated.read { (snapshot) throws(StoreError) in snapshot.settings[.visitGapMinutes] } == 20)
    // Searches read indexes that were made anew.
    for home in awkwardHomes {
      let nearest = { (store: Store) throws in
        try store.read { (snapshot) throws(StoreError) in try snapshot.nearestRegions(to: home, count: 20) }
      }
      #expect(try nearest(migrated) == nearest(new))
    }
    #expect(try migrated.check().isSound)
    // It goes on as the other does.
    var random = SplitMix64(seed: 12)
    let track = wanderingTrack(count: 100, homes: awkwardHomes, using: &random)
    for store in [migrated, new] { try store.add(track, as: "later") }
    try #expect(StoreContents(migrated).keptFixes == StoreContents(new).keptFixes)
    #expect(try migrated.regions().map(\.coordinate) == new.regions().map(\.coordinate))
    #expect(try migrated.check().isSound)
  }

  /// The SQL of all tables, indexes and views, without the white space that ALTER TABLE leaves.
  private func schema(of store: Store) throws -> [String] {
    try store.read { (snapshot) throws(StoreError) in
      let select = try Statement(
        "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY name",
        on: snapshot.connection)
      var found: [String] = []
      while try select.step() {
        found.append((select.text(at: 0) ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " "))
      }
      return found
    }
  }
}
