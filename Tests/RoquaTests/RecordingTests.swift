import Foundation
import Roqua
import SQLiteLayer
import TestSupport
import Testing

@testable import GeoStore

/// Recording, observing and canceling from an app.
@Suite struct RecordingTests {
  private let folder: TemporaryFolder
  private let explorer: Explorer

  init() throws {
    folder = try TemporaryFolder()
    explorer = try Explorer(storePath: folder.file("s.roqua"))
  }

  /// A walk north with a fix every 20 m and 10 s.
  private func walk(count: Int) throws -> [Fix] {
    try (0..<count).map { index in
      Fix(
        coordinate: try Coordinate(
          latitudeDegrees: 47 + Double(index) * 0.00018, longitudeDegrees: 8.5),
        time: Timestamp(millisecondsSince1970: 1_700_000_000_000 + Int64(index) * 10_000),
        horizontalAccuracyMeters: index % 7 == 3 ? 80 : 8)
    }
  }

  @Test func `a recording keeps the same fixes as an import`() async throws {
    let fixes = try walk(count: 200)
    let recording = try await explorer.startRecording(named: "walk", minimumIntervalSeconds: 0)
    var (kept, dropped): ([Fix], Int) = ([], 0)
    for fix in fixes {
      let change = try await recording.add(fix)
      for judged in change.verdicts {
        if judged.verdict == .kept { kept.append(judged.fix) } else { dropped += 1 }
      }
    }
    let report = try await recording.finish()
    #expect(report.points == 200 && report.kept == kept.count && kept.count + dropped == 200)

    // The filter alone is the oracle.
    var filter = FixFilter()
    var expected: [Fix] = []
    for (index, fix) in fixes.enumerated() {
      filter.push(fix, startsSegment: index == 0) { if $1 == .kept { expected.append($0) } }
    }
    filter.finish { if $1 == .kept { expected.append($0) } }
    #expect(kept == expected && kept.count > 40)
    let source = try #require(try await explorer.sources().first)
    #expect(source.id == recording.sourceID && source.path == "walk" && source.format == "live")
    #expect(source.kept == kept.count && source.points == 200)
    #expect(source.lastTime == fixes.last?.time)
    let check = try await explorer.check()
    #expect(check.isSound, "\(check.steps.flatMap(\.differences))")
  }

  @Test func `a recording follows privacy zones that are added and removed during it`()
    async throws
  {
    let fixes = try walk(count: 200)
    let recording = try await explorer.startRecording(named: "walk", minimumIntervalSeconds: 0)
    let other = try Explorer(storePath: folder.file("s.roqua"))
    let zone = PrivacyZone(center: fixes[100].coordinate, radiusMeters: 300)
    var verdicts: [Verdict] = []
    for (index, fix) in fixes.enumerated() {
      if index == 60 { try await other.addPrivacyZone(zone, named: "work") }
      if index == 150 { try await other.removePrivacyZone("work") }
      verdicts += try await recording.add(fix).verdicts.map(\.verdict)
    }
    let report = try await recording.finish()
    #expect(verdicts.count == 200)
    for (fix, verdict) in zip(fixes, verdicts) {
      #expect((verdict == .dropped(.privacyZone)) == zone.contains(fix.coordinate))
    }
    #expect(report.dropped[.privacyZone] == 29)
    #expect(report.kept + report.dropped.total == 200)
    #expect(try await explorer.sources().first?.kept == report.kept)
    let check = try await explorer.check()
    #expect(check.isSound, "\(check.steps.flatMap(\.differences))")
    // The walk is not stored across the zone.
    let kept = try await explorer.read { snapshot in
      var kept: [KeptFix] = []
      try snapshot.forEachChunkOfKeptFixes { kept += $0 }
      return kept
    }
    #expect(kept.filter(\.startsSegment).count == 2)
    #expect(!kept.contains { zone.contains($0.coordinate) })
  }

  @Test func `a recording waits five seconds between kept fixes by default`()
    async throws
  {
    let recording = try await explorer.startRecording(named: "fast")
    let start = Timestamp(millisecondsSince1970: 1_700_000_000_000)
    for second in 0..<10 {
      _ = try await recording.add(
        Fix(
          coordinate: try Coordinate(
            latitudeDegrees: 47 + Double(second) * 0.001, longitudeDegrees: 8),
          time: Timestamp(
            millisecondsSince1970: start.millisecondsSince1970 + Int64(second) * 1_000)))
    }
    #expect(try await recording.finish().kept == 2)
  }

