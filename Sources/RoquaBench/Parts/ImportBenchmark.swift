import Foundation
import GeoStore
import Geodesy
import Roqua
import TrackIngest
import SQLiteLayer

/// Bytes of tracks into kept fixes of a store.
struct ImportBenchmark {
  /// Bytes per call of a reader, as in `roqua import`.
  private static let pieceBytes = 1 << 18
  /// 2026-01-01T00:00:00Z, the reader's present.
  private static let now = Timestamp(millisecondsSince1970: 1_767_225_600_000)

  /// The benchmark's own folder, for files and stores.
  let folder: String
  let seed: UInt64
  /// Bytes of each log.
  var bytes = 16 << 20
  /// Kept fixes that are written in one transaction.
  var fixes = 200_000
  /// Kept fixes that are written in a transaction each.
  var liveFixes = 5_000
  /// The least number of regions in the store that grows.
  var regions = 1_000_000
  var rounds = 5

  /// Times decoding, the whole import, and keeping fixes.
  ///
  /// - Throws: ``BenchmarkError`` if the points read differ from those written.
  func run() throws -> [Measurement] {
    let gpx = SimulatedLog.gpx(bytes: bytes, seed: seed)
    let nmea = SimulatedLog.nmea(bytes: bytes, seed: seed)
    return try [
      decode("decode and filter GPX from memory", gpx),
      decode("decode and filter NMEA from memory", nmea),
      importWhole(gpx, nmea),
    ] + keepFixes() + [keepSources()] + keepLiveFixes()
  }

  private func decode(_ question: String, _ log: SimulatedLog) throws -> Measurement {
    guard Self.read(log.bytes).points == log.points.count else {
      throw BenchmarkError("Fewer than \(log.points.count) points were read: \(question).")
    }
    let seconds = (0..<rounds).map { _ in
      let start = Clock.processorSeconds()
      _ = Self.read(log.bytes)
      return Clock.processorSeconds() - start
    }
    return measurement(
      question, "Roqua", "point", log.points.count, seconds, bytes: log.bytes.count)
  }

  private func measurement(
    _ question: String, _ contender: String, _ unit: String, _ count: Int, _ seconds: [Double],
    bytes: Int? = nil, against ours: [Double]? = nil, ratio: Double? = nil
  ) -> Measurement {
    let times = Sample(seconds.map { $0 / Double(count) })
    let quotient = ours.map { Sample(seconds).median / Sample($0).median }
    return Measurement(
      .import, question, contender, unit: unit, times, ratio: quotient ?? ratio,
      bytesPerSecond: bytes.map { Double($0) / Sample(seconds).median })
  }

  static func read(_ bytes: [UInt8]) -> (points: Int, kept: Int) {
    var reader = TrackReader(now: now)
    var kept = 0
    // Sound: the reader keeps no pointer to a piece after the call, and pieces lie within the
    // bytes.
    bytes.withUnsafeBytes { buffer in
      for start in stride(from: 0, to: buffer.count, by: pieceBytes) {
        let piece = buffer[start..<min(start + pieceBytes, buffer.count)]
        reader.read(UnsafeRawBufferPointer(rebasing: piece))
        kept += reader.takeAccepted().count
      }
    }
    let report = reader.finish()
    kept += reader.takeAccepted().count
    return (report.points, kept)
  }

