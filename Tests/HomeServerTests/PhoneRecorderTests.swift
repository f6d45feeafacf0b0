import GeoStore
import Geodesy
import Roqua
import SeededRandom
import TestSupport
import Testing
import TrackIngest

@testable import HomeServer

@Suite struct PhoneRecorderTests {
  /// A store, its inbox, and a recorder.
  private struct Bench {
    let folder: TemporaryFolder
    let explorer: Explorer
    let inbox: Inbox
    let recorder: PhoneRecorder

    init(_ folder: TemporaryFolder) throws {
      self.folder = folder
      explorer = try Explorer(storePath: folder.file("s.sqlite"))
      try explorer.set(.minimumIntervalSeconds, to: 0)
      inbox = try Inbox(path: folder.file("s.sqlite.inbox"))
      recorder = PhoneRecorder(explorer, inbox)
    }
  }

  /// A walk with turns and rests in a small town, one fix every ten seconds.
  private static func walk(_ count: Int, seed: UInt64) -> [Fix] {
    var random = SplitMix64(seed: seed)
    var (latitude, longitude) = (48.58, 7.75)
    return (0..<count).map { index in
      latitude += Double.random(in: -0.0004...0.0008, using: &random)
      longitude += Double.random(in: -0.0004...0.0008, using: &random)
      return Fix(
        coordinate: Coordinate(latitude, longitude),
        time: Timestamp(millisecondsSince1970: 1_714_557_600_000 + Int64(index) * 10_000),
        horizontalAccuracyMeters: 8)
    }
  }

  /// What an import of segments gives: regions with their visits, and cells.
  private static func imported(_ segments: [[Fix]]) throws -> (regions: [String], cells: Int) {
    let folder = try TemporaryFolder()
    let explorer = try Explorer(storePath: folder.file("s.sqlite"))
    var text = "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk>"
    for segment in segments {
      text += "<trkseg>"
      for fix in segment {
        text += "<trkpt lat=\"\(fix.coordinate.latitudeDegrees)\""
        text += " lon=\"\(fix.coordinate.longitudeDegrees)\">"
        if let time = fix.time { text += "<time>\(time.iso8601)</time>" }
        text += "</trkpt>"
      }
      text += "</trkseg>"
    }
    let report = try explorer.importTracks([
      try folder.write(text + "</trk></gpx>", to: "track.gpx")
    ])
    try #require(report.kept > 0)
    return try contents(of: explorer)
  }

  private static func contents(of explorer: Explorer) throws -> (regions: [String], cells: Int) {
    let regions = try explorer.regions(matching: RegionQuery())
    let texts = regions.map { region in
      "\(region.coordinate) \(region.visitCount) \(region.timestampStart?.iso8601 ?? "") "
        + (region.timestampEnd?.iso8601 ?? "")
    }
    return (texts.sorted(), try explorer.statistics().cells)
  }