  @Test func `the end of a segment, and a pause, start a new one`() async throws {
    let recording = try await explorer.startRecording(named: "a", minimumIntervalSeconds: 0)
    let fix = try walk(count: 1)[0]
    #expect(try await recording.add(fix).stored.kept == 1)
    #expect(try await recording.add(fix).stored.kept == 0, "the same place is too close")
    try await recording.endSegment()
    #expect(try await recording.add(fix).stored.kept == 1)
    try await recording.pause()
    #expect(try await recording.add(fix).verdicts.isEmpty, "a paused recording ignores fixes")
    try await recording.resume()
    #expect(try await recording.add(fix).stored.kept == 1)
    #expect(try await recording.finish().points == 4)
  }

  @Test func `an impossible time counts as unknown, and the store stays sound`() async throws {
    let recording = try await explorer.startRecording(named: "walk", minimumIntervalSeconds: 0)
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    let times: [Int64] = [
      now - 60_000, .max, .min, -1, now * 1_000, now + 2 * Timestamp.millisecondsPerDay,
      now + Timestamp.millisecondsPerDay / 2,
    ]
    for (index, milliseconds) in times.enumerated() {
      let fix = Fix(
        coordinate: try Coordinate(
          latitudeDegrees: 47 + Double(index) * 0.01, longitudeDegrees: 8.5),
        time: Timestamp(millisecondsSince1970: milliseconds), horizontalAccuracyMeters: 8)
      try await recording.add(fix)
    }
    let report = try await recording.finish()
    #expect(report.kept == times.count)
    let found = try await explorer.store.read { snapshot in
      var found: [Timestamp?] = []
      try snapshot.forEachChunkOfKeptFixes { found += $0.map(\.time) }
      return found
    }
    let expected = times.map { (0...now + Timestamp.millisecondsPerDay).contains($0) ? $0 : nil }
    #expect(found.map { $0?.millisecondsSince1970 } == expected)
    let check = try await explorer.check()
    #expect(check.isSound, "\(check.steps.flatMap(\.differences))")
  }

  @Test func `a forgotten recording throws on the next fix and stores nothing`() async throws {
    let recording = try await explorer.startRecording(named: "a")
    _ = try await recording.add(try walk(count: 1))
    _ = try await explorer.forget(sources: [recording.sourceID])
    await #expect(throws: StoreError.self) { _ = try await recording.add(try walk(count: 9)[8]) }
    #expect(try await explorer.sources().isEmpty)
  }

