import CSQLite
import Foundation
import Geodesy
import TestSupport
import Testing
import TrackIngest

@testable import GeoStore
@testable import SQLiteLayer
@testable import Roqua

/// Small files, several of which are written in one transaction.
@Suite struct ImportBatchTests {
  private func write(_ count: Int, to folder: TemporaryFolder) throws {
    for index in 0..<count {
      let start = Coordinate(48 + Double(index % 7) / 100, 8 + Double(index) / 500)
      try folder.write(TrackText.gpx(from: start, count: 12), to: String(1_000 + index) + ".gpx")
    }
  }

  private func execute(in store: Store, _ sql: String) throws {
    try store.withWriter { (writer) throws(DatabaseError) in
      for option in [SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW] {
        _ = roqua_sqlite_set_option(writer.handle, option, 1)
      }
      try writer.execute(sql)
    }
  }

  @Test func `each file is in the store when it is reported, and reports come in order`() throws {
    let (fixture, folder) = (try Fixture(), try TemporaryFolder())
    try write(SourceBatch.capacitySources * 2 + 9, to: folder)
    let heard = Heard(fixture.explorer.store)
    var options = ImportOptions()
    options.onFile = { report, index, _ in heard.take(report, index) }
    let report = try fixture.explorer.importTracks([folder.path], options: options)
    #expect(report.count(.imported) == SourceBatch.capacitySources * 2 + 9)
    #expect(heard.indexes == Array(0..<report.files.count))
    #expect(heard.missing.isEmpty)
    #expect(heard.sawLaterOnes, "they are written together")
    #expect(report.changes == report.files.reduce(SourceChanges()) { $0 + $1.changes })
  }

  @Test(arguments: [0, 5, 130], ["ABORT, 'no'", "ROLLBACK, 'no'", "IGNORE"])
  func `when the store fails, earlier files stay and the failing file is reported`(
    place: Int, refusal: String
  ) throws {
    let (fixture, folder, whole) = (try Fixture(), try TemporaryFolder(), try Fixture())
    try write(140, to: folder)
    // Broken files, and files without a track, among those that are stored.
    try folder.write("<gpx><trk", to: "1001-broken.gpx")
    try folder.write("no track", to: "1002-none")
    try folder.write("no track", to: "1139-none")
    let path = folder.file(String(1_000 + place) + ".gpx")
    // Simulates a full disk for one file only.
    try execute(
      in: fixture.explorer.store,
      "CREATE TRIGGER refusing BEFORE INSERT ON sources WHEN new.path = '\(path)' BEGIN "
        + "SELECT RAISE(\(refusal)); END"
    )
    var options = ImportOptions()
    let meter = ImportMeter()
    options.meter = meter
    let report = try fixture.explorer.importTracks([folder.path], options: options)
    let found = FoundFile.find([folder.path]).map(\.path)
    let stop = try #require(found.firstIndex(of: path))
    let before = found[..<stop].filter { !$0.hasSuffix("none") }
    #expect(report.failure != nil)
    #expect(report.files.map(\.path) == before + [path])
    #expect(
      report.files.dropLast().allSatisfy {
        ($0.status == .imported) != $0.path.hasSuffix("broken.gpx")
      })
    #expect(report.files.last?.track.error?.code == .store)
    #expect(report.ignored == stop - before.count)
    #expect(meter.reading.filesDone == stop)

