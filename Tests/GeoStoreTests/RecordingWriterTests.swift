import Foundation
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

@Suite struct RecordingWriterTests {
  private let homes = [Coordinate(47.37, 8.54), Coordinate(-16.8, 180)]

  @Test(arguments: Seeds.sample(8))
  func `recording fix by fix equals an import of the same fixes while others write`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let live = try Store(path: folder.file("live.sqlite"), creating: true)
    let other = try Store(path: folder.file("live.sqlite"), creating: false)
    let whole = try Store(path: folder.file("whole.sqlite"), creating: true)
    let recording = try live.beginRecording(identifier: "live", name: "recording", format: "live")
    var sum = SourceChanges()
    let track = wanderingTrack(count: 400, homes: homes, using: &random)
    var start = 0
    while start < track.count {
      let end = min(
        track.count, start + (seed % 2 == 0 ? 1 : Int.random(in: 0...90, using: &random)))
      let changes = try recording.append(Array(track[start..<end]), points: end - start + 1).changes
      sum = sum + changes
      #expect(try whole.add(Array(track[start..<end]), as: "\(start)-\(end)") == changes)
      if Int.random(in: 0..<40, using: &random) == 0 {
        let file = wanderingTrack(count: 30, homes: homes, using: &random)
        let name = "file \(start)"
        try (Bool.random(using: &random) ? live : other).add(file, as: name)
        try whole.add(file, as: name)
      }
      start = end
    }
    try recording.finish(report: "{\"done\":true}")
    #expect(try live.regions() == whole.regions())
    #expect(try live.coverage() == whole.coverage())
    #expect(sum.kept == track.count)
    let row = try live.read { snapshot in
      let text = try snapshot.connection.text(
        "SELECT kept || ' ' || first_time || ' ' || last_time || ' ' || report FROM sources "
          + "WHERE path = 'recording'"
      )
      let chunks = try snapshot.connection.integer(
        "SELECT count(*) FROM kept_fixes WHERE source_id = 1")
      return (text, chunks)
    }
    let times = track.compactMap(\.time)
    let (first, last) = (try #require(times.min()), try #require(times.max()))
    #expect(row.0 == "\(track.count) \(first.iso8601) \(last.iso8601) {\"done\":true}")
    var fixes: [KeptFix] = []
    try live.read { snapshot in
      try snapshot.forEachChunkOfKeptFixes { fixes += $0 }
    }
    #expect(fixes.filter { Set(track).contains($0) }.count >= track.count)
    // A rebuild from the kept fixes changes nothing.
    let (regions, coverage) = (try live.regions(), try live.coverage())
    try live.write { session in try session.rebuild() }
    #expect(try live.regions() == regions)
    #expect(try live.coverage() == coverage)
  }