  @Test(arguments: 1...4) func `a walk sent in pieces equals its import`(seed: UInt64) async throws
  {
    let bench = try Bench(try TemporaryFolder())
    let walk = Self.walk(300, seed: seed)
    var random = SplitMix64(seed: seed)
    var rest = walk[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 1...40, using: &random))
      rest = rest.dropFirst(piece.count)
      _ = try await bench.inbox.receive(Array(piece), from: "a")
      // Sent again, as a phone does that has lost the answer.
      if Bool.random(using: &random) { _ = try await bench.inbox.receive(Array(piece), from: "a") }
      if Bool.random(using: &random) { await bench.recorder.record() }
    }
    await bench.recorder.finish()
    let found = try Self.contents(of: bench.explorer)
    let expected = try Self.imported([walk])
    #expect(found.regions == expected.regions && found.cells == expected.cells)
    #expect(bench.inbox.waitingCount == 0)
    #expect(try await bench.explorer.sources().map(\.path) == ["a"])
  }

  @Test(arguments: 1...4)
  func `a backlog that arrives after newer fixes is a segment of its own`(seed: UInt64) async throws
  {
    let bench = try Bench(try TemporaryFolder())
    let walk = Self.walk(300, seed: seed)
    let pieces = [walk[200...249], walk[0...99], walk[100...199], walk[250...299]].map(Array.init)
    for piece in pieces {
      _ = try await bench.inbox.receive(piece, from: "a")
      await bench.recorder.record()
    }
    await bench.recorder.finish()
    let found = try Self.contents(of: bench.explorer)
    let expected = try Self.imported([pieces[0], pieces[1] + pieces[2], pieces[3]])
    #expect(found.regions.first { !expected.regions.contains($0) } == nil)
    #expect(found.regions.count == expected.regions.count && found.cells == expected.cells)
  }

  @Test func `what was stored before a crash is not recorded again`() async throws {
    let folder = try TemporaryFolder()
    let walk = Self.walk(50, seed: 7)
    let first = try Bench(folder)
    _ = try await first.inbox.receive(walk, from: "a")
    let entries = try await first.inbox.entries(after: 0, limit: 100)
    // Stored, but the entries are still in the inbox.
    let recording = try await first.explorer.startRecording(named: "a")
    _ = try await recording.add(entries.map(\.fix))
    _ = try await recording.endRun()
    let kept = try await first.explorer.sources().reduce(0) { $0 + $1.kept }
    let cells = try await first.explorer.statistics().cells
    let again = PhoneRecorder(first.explorer, first.inbox)
    await again.record()
    await again.finish()
    #expect(first.inbox.waitingCount == 0)
    #expect(try await first.explorer.statistics().cells >= cells)
    // Fixes that were dropped are judged again, those that were kept are not kept twice.
    let fixes = try await first.explorer.read { snapshot in
      var fixes: [KeptFix] = []
      try snapshot.forEachChunkOfKeptFixes { fixes += $0 }
      return fixes
    }
    let marks = fixes.map { "\($0.coordinate) \($0.time?.millisecondsSince1970 ?? 0)" }
    #expect(Set(marks).count == marks.count && marks.count >= kept)
  }

  @Test func `a recording that was forgotten is begun again, and others go on`() async throws {
    let bench = try Bench(try TemporaryFolder())
    let (one, other) = (Self.walk(60, seed: 1), Self.walk(60, seed: 2))
    _ = try await bench.inbox.receive(Array(one[..<30]), from: "a")
    _ = try await bench.inbox.receive(Array(other[..<30]), from: "b")
    await bench.recorder.record()
    let begun = try await bench.explorer.sources()
    let first = try #require(begun.first { $0.path == "a" })
    _ = try await bench.explorer.forget(sources: [first.id])
    _ = try await bench.inbox.receive(Array(one[30...]), from: "a")
    _ = try await bench.inbox.receive(Array(other[30...]), from: "b")
    await bench.recorder.record()
    #expect(await !bench.recorder.counts.isHealthy)
    #expect(await bench.recorder.counts.failures == 1)
    await bench.recorder.record()
    #expect(await bench.recorder.counts.isHealthy)
    await bench.recorder.finish()
    #expect(bench.inbox.waitingCount == 0)
    let sources = try await bench.explorer.sources()
    #expect(sources.map(\.path).sorted() == ["a", "b"])
    #expect(sources.first { $0.path == "a" }?.id != first.id)
    let alone = try Bench(try TemporaryFolder())
    _ = try await alone.inbox.receive(other, from: "b")
    await alone.recorder.finish()
    let kept = try await alone.explorer.sources().map(\.kept)
    #expect(sources.filter { $0.path == "b" }.map(\.kept) == kept)
  }

  @Test func `a damaged row of one phone stops neither its other fixes nor other phones`()
    async throws
  {
    let bench = try Bench(try TemporaryFolder())
    let (one, other) = (Self.walk(30, seed: 1), Self.walk(30, seed: 2))
    _ = try await bench.inbox.receive(one, from: "a")
    _ = try await bench.inbox.receive(other, from: "b")
    // The last one of the first phone.
    try InboxTests.alter(
      bench.inbox.path, "UPDATE received SET latitude_e7 = 1 << 40 WHERE id = 30")
    await bench.recorder.record()
    #expect(await bench.recorder.counts.isHealthy)
    await bench.recorder.finish()
    #expect(bench.inbox.waitingCount == 0 && bench.inbox.setAside == [30: .coordinate])
    let sound = try Bench(try TemporaryFolder())
    _ = try await sound.inbox.receive(Array(one.dropLast()), from: "a")
    _ = try await sound.inbox.receive(other, from: "b")
    await sound.recorder.finish()
    let (found, expected) = (
      try Self.contents(of: bench.explorer), try Self.contents(of: sound.explorer)
    )
    #expect(found.regions == expected.regions && found.cells == expected.cells)
  }

  @Test func `a damaged row at the end is read again by the next start only, and recorded then`()
    async throws
  {
    let bench = try Bench(try TemporaryFolder())
    _ = try await bench.inbox.receive(Self.walk(30, seed: 4), from: "a")
    let place = "UPDATE received SET latitude_e7 = latitude_e7"
    try InboxTests.alter(bench.inbox.path, "\(place) + (1 << 40) WHERE id = 30")
    await bench.recorder.record()
    try InboxTests.alter(bench.inbox.path, "\(place) - (1 << 40) WHERE id = 30")
    await bench.recorder.finish()
    #expect(bench.inbox.waitingCount == 0 && bench.inbox.setAside == [30: .coordinate])
    let next = PhoneRecorder(bench.explorer, bench.inbox)
    await next.finish()
    #expect(await next.counts.isHealthy)
    #expect(bench.inbox.waitingCount == 0 && bench.inbox.setAside == [:])
    #expect(try await bench.inbox.entries(after: 0, limit: 9) == [])
  }

  @Test func `a fix in a privacy zone leaves the inbox and is not stored`() async throws {
    let bench = try Bench(try TemporaryFolder())
    let walk = Self.walk(20, seed: 3)
    _ = try await bench.explorer.addPrivacyZone(
      PrivacyZone(center: walk[0].coordinate, radiusMeters: 5_000))
    _ = try await bench.inbox.receive(walk, from: "a")
    await bench.recorder.finish()
    #expect(bench.inbox.waitingCount == 0)
    #expect(try await bench.explorer.statistics().cells == 0)
  }

  @Test func `runs divide at every fix that is older, and where newer ones go on`() {
    var track = DeviceTrack()
    let times = [5, 6, 7, 1, 2, 3, 3, 8, 9, 4, 10]
    let starts = times.map { track.startsRun(InboxTests.fix($0)) }
    #expect(
      starts == [false, false, false, true, false, false, false, true, false, true, true])
  }

  @Test func `runs divide at gaps of more than five minutes`() {
    var track = DeviceTrack()
    let starts = [0, 30, 61, 92, 122, 200].map { track.startsRun(InboxTests.fix($0)) }
    #expect(starts == [false, false, true, true, false, true])
  }
}