  @Test(.timeLimit(.minutes(60)))
  func `changes report what was recorded, also by another store object`()
    async throws
  {
    var changes = explorer.changes.makeAsyncIterator()
    let recording = try await explorer.startRecording(named: "a")
    let stored = try await recording.add(try walk(count: 1)).stored
    var own = StoreChange()
    while own.regionsAdded == 0 { own.merge(try #require(await changes.next())) }
    #expect(own.regionsAdded == 1 && own.cellsAdded == stored.cellsAdded && own.cellsAdded > 0)
    #expect(own.sourcesChanged.contains(recording.sourceID))
    #expect(own.areas.contains(Geohash(try walk(count: 1)[0].coordinate, length: 4)))
    #expect(!own.isIncomplete)
    // Wait until the first poll for changes by others.
    try await Task.sleep(for: .milliseconds(600))
    let other = try Explorer(storePath: folder.file("s.roqua"))
    let second = try await other.startRecording(named: "b")
    _ = try await second.add(try walk(count: 1))
    var foreign = StoreChange()
    while !foreign.isIncomplete { foreign.merge(try #require(await changes.next())) }
    #expect(foreign.sourcesChanged.contains(second.sourceID))
  }

  /// Returns whether the areas of a change contain every explored cell.
  private func covers(_ change: StoreChange, _ coverage: Coverage) -> Bool {
    coverage.cells.allSatisfy { cell in
      let center = coverage.grid.center(of: cell)
      let place = try? Coordinate(
        latitudeDegrees: center.latitudeDegrees, longitudeDegrees: center.longitudeDegrees)
      return place.map { change.areas.contains(Geohash($0, length: 4)) } ?? false
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `changed areas contain every explored cell, across geohash edges and for cell files`()
    async throws
  {
    var changes = explorer.changes.makeAsyncIterator()
    // 0.0001 degrees south and west of a corner of four geohash cells.
    let corner = try Coordinate(latitudeDegrees: 45 - 0.0001, longitudeDegrees: 90 - 0.0001)
    let recording = try await explorer.startRecording(named: "a")
    _ = try await recording.add(
      Fix(
        coordinate: corner, time: Timestamp(millisecondsSince1970: 1_700_000_000_000),
        horizontalAccuracyMeters: 5))
    var change = StoreChange()
    while change.cellsAdded == 0 { change.merge(try #require(await changes.next())) }
    #expect(change.areas.count == 4 && !change.isIncomplete)
    #expect(covers(change, try await explorer.read { try $0.coverage() }))

    // A source of cells has no regions.
    var cells = Coverage()
    cells.mark(discAround: Coordinate(-33, 151))
    let file = folder.file("cells")
    try Data(cells.serialized()).write(to: URL(fileURLWithPath: file))
    _ = try await explorer.importCoverage(CoverageFile(path: file))
    change = StoreChange()
    while change.cellsAdded == 0 { change.merge(try #require(await changes.next())) }
    #expect(change.regionsAdded == 0 && !change.isIncomplete && covers(change, cells))
  }

  /// Creates a listener inside a write. It would trap or deadlock if it waited for the writer.
  private func listenDuringWrite() throws -> StoreChanges.Iterator {
    try explorer.store.write { session in
      let changes = explorer.changes.makeAsyncIterator()
      _ = try session.beginSource().finish(
        SourceDescription(
          sha256: "a", path: "a", format: "gpx", bytes: 0, points: 0, firstTime: nil,
          lastTime: nil, report: "{}"))
      return changes
    }
  }

  @Test(.timeLimit(.minutes(60)))
  func `a listener does not wait for a writer, and sees the transaction in progress`()
    async throws
  {
    var heard = try listenDuringWrite()
    let change = try #require(await heard.next())
    #expect(change.isIncomplete)
  }

  @Test(.timeLimit(.minutes(60)))
  func `a listener ends with its task and does not block a recording`()
    async throws
  {
    let explorer = explorer
    let listener = Task {
      for await _ in explorer.changes { try? await Task.sleep(for: .seconds(3_600)) }
    }
    let recording = try await explorer.startRecording(named: "a")
    for fix in try walk(count: 30) { _ = try await recording.add(fix) }
    listener.cancel()
    await listener.value
  }

  @Test(.timeLimit(.minutes(60)))
  func `a canceled import keeps finished files and reports the cancellation`()
    async throws
  {
    var urls: [URL] = []
    for index in 0..<3 {
      let count = index == 0 ? 200 : 150_000
      let start = Coordinate(10 + Double(index), 8)
      let text = TrackText.gpx(from: start, count: count, stepDegrees: 0.0005)
      urls.append(URL(filePath: try folder.write(text, to: "\(index).gpx")))
    }
    // While other tests run, this task may see the first file only after all are imported.
    for attempt in 1...10 {
      let explorer = try Explorer(storePath: folder.file("\(attempt).roqua"))
      let meter = ImportMeter()
      let paths = urls
      let task = Task { try await explorer.importTracks(at: paths, meter: meter) }
      for await reading in meter.readings(every: .milliseconds(5)) where reading.filesDone > 0 {
        break
      }
      task.cancel()
      let report = try await task.value
      if !report.isCancelled, attempt < 10 { continue }
      #expect(report.isCancelled && report.failure == nil)
      #expect(report.count(.imported) >= 1 && report.files.count < 3)
      #expect(try await explorer.sources().count == report.count(.imported))
      #expect(meter.reading.isFinished)
      #expect(try await explorer.check().isSound)
      return
    }
  }

  @Test(.timeLimit(.minutes(60))) func `canceling the task of a query interrupts SQLite`()
    async throws
  {
    let explorer = explorer
    let task = Task {
      try await explorer.store.read { snapshot in
        // An endless loop of queries: only canceling one of them ends it.
        while true {
          _ = try snapshot.connection.integer(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) "
              + "SELECT max(i) FROM n")
        }
      }
    }
    _ = try await explorer.startRecording(named: "makes the file")
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await explorer.sources().count == 1)
  }
}