    try execute(in: fixture.explorer.store, "DROP TRIGGER refusing")
    #expect(try fixture.explorer.store.check().isSound)
    let again = try fixture.explorer.importTracks([folder.path])
    #expect(again.failure == nil)
    #expect(again.count(.duplicate) == place && again.count(.imported) == 140 - place)
    #expect(again.ignored == 2)
    _ = try whole.explorer.importTracks([folder.path])
    #expect(try fixture.explorer.contents() == whole.explorer.contents())
    #expect(try fixture.explorer.coverage() == whole.explorer.coverage())
  }

  @Test func `an import without the lock fails once, and duplicates need no lock`() throws {
    let (fixture, folder) = (try Fixture(), try TemporaryFolder())
    try write(9, to: folder)
    let known = folder.file("1000.gpx")
    _ = try fixture.explorer.importTracks([known])
    try folder.write("<gpx><trk", to: "0-broken.gpx")
    let other = try Store(path: fixture.explorer.store.path, creating: false)
    try execute(in: fixture.explorer.store, "PRAGMA busy_timeout = 20")
    try other.write { session in
      session.cancel()
      do {
        let report = try fixture.explorer.importTracks([folder.path])
        #expect(report.files.map(\.status) == [.refused, .duplicate, .refused])
        #expect(report.files.last?.path == folder.file("1001.gpx"))
        let isBusy = if case DatabaseError.busy? = report.failure { true } else { false }
        #expect(isBusy)
        #expect(try fixture.explorer.importTracks([known]).count(.duplicate) == 1)
      } catch {
        Issue.record(error)
      }
    }
    #expect(try fixture.explorer.importTracks([folder.path]).count(.imported) == 8)
  }

  @Test func `identical files in one batch are stored once`() throws {
    let (fixture, folder) = (try Fixture(), try TemporaryFolder())
    for name in ["a", "b", "c"] {
      try folder.write(TrackText.gpx(from: Coordinate(48, 8), count: 12), to: name + ".gpx")
    }
    try folder.write("<gpx><trk", to: "d.gpx")
    let report = try fixture.explorer.importTracks([folder.path])
    #expect(report.files.map(\.status) == [.imported, .duplicate, .duplicate, .refused])
    #expect(
      try fixture.explorer.store.read { snapshot in try snapshot.counts() }.sources == 1)
    #expect(report.points == 12)
  }

  @Test func `a batch does not wait for a slow decoder`() {
    func end(_ path: String) -> DecodedSource { DecodedSource(path: path, sha256: path) }
    let (whole, silent, half, ended) = (
      SourceQueue(), SourceQueue(), SourceQueue(), SourceQueue()
    )
    let fix = KeptFix(
      coordinate: Coordinate(1, 2), time: nil, accuracyMeters: nil, startsSegment: true)
    _ = whole.push([fix, fix])
    whole.end(end("whole"))
    _ = half.push([fix])
    ended.close(PassedOver())
    var batch = SourceBatch()
    #expect(batch.waits(for: silent), "an empty batch can wait without delaying a file")
    batch.take(end("whole"), ofFile: 3, from: whole, isToBeStored: true)
    #expect(batch.entries.map(\.fileIndex) == [3])
    #expect(batch.entries.first?.fixes?.joined().count == 2)
    let start = ContinuousClock.now
    #expect(batch.waits(for: ended))
    #expect(!batch.waits(for: half))
    #expect(!batch.waits(for: silent))
    #expect(
      ContinuousClock.now - start < .seconds(30),
      "a batch with entries waits only for a limited time")
    half.end(end("half"))
    #expect(batch.waits(for: half), "a finished source is taken even after the limit")
  }

  @Test
  func `decoders run ahead by a bounded number of fixes, and further if files are small`()
    throws
  {
    let folder = try TemporaryFolder()
    let count = 2_000
    let threads = min(ProcessInfo.processInfo.activeProcessorCount, DecoderPool.filesAhead)
    // The files that may always be ahead contain more fixes than may wait.
    #expect(DecoderPool.filesAhead * count > DecoderPool.fixesAhead)
    for index in 0..<DecoderPool.filesAhead + threads + 8 {
      try folder.write(
        TrackText.gpx(
          from: Coordinate(48, 8 + Double(index) / 100), count: count, stepDegrees: 0.000_9),
        to: String(1_000 + index) + ".gpx")
    }
    let found = FoundFile.find([folder.path])
    let pool = DecoderPool(
      files: found,
      decoder: FileDecoder(
        store: nil, filter: FilterSettings(), extras: [],
        now: Timestamp(millisecondsSince1970: 1_750_000_000_000)))
    defer { pool.stop() }
    for index in 0..<DecoderPool.filesAhead {
      #expect(pool.queue(at: index).waitForEndOrFull()?.report.kept == count)
    }
    for _ in 0..<20 {
      #expect(pool.begunFiles <= DecoderPool.filesAhead + threads)
      usleep(10_000)
    }
    // Decoding continues once they are read.
    for index in found.indices {
      #expect(pool.queue(at: index).waitForEndOrFull()?.report.kept == count)
      pool.release(index)
    }

    let small = try TemporaryFolder()
    try write(DecoderPool.smallFilesAhead + threads + 8, to: small)
    let other = DecoderPool(
      files: FoundFile.find([small.path]),
      decoder: FileDecoder(
        store: nil, filter: FilterSettings(), extras: [],
        now: Timestamp(millisecondsSince1970: 1_750_000_000_000)))
    defer { other.stop() }
    // These have 12 fixes each: all are decoded before any is released.
    for index in 0..<DecoderPool.smallFilesAhead {
      #expect(other.queue(at: index).waitForEndOrFull()?.report.kept == 12)
    }
    for _ in 0..<50 {
      #expect(other.begunFiles == DecoderPool.smallFilesAhead)
      usleep(10_000)
    }
  }

  /// Unchecked: only the importing thread calls this, and that is the test's own thread.
  private final class Heard: @unchecked Sendable {
    private let store: Store
    var indexes: [Int] = []
    var missing: [String] = []
    var sawLaterOnes = false
    init(_ store: Store) { self.store = store }
    func take(_ report: FileReport, _ index: Int) {
      indexes.append(index)
      let isThere = try? store.read { snapshot in
        try snapshot.hasSource(sha256: report.sha256 ?? "")
      }
      if isThere != true { missing.append(report.path) }
      let stored = try? store.read { snapshot in try snapshot.counts().sources }
      if let stored, stored > indexes.count { sawLaterOnes = true }
    }
  }
}
