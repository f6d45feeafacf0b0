import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// Partial updates near removed fixes, compared with a full rebuild.
@Suite struct ReplayTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(_ clusteringRadiusMeters: Double = 75) throws -> Store {
    let options = StoreOptions(placeNames: {
      PlaceNames(country: "\($0.latitudeE7 / 1_000_000)", city: "\($0.longitudeE7 / 40_000)")
    })
    let store = try Store(path: folder.file("s.sqlite"), creating: true, options: options)
    try store.write { try $0.set(.clusteringRadiusMeters, to: clusteringRadiusMeters) }
    return store
  }

  /// All derived rows as text. Places are identified by name, since their ids may differ.
  private func rows(_ connection: Connection) throws -> [String] {
    let queries = [
      """
      SELECT json_array(r.id, latitude_e7, longitude_e7, accuracy, typeof(accuracy), radius,
        start_ms, end_ms, visit_count, made_by, changed_by, city, country)
      FROM regions r LEFT JOIN places p ON p.id = r.place_id ORDER BY r.id
      """,
      "SELECT json_array(region_id, block, visits) FROM repeat_visits ORDER BY 1",
      "SELECT json_array(region_id, start_ms, end_ms, visit_count) FROM stated_visits ORDER BY 1",
      "SELECT json_array(region_id, created_at, updated_at) FROM adopted_times ORDER BY 1",
      "SELECT json_array(city, country) FROM places ORDER BY 1",
      "SELECT json_array(key, cells, hex(bits)) FROM coverage_tiles ORDER BY key",
    ]
    return try queries.flatMap { sql in
      let select = try Statement(sql, on: connection)
      var rows = [sql]
      while try select.step() { rows.append(select.text(at: 0) ?? "NULL") }
      return rows
    }
  }

  /// Deletes something and compares the tables with those of a rebuild, then rolls back.
  private func expectRebuilt(
    _ store: Store, _ comment: Comment, _ delete: (WriteSession) throws -> MaintenanceReport
  ) throws {
    try store.write { session in
      session.cancel()
      let before = try session.derivedSize()
      let report = try delete(session)
      #expect(report.before == before, comment)
      #expect(try report.after == session.derivedSize(), comment)
      let found = try rows(session.connection)
      try session.rebuild()
      let expected = try rows(session.connection)
      #expect(Set(found).symmetricDifference(expected).sorted().prefix(6) == [], comment)
      #expect(found.count == expected.count, comment)
    }
  }

  /// The same fixes as recorded by another device: slightly moved, some missing.
  private func seenAgain(_ track: [KeptFix], using random: inout SplitMix64) -> [KeptFix] {
    var again: [KeptFix] = []
    for var fix in track where Int.random(in: 0..<5, using: &random) > 0 {
      fix.coordinate = fix.coordinate.randomNeighbor(within: 40, using: &random)
      if let time = fix.time {
        fix.time = Timestamp(
          millisecondsSince1970: time.millisecondsSince1970 + .random(in: -20...20, using: &random)
            * 1_000)
      }
      again.append(fix)
    }
    return again
  }

  @Test(arguments: Seeds.sample(6, of: 48))
  func `forgetting sources and zones gives the same tables as a rebuild`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let store = try store([75, 75, 8, 400][Int(seed % 4)])
    let homes = Array(
      (seed % 3 == 2 ? polarHomes : awkwardHomes).shuffled(using: &random).prefix(2))
    var tracks: [[KeptFix]] = []
    for index in 0..<8 {
      if index % 3 == 2, let known = tracks.randomElement(using: &random) {
        tracks.append(seenAgain(known, using: &random))
      } else {
        tracks.append(
          wanderingTrack(
            count: 90, homes: homes, strideMeters: [60, 150, 400][index % 3], using: &random))
      }
      if index == 5 { tracks[index].shuffle(using: &random) }
      try store.add(tracks[index], as: "\(index)")
    }
    for index in tracks.indices {
      let ids = index % 2 == 0 ? [index + 1] : [index + 1, (index + 3) % 8 + 1]
      try expectRebuilt(store, "sources \(ids)") { session in
        try session.forget(ids: ids.map(Int64.init))
      }
    }
    for _ in 0..<6 {
      guard let fix = tracks.randomElement(using: &random)?.randomElement(using: &random) else {
        continue
      }
      let zone = PrivacyZone(
        center: fix.coordinate.randomNeighbor(within: 100, using: &random),
        radiusMeters: .random(in: 20...500, using: &random))
      try expectRebuilt(store, "\(zone)") { session in try session.forget(in: zone) }
    }
  }

  @Test func `a deletion counts what an earlier one in its transaction left`() throws {
    var random = SplitMix64(seed: 1)
    let store = try store()
    for index in 0..<3 {
      let track = wanderingTrack(
        count: 90, homes: Array(awkwardHomes.prefix(1)), strideMeters: 60, using: &random)
      try store.add(track, as: "\(index)")
    }
    try store.write { session in
      let before = try session.derivedSize()
      let first = try session.forget(ids: [1])
      let second = try session.forget(ids: [2])
      #expect(first.before == before && second.before == first.after)
      #expect(first.after.visitedRegions < before.visitedRegions)
    }
  }

  @Test(arguments: Seeds.sample(6))
  func `adopted regions keep what the remaining fixes gave them`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let store = try store()
    let homes = Array(awkwardHomes.prefix(2))
    var regions: [SourceRegion] = []
    for index in 0..<40 {
      var region = SourceRegion(
        center: homes[index % 2].randomNeighbor(within: 900, using: &random), original: "{}")
      region.visitCount = index % 4 == 3 ? nil : .random(in: 1...3, using: &random)
      region.radiusMeters = index % 5 == 0 ? 220 : nil
      region.accuracyMeters = .random(in: -1...40, using: &random)
      if index % 3 != 2 {
        let start = Int64.random(in: 1_000_000_000...1_700_000_000, using: &random) * 1_000
        region.start = Timestamp(millisecondsSince1970: start)
        region.end = Timestamp(
          millisecondsSince1970: start + .random(in: 0...90_000_000, using: &random))
      }
      region.createdAt = "2020-01-01T00:00:00Z"
      regions.append(region)
    }
    try store.add(regions: regions, as: "regions")
    for index in 0..<5 {
      try store.add(wanderingTrack(count: 120, homes: homes, using: &random), as: "\(index)")
    }
    for id in Int64(1)...6 {
      try expectRebuilt(store, "source \(id)") { session in try session.forget(ids: [id]) }
    }
    for home in homes {
      let zone = PrivacyZone(
        center: home.randomNeighbor(within: 600, using: &random), radiusMeters: 60)
      try expectRebuilt(store, "\(zone)") { session in try session.forget(in: zone) }
    }
  }

  @Test func `forgetting one of many sources updates only the area near its fixes`() throws {
    var random = SplitMix64(seed: 3)
    let store = try store()
    for index in 0..<12 {
      let home = Coordinate(48 + Double(index % 6) / 100, 11)
      try store.add(
        wanderingTrack(count: 200, homes: [home], strideMeters: 60, using: &random), as: "\(index)")
    }
    try store.write { session in
      session.cancel()
      for id in Int64(1)...12 {
        let loader = try session.loader(removing: .ofSources([id]))
        #expect(loader.removedPositions.count == 200)
        #expect(try session.derivedUpdate { loader } != nil)
      }
    }
  }

  @Test func `if a region does not follow from the fixes, everything is rebuilt`() throws {
    let store = try store()
    var random = SplitMix64(seed: 4)
    for index in 0..<3 {
      try store.add(
        wanderingTrack(count: 100, homes: [Coordinate(48, 11)], using: &random), as: "\(index)")
    }
    try store.write { session in
      try session.connection.execute("UPDATE regions SET latitude_e7 = latitude_e7 + 1")
    }
    try expectRebuilt(store, "moved") { session in try session.forget(ids: [2]) }
  }
}