  /// Times the import of files into a new store by the wall clock: decode, filter, regions, visits,
  /// coverage, places, commit.
  private func importWhole(_ gpx: SimulatedLog, _ nmea: SimulatedLog) throws -> Measurement {
    let tracks = folder + "/tracks"
    try FileManager.default.createDirectory(atPath: tracks, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: tracks) }
    try Data(gpx.bytes).write(to: URL(fileURLWithPath: tracks + "/made.gpx"))
    try Data(nmea.bytes).write(to: URL(fileURLWithPath: tracks + "/made.nmea"))
    let points = gpx.points.count + nmea.points.count
    var seconds: [Double] = []
    for _ in 0..<rounds {
      let path = folder + "/import.sqlite"
      defer { Self.removeStore(path) }
      let explorer = try Explorer(storePath: path)
      let (taken, report) = try Clock.wallSeconds { try explorer.importTracks([tracks]) }
      guard report.points == points, report.failure == nil, report.count(.imported) == 2 else {
        throw BenchmarkError("\(report.points) points of \(points) were imported.")
      }
      seconds.append(taken)
    }
    return measurement(
      "whole import from files into a new store", "Roqua", "point", points, seconds,
      bytes: gpx.bytes.count + nmea.bytes.count)
  }

  /// Times kept fixes in one transaction: Roqua's regions, visits and coverage against the rows of
  /// a bare table.
  private func keepFixes() throws -> [Measurement] {
    let kept = simulatedFixes(fixes)
    var (ours, bare): ([Double], [Double]) = ([], [])
    for round in 0..<rounds {
      ours.append(
        try withStore { store in
          let start = Clock.processorSeconds()
          try Self.keep(kept, "bulk\(round)", in: store)
          return Clock.processorSeconds() - start
        })
      bare.append(
        try withBareTable { database, insert in
          let start = Clock.processorSeconds()
          try database.execute("BEGIN")
          for fix in kept { try insert(fix) }
          try database.execute("COMMIT")
          return Clock.processorSeconds() - start
        })
    }
    let question = "keep fixes, one transaction"
    return [
      measurement(
        question, "Roqua, with regions, visits and coverage", "kept fix", kept.count, ours, ratio: 1
      ),
      measurement(question, "rows of a bare table", "kept fix", kept.count, bare, against: ours),
    ]
  }

  /// Times the kept fixes of many tracks, one transaction per source, until an empty store has its
  /// regions.
  private func keepSources() throws -> Measurement {
    var (count, seconds): (Int, [Double]) = (0, [])
    for _ in 0..<3 {
      let path = folder + "/growing.sqlite"
      defer { Self.removeStore(path) }
      guard let filling = try BenchmarkStore.make(path: path, regions: regions, seed: seed).filling
      else {
        throw BenchmarkError("\(path) already exists.")
      }
      count = filling.fixes
      seconds.append(filling.seconds)
    }
    return measurement(
      "keep fixes, a store that grows to \(regions) regions",
      "Roqua, with regions, visits and coverage",
      "kept fix", count, seconds, ratio: 1)
  }

  /// Begins a recording in a store without one.
  static func beginRecording(in store: Store) throws(DatabaseError) -> RecordingWriter {
    try store.beginRecording(
      identifier: String(repeating: "0", count: 64), name: "recording", format: "live")
  }

  /// Times recorded fixes, each in a transaction of its own, as a receiver delivers them: each fix
  /// by the processor's clock, all of them by the wall clock, with disk and checkpoints.
  private func keepLiveFixes() throws -> [Measurement] {
    let kept = simulatedFixes(liveFixes)
    var (ours, bare): ([Double], [Double]) = ([], [])
    var (oursByClock, bareByClock) = (0.0, 0.0)
    let expected = try withStore { store in
      try Self.keep(kept, "at once", in: store)
      return try store.read { snapshot in try snapshot.counts() }
    }
    try withStore { store in
      let recording = try Self.beginRecording(in: store)
      oursByClock = try Clock.wallSeconds {
        for fix in kept {
          let start = Clock.processorSeconds()
          _ = try recording.append([fix], points: 1)
          ours.append(Clock.processorSeconds() - start)
        }
      }.seconds
      let stored = try store.read { snapshot in try snapshot.counts() }
      guard stored.keptFixes == kept.count, stored.visitedRegions == expected.visitedRegions else {
        throw BenchmarkError(
          "Recording \(kept.count) fixes keeps \(stored.keptFixes) in \(stored.visitedRegions) "
            + "regions; one transaction gives \(expected.visitedRegions).")
      }
    }
    try withBareTable { _, insert in
      bareByClock = try Clock.wallSeconds {
        for fix in kept {
          let start = Clock.processorSeconds()
          try insert(fix)
          bare.append(Clock.processorSeconds() - start)
        }
      }.seconds
    }
    let (question, byClock) = (
      "keep fixes, one transaction each", "keep fixes, recorded, wall-clock time"
    )
    let (roqua, table) = ("Roqua, with regions, visits and coverage", "rows of a bare table")
    return [
      measurement(question, roqua, "kept fix", 1, ours, ratio: 1),
      measurement(question, table, "kept fix", 1, bare, against: ours),
      measurement(byClock, roqua, "kept fix", kept.count, [oursByClock], ratio: 1),
      measurement(byClock, table, "kept fix", kept.count, [bareByClock], against: [oursByClock]),
    ]
  }

  private func simulatedFixes(_ count: Int) -> [KeptFix] {
    var tracks = SimulatedTracks(seed: seed)
    var kept: [KeptFix] = []
    while kept.count < count { kept += tracks.next() }
    return Array(kept.prefix(count))
  }

  static func keep(_ kept: [KeptFix], _ name: String, in store: Store) throws {
    let source = SourceDescription(
      sha256: name, path: name, format: "gpx", bytes: kept.count, points: kept.count,
      firstTime: kept.first?.time, lastTime: kept.last?.time, report: "{}")
    try store.write { session in
      let writer = try session.beginSource()
      try writer.append(kept)
      _ = try writer.finish(source)
    }
  }

  private func withStore<T>(_ body: (Store) throws -> T) throws -> T {
    let path = folder + "/kept.sqlite"
    defer { Self.removeStore(path) }
    return try body(try Store(path: path, creating: true))
  }

  private func withBareTable<T>(
    _ body: (CompetitorDatabase, (KeptFix) throws -> Void) throws -> T
  ) throws -> T {
    let path = folder + "/bare.sqlite"
    defer { Self.removeStore(path) }
    let database = try CompetitorDatabase(path: path)
    try database.execute(
      """
      CREATE TABLE fixes
        (id INTEGER PRIMARY KEY, latitude REAL, longitude REAL, time INTEGER, accuracy REAL)
      """
    )
    let insert = try database.prepare(
      "INSERT INTO fixes (latitude, longitude, time, accuracy) VALUES (?1, ?2, ?3, ?4)")
    return try body(database) { fix in
      insert.bind(fix.coordinate.latitudeDegrees, at: 1)
      insert.bind(fix.coordinate.longitudeDegrees, at: 2)
      insert.bind(fix.time?.millisecondsSince1970 ?? 0, at: 3)
      insert.bind(fix.accuracyMeters ?? 0, at: 4)
      defer { insert.reset() }
      _ = try insert.step()
    }
  }

  private static func removeStore(_ path: String) {
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }
}