  @Test func `full chunks are merged while nobody else writes`() throws {
    var random = SplitMix64(seed: 4)
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("live.sqlite"), creating: true)
    let recording = try store.beginRecording(identifier: "live", name: "recording", format: "live")
    let track = wanderingTrack(count: 4_500, homes: homes, using: &random)
    for start in stride(from: 0, to: track.count, by: 50) {
      _ = try recording.append(Array(track[start..<start + 50]), points: 50)
    }
    var chunks: [[KeptFix]] = []
    try store.read { snapshot in
      try snapshot.forEachChunkOfKeptFixes { chunks.append($0) }
    }
    #expect(chunks.flatMap { $0 } == track)
    #expect(chunks.count <= 10)
    #expect(chunks[0].count == FixChunk.capacity)
    // Like the digits of a binary number: 404 fixes after the first chunk are 256, 128, 16 and 4.
    #expect(chunks.dropFirst().map(\.count) == [256, 128, 16, 4])
  }

  @Test func `a chunk cut short by another writer is merged too`() throws {
    var random = SplitMix64(seed: 8)
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("live.sqlite"), creating: true)
    let recording = try store.beginRecording(identifier: "live", name: "recording", format: "live")
    let track = wanderingTrack(count: 33, homes: homes, using: &random)
    for (index, fix) in track.enumerated() {
      _ = try recording.append([fix], points: 1)
      // Five fixes stay in their own chunk until 16 more fill another one.
      if index == 4 {
        try store.write { session in try session.set(.percentageDecimals, to: 3) }
      }
    }
    var chunks: [[KeptFix]] = []
    try store.read { snapshot in
      try snapshot.forEachChunkOfKeptFixes { chunks.append($0) }
    }
    #expect(chunks.map(\.count) == [21, 12])
    #expect(chunks.flatMap { $0 } == track)
  }

  @Test
  func `a recording reads the times of its row again after another writer changed it`() throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("live.sqlite"), creating: true)
    let other = try Store(path: folder.file("live.sqlite"), creating: false)
    let recording = try store.beginRecording(identifier: "live", name: "recording", format: "live")
    func record(second: Int64) throws {
      let fix = KeptFix(
        coordinate: Coordinate(47, 8 + Double(second) / 100),
        time: Timestamp(millisecondsSince1970: second * 1_000),
        accuracyMeters: 5, startsSegment: true)
      _ = try recording.append([fix], points: 1)
    }
    func times() throws -> String? {
      try store.read { snapshot in
        try snapshot.connection.text("SELECT first_time || ' ' || last_time FROM sources")
      }
    }
    for second: Int64 in [10, 20, 5] { try record(second: second) }
    #expect(try times() == "1970-01-01T00:00:05Z 1970-01-01T00:00:20Z")
    // Invalid times, and times in the wrong order, as only another program writes them.
    for (row, expected) in [
      ("first_time = 'soon', last_time = NULL", "1970-01-01T00:00:30Z 1970-01-01T00:00:30Z"),
      (
        "first_time = '1970-01-01T00:00:40Z', last_time = '1970-01-01T00:00:09Z'",
        "1970-01-01T00:00:09Z 1970-01-01T00:00:40Z"
      ),
    ] {
      try other.write { session in
        try session.connection.execute("UPDATE sources SET \(row)")
      }
      try record(second: 30)
      #expect(try times() == expected)
    }
  }

  @Test func `first and last times are ordered by time, with and without milliseconds`() throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("live.sqlite"), creating: true)
    let recording = try store.beginRecording(identifier: "live", name: "recording", format: "live")
    for milliseconds: Int64 in [900, 0, 500] {
      let fix = KeptFix(
        coordinate: Coordinate(47, 8 + Double(milliseconds) / 1_000),
        time: Timestamp(millisecondsSince1970: 1_700_000_000_000 + milliseconds), accuracyMeters: 5,
        startsSegment: true)
      _ = try recording.append([fix], points: 1)
    }
    let times = try store.read { snapshot in
      try snapshot.connection.text("SELECT first_time || ' ' || last_time FROM sources")
    }
    #expect(times == "2023-11-14T22:13:20Z 2023-11-14T22:13:20.900Z")
  }

  @Test(arguments: Seeds.sample(12))
  func `two recordings may alternate while privacy zones are forgotten`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("live.sqlite"), creating: true)
    // The second recording and the zones use the same store object or another one on the same file.
    let other = seed % 2 == 0 ? store : try Store(path: store.path, creating: false)
    let recordings = try [(store, "a"), (other, "b")].map { (store, name) in
      try store.beginRecording(
        identifier: SourceDescription.sampleHash(name), name: name, format: "live")
    }
    var tracks = recordings.map { _ in wanderingTrack(count: 300, homes: homes, using: &random)[...]
    }
    var expected: [Int64: PlainRecording] = [:]
    while tracks.contains(where: { !$0.isEmpty }) {
      let number = Int.random(in: 0..<2, using: &random)
      let fixes = Array(tracks[number].prefix(.random(in: 0...20, using: &random)))
      tracks[number].removeFirst(fixes.count)
      _ = try recordings[number].append(fixes, points: fixes.count)
      expected[recordings[number].id, default: PlainRecording()].append(fixes)
      if Int.random(in: 0..<12, using: &random) == 0, let fix = fixes.last {
        let zone = PrivacyZone(center: fix.coordinate, radiusMeters: 150)
        _ = try (Bool.random(using: &random) ? store : other).forget(in: zone)
        for id in expected.keys { expected[id]?.forget(zone) }
      }
    }
    // Forget the last fix of each recording; recording continues after that.
    let last = KeptFix(
      coordinate: Coordinate(10, 10), time: nil, accuracyMeters: nil, startsSegment: false)
    let ends = recordings.compactMap { expected[$0.id]?.fixes.last?.coordinate }
    for end in ends {
      let zone = PrivacyZone(center: end, radiusMeters: 50)
      _ = try other.forget(in: zone)
      for id in expected.keys { expected[id]?.forget(zone) }
    }
    let reports = [
      #"{"points":300,"kept":300,"firstTime":"2000-01-01T00:00:00Z","#
        + #""lastTime":"2020-01-01T00:00:00Z"}"#,
      "no JSON",
    ]
    for (recording, report) in zip(recordings, reports) {
      try recording.finish(report: report)
      _ = try recording.append([last], points: 1)
      expected[recording.id]?.append([last])
      if report == "no JSON" {
        // As only another program leaves it.
        try other.write { session in
          try session.connection.execute(
            "UPDATE sources SET report = 'no JSON' WHERE id = \(recording.id)")
        }
        _ = try recording.append([], points: 0)
        try recording.finish(report: report)
      }
    }
    var found: [Int64: [KeptFix]] = [:]
    try store.read { snapshot in
      try snapshot.forEachChunkOfKeptFixesBySource { found[$0, default: []] += $1 }
    }
    for id in recordings.map(\.id) { #expect(found[id] == expected[id]?.fixes) }
    let check = try store.check()
    #expect(check.isSound, "\(check.steps.flatMap(\.differences))")
    let contents = try StoreContents(store)
    try store.write { session in try session.rebuild() }
    try #expect(StoreContents(store) == contents)
  }

  @Test func `finishing a recording extends its times`() throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("live.sqlite"), creating: true)
    let recording = try store.beginRecording(
      identifier: SourceDescription.sampleHash("live"), name: "recording", format: "live")
    let fix = KeptFix(
      coordinate: homes[0], time: Timestamp(iso8601: "2024-05-01T10:00:00Z"), accuracyMeters: 5,
      startsSegment: true)
    _ = try recording.append([fix], points: 1)
    // An hour in the same place.
    _ = try recording.append([], points: 100)
    let report =
      #"{"points":101,"kept":1,"firstTime":"2024-05-01T10:00:00Z","#
      + #""lastTime":"2024-05-01T11:00:00Z"}"#
    func time(_ text: String) throws -> Timestamp { try #require(Timestamp(iso8601: text)) }
    let start = try time("2024-05-01T10:00:00Z")
    let whole = start...(try time("2024-05-01T11:00:00Z"))
    try recording.finish(report: report, times: whole, staysAtEnd: true)
    #expect(try store.recordingReport() == report)
    #expect(
      try store.read { snapshot in try snapshot.lastTimesNearLastKeptFix() } == [
        1: whole.upperBound
      ])
    #expect(try store.check().isSound)
    // An earlier end, and no end: the row keeps the longest period. The text is stored unchanged.
    for (times, text) in [
      (start...(try time("2024-05-01T10:30:00Z")), "[1]"), (nil, "any text"), (nil, ""),
    ] {
      try recording.finish(report: text, times: times)
      #expect(try store.recordingReport() == text)
      #expect(try store.read { snapshot in try snapshot.lastTimesNearLastKeptFix() }.isEmpty)
      #expect(try store.check().isSound)
    }
    let times = try store.read { snapshot in
      try snapshot.connection.text("SELECT first_time || ' ' || last_time FROM sources")
    }
    #expect(times == "2024-05-01T10:00:00Z 2024-05-01T11:00:00Z")
  }

  @Test func `async calls from many tasks store all of their fixes`() async throws {
    var random = SplitMix64(seed: 10)
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("live.sqlite"), creating: true)
    let recording = try store.beginRecording(
      identifier: SourceDescription.sampleHash("live"), name: "recording", format: "live")
    let track = wanderingTrack(count: 100, homes: homes, using: &random)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for fix in track {
        group.addTask {
          _ = try await Store.onThread { _ in try recording.append([fix], points: 1) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try Set(StoreContents(store).keptFixes) == Set(track))
    #expect(try store.check().isSound)
  }

  @Test func `a recording that returns to more tiles than memory holds explores the same cells`()
    throws
  {
    var random = SplitMix64(seed: 9)
    let folder = try TemporaryFolder()
    let (live, whole) = (
      try Store(path: folder.file("live.sqlite"), creating: true),
      try Store(path: folder.file("whole.sqlite"), creating: true)
    )
    let recording = try live.beginRecording(
      identifier: SourceDescription.sampleHash("live"), name: "recording", format: "live")
    // 30 places, each in its own tile and visited about ten times.
    let far = (0..<30).map { Coordinate(40 + Double($0) / 5, 10) }
    let track = (0..<300).map { index in
      KeptFix(
        coordinate: (far.randomElement(using: &random) ?? far[0]).randomNeighbor(
          within: 900, using: &random),
        time: Timestamp(millisecondsSince1970: Int64(index) * 60_000), accuracyMeters: 5,
        startsSegment: true)
    }
    for fix in track { _ = try recording.append([fix], points: 1) }
    try whole.add(track, as: "live")
    #expect(try live.coverage() == whole.coverage())
    #expect(try live.check().isSound)
  }

  @Test func `a store closes when its last owner releases it after a recording`() throws {
    var random = SplitMix64(seed: 6)
    let folder = try TemporaryFolder()
    let path = folder.file("live.sqlite")
    do {
      let store = try Store(path: path, creating: true)
      let recording = try store.beginRecording(
        identifier: "live", name: "recording", format: "live")
      _ = try recording.append(wanderingTrack(count: 20, homes: homes, using: &random), points: 20)
      #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    }
    // SQLite deletes the log with the last connection.
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
  }
}

/// The fixes of a recording by the plain rule: after a deleted fix a new segment starts.
private struct PlainRecording {
  private(set) var fixes: [KeptFix] = []
  private var isCut = false

  mutating func append(_ new: [KeptFix]) {
    for var fix in new {
      if isCut { fix.startsSegment = true }
      isCut = false
      fixes.append(fix)
    }
  }

  mutating func forget(_ zone: PrivacyZone) {
    var left = PlainRecording()
    for fix in fixes {
      if zone.contains(fix.coordinate) { left.isCut = true } else { left.append([fix]) }
    }
    self = PlainRecording(fixes: left.fixes, isCut: isCut || left.isCut)
  }
}
