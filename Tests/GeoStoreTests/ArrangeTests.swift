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

  @Test(arguments: Seeds.sample(40))
  func `pieces of two tracks that come in turns are cut at a privacy zone as whole tracks are`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let store = try store("a", clusteringRadiusMeters: 75)
    let tracks = (0..<2).map { _ in
      wanderingTrack(
        count: 60, homes: [Coordinate(48, 11)], strideMeters: 60, using: &random)
    }
    let zone = PrivacyZone(center: tracks[0][30].coordinate, radiusMeters: 300)
    let zones = try store.write { session in
      _ = try session.addZone(zone, named: nil)
      return try session.zones()
    }
    let sources = try store.write { session in
      try (0..<2).map { number in
        let columns: [DatabaseValue] = SourceRecord.columnNames.map { name in
          switch name {
          case "path", "format", "report", "imported_at": .text("2026-01-01T00:00:00Z")
          case "first_time", "last_time", "highest_m", "lowest_m", "height_steps": .null
          default: .integer(name == "points" ? 60 : 0)
          }
        }
        return try session.insert(
          SourceRecord(
            sha256: String(repeating: "\(number)", count: 64), withheld: 0, columns: columns))
      }
    }
    // Each transaction adds some pieces; those of the one before may move behind the new ones of
    // the other source.
    var places = [0, 0]
    var runs: [(source: Int, chunks: ClosedRange<Int64>?)] = []
    while places != [60, 60] {
      var pieces: [(source: Int, fixes: [KeptFix])] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let source = Int.random(in: 0..<2, using: &random)
        let end = min(60, places[source] + Int.random(in: 1...20, using: &random))
        guard end > places[source] else { continue }
        pieces.append((source, Array(tracks[source][places[source]..<end])))
        places[source] = end
      }
      guard !pieces.isEmpty else { continue }
      let moved = runs.last.flatMap { last in
        last.chunks != nil && Bool.random(using: &random) ? last : nil
      }
      // A piece of the same source must not come before the moved one.
      var arranged = pieces.map { ($0.source, Optional($0.fixes)) }
      var order = arranged.map { ArrangedRun(source: sources[$0.0], content: .new) }
      if let moved, let chunks = moved.chunks {
        let place = pieces.firstIndex { $0.source == moved.source } ?? pieces.count
        arranged.insert((moved.source, nil), at: place)
        order.insert(
          ArrangedRun(source: sources[moved.source], content: .stored(chunks)), at: place)
        runs.removeLast()
      }
      let last = runs.compactMap(\.chunks?.upperBound).max() ?? 0
      let stored = try store.write { session in
        let cut = try session.cutSources()
        // The row of the device that records, which knows no zone, comes with its pieces.
        for piece in pieces { try session.connection.removeCut(ofSource: sources[piece.source]) }
        return try session.arrange(after: last, order, cut: cut) { index in
          PackedFixes.pack(arranged[index].1 ?? [])
        }.runs
      }
      for (piece, run) in zip(arranged, stored) {
        guard let given = piece.1 else { continue }
        let kept = try store.write { session in
          try run.chunks.map {
            try session.history.keptFixes($0, ofSource: sources[piece.0])
          }
        }
        #expect(run.isWithheld == (kept ?? [] != given))
      }
      runs += zip(arranged, stored).map { ($0.0, $1.chunks) }
    }
    try store.write { session in
      for (track, source) in zip(tracks, sources) {
        var withheld = WithheldFixes(zones: zones)
        let chunks = try session.history.chunks().filter { $0.source == source }.map(\.id)
        let found = try chunks.flatMap {
          try session.history.keptFixes($0...$0, ofSource: source)
        }
        #expect(found == withheld.outside(track))
        #expect(try session.cutSources().contains(source) == withheld.isCutAtEnd)
      }
      try session.recount(sources)
    }
    let before = try store.write { try rows($0) }
    try store.write { try $0.rebuild() }
    #expect(try store.write { try rows($0) } == before)
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
