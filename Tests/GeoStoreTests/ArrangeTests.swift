import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// The order of fixes that devices agree on, compared with stores that took them in that order.
@Suite struct ArrangeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(_ name: String, clusteringRadiusMeters: Double) throws -> Store {
    let options = StoreOptions(placeNames: {
      PlaceNames(country: "\($0.latitudeE7 / 1_000_000)", city: "\($0.longitudeE7 / 40_000)")
    })
    let store = try Store(path: folder.file(name), creating: true, options: options)
    try store.write { try $0.set(.clusteringRadiusMeters, to: clusteringRadiusMeters) }
    return store
  }

  /// The derived rows as text, with sources by path instead of number.
  private func rows(_ session: WriteSession) throws -> [String] {
    let queries = [
      """
      SELECT json_array(r.id, latitude_e7, longitude_e7, accuracy, typeof(accuracy), radius,
        start_ms, end_ms, visit_count, m.path, c.path, city, country)
      FROM regions r LEFT JOIN places p ON p.id = r.place_id
        JOIN sources m ON m.id = made_by JOIN sources c ON c.id = changed_by ORDER BY r.id
      """,
      "SELECT json_array(region_id, block, visits) FROM repeat_visits ORDER BY 1",
      "SELECT json_array(city, country) FROM places ORDER BY 1",
      "SELECT json_array(key, cells, hex(bits)) FROM coverage_tiles ORDER BY key",
    ]
    return try queries.flatMap { sql in
      let select = try Statement(sql, on: session.connection)
      var rows = [sql]
      while try select.step() { rows.append(select.text(at: 0) ?? "NULL") }
      return rows
    }
  }

  private func fixes(_ session: WriteSession) throws -> [[KeptFix]] {
    var runs: [[KeptFix]] = []
    var last: Int64 = 0
    try session.connection.forEachChunkOfKeptFixes { (fixes, source) in
      if source == last { runs[runs.count - 1] += fixes } else { runs.append(fixes) }
      last = source
    }
    return runs
  }

  private func tracks(_ count: Int, using random: inout SplitMix64) -> [[KeptFix]] {
    let homes = Array(awkwardHomes.shuffled(using: &random).prefix(2))
    return (0..<count).map { index in
      wanderingTrack(
        count: Int.random(in: 1...90, using: &random), homes: homes,
        strideMeters: [60, 150, 400][index % 3], using: &random)
    }
  }

  @Test(arguments: Seeds.sample(40))
  func `an arranged store equals one that took the fixes in that order`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let radius = [75.0, 75, 12, 400][Int(seed % 4)]
    let (store, other) = (
      try store("a", clusteringRadiusMeters: radius), try store("b", clusteringRadiusMeters: radius)
    )
    let tracks = tracks(8, using: &random)
    // The first five are in the store; the order keeps some of them in their place.
    let staying = Int.random(in: 0...5, using: &random)
    let order = Array(0..<staying) + Array(staying..<8).shuffled(using: &random)
    for index in 0..<5 { try store.add(tracks[index], as: "\(index)") }
    for index in order { try other.add(tracks[index], as: "\(index)") }
    let expected = try other.write { (try rows($0), try fixes($0)) }
    // The rows of all sources, in the order of the tracks.
    let sources = try other.write { session in
      zip(order, try session.history.sourceRecords()).sorted { $0.0 < $1.0 }.map(\.1.source)
    }
    try store.write { session in
      let chunks = try session.history.chunks()
      var ids: [Int: Int64] = [:]
      for (index, known) in try session.history.sourceRecords().enumerated() {
        ids[index] = known.id
      }
      for index in 5..<8 { ids[index] = try session.insert(sources[index]) }
      let runs = try order.dropFirst(staying).map { index in
        let id = try #require(ids[index])
        let own = chunks.filter { $0.source == id }.map(\.id)
        if let first = own.first, let last = own.last {
          return ArrangedRun(source: id, content: .stored(first...last))
        }
        return ArrangedRun(source: id, content: .new)
      }
      let last = chunks.last { chunk in (0..<staying).contains { ids[$0] == chunk.source } }?.id
      let (stored, mustRebuild) = try session.arrange(after: last ?? 0, runs) { place in
        PackedFixes.pack(tracks[order[staying + place]])
      }
      if mustRebuild { try session.rebuild() }
      try session.recount(ids.values)
      #expect(try fixes(session) == expected.1)
      let found = try rows(session)
      #expect(Set(found).symmetricDifference(expected.0).sorted().prefix(6) == [])
      #expect(found.count == expected.0.count)
      for (place, run) in stored.enumerated() {
        let kept = try run.chunks.map {
          try session.history.keptFixes($0, ofSource: runs[place].source)
        }
        #expect(kept == tracks[order[staying + place]])
      }
      #expect(try session.history.sourceRecords().count == 8)
    }
    #expect(try store.check().isSound)
  }

  @Test(arguments: Seeds.sample(24))
  func `deleting what another device deleted equals a rebuild`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let store = try store("a", clusteringRadiusMeters: [75, 12, 400][Int(seed % 3)])
    let tracks = tracks(6, using: &random)
    for index in tracks.indices { try store.add(tracks[index], as: "\(index)") }
    try store.write { session in
      var runs: [ReducedRun] = []
      for chunk in try session.history.chunks() where Bool.random(using: &random) {
        let fixes = try session.history.keptFixes(chunk.id...chunk.id, ofSource: chunk.source)
        let gone = fixes.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
        let removed = Set(gone.map(FixKey.init))
        runs.append(
          ReducedRun(
            source: chunk.source, chunks: chunk.id...chunk.id,
            fixes: fixes.filter { !removed.contains(FixKey($0)) }, removed: removed))
      }
      if try session.reduce(runs) { try session.rebuild() }
      try session.recount(runs.map(\.source))
      let found = try rows(session)
      try session.rebuild()
      let expected = try rows(session)
      #expect(Set(found).symmetricDifference(expected).sorted().prefix(6) == [])
    }
    // The rows of the sources, which another device sends, still describe what was there.
    let differences = try store.check().steps.flatMap(\.differences)
    let others = differences.filter { !$0.contains("report says") && !$0.contains("_time") }
    #expect(others.allSatisfy { $0.contains("still in the file") })
  }

  @Test func `fixes that are in no run are not deleted`() throws {
    var random = SplitMix64(seed: 9)
    let store = try store("a", clusteringRadiusMeters: 75)
    let tracks = tracks(3, using: &random)
    for index in tracks.indices { try store.add(tracks[index], as: "\(index)") }
    let before = try store.write { try rows($0) }
    #expect(throws: DatabaseError.self) {
      try store.write { session in
        let chunks = try session.history.chunks()
        let last = try #require(chunks.last)
        let run = ArrangedRun(source: last.source, content: .stored(last.id...last.id))
        _ = try session.arrange(after: 0, [run]) { _ in [] }
      }
    }
    #expect(try store.write { try rows($0) } == before)
  }

  @Test func `new fixes in a privacy zone are left out`() throws {
    var random = SplitMix64(seed: 8)
    let store = try store("a", clusteringRadiusMeters: 75)
    let track = wanderingTrack(
      count: 60, homes: [Coordinate(48, 11)], strideMeters: 150, using: &random)
    try store.add(track, as: "0")
    let zone = PrivacyZone(center: track[20].coordinate, radiusMeters: 300)
    try store.write { _ = try $0.addZone(zone, named: nil) }
    try store.write { session in
      var source = try session.history.sourceRecords()[0].source
      source.sha256 = String(repeating: "5", count: 64)
      let id = try session.insert(source)
      let run = ArrangedRun(source: id, content: .new)
      let last = try session.history.chunks().last?.id ?? 0
      let stored = try session.arrange(after: last, [run]) { _ in PackedFixes.pack(track) }.runs
      #expect(stored.map(\.isWithheld) == [true])
      let chunks = try #require(stored[0].chunks)
      let kept = try session.history.keptFixes(chunks, ofSource: id)
      #expect(kept.map(\.coordinate) == track.map(\.coordinate).filter { !zone.contains($0) })
    }
  }

  @Test func `a recording does not add to chunks that other devices know`() throws {
    let store = try store("a", clusteringRadiusMeters: 75)
    let recording = try store.beginRecording(
      identifier: String(repeating: "a", count: 64), name: "r", format: "live")
    func append(_ count: Int, from start: Int) throws {
      for step in start..<start + count {
        let fix = KeptFix(
          coordinate: Coordinate(48 + Double(step) / 1_000, 11),
          time: Timestamp(millisecondsSince1970: Int64(step) * 60_000), accuracyMeters: nil,
          startsSegment: step == 0)
        _ = try recording.append([fix], points: 1)
      }
    }
    try append(40, from: 0)
    let sealed = try store.write { session in
      let last = try session.history.chunks().last?.id ?? 0
      try session.setSyncState((last, [1, 2, 3]))
      #expect(try session.history.syncState()?.state == [1, 2, 3])
      return try session.history.chunks()
    }
    try append(400, from: 40)
    try store.write { session in
      let chunks = try session.history.chunks()
      #expect(Array(chunks.prefix(sealed.count)) == sealed)
      #expect(chunks.map(\.count).reduce(0, +) == 440)
    }
  }
}
