import Foundation
import GeoStore
import Geodesy
import TestSupport
import Testing
import TrackIngest

@testable import Roqua

/// Parallel decoding compared with reading one file after the other.
@Suite struct DecodingTests {
  private static let now = Timestamp(millisecondsSince1970: 1_750_000_000_000)

  private func decoder() -> FileDecoder {
    FileDecoder(store: nil, filter: FilterSettings(), extras: [], now: Self.now)
  }

  /// The fixes and report of one file, read in one piece on this thread.
  private func slowly(_ path: String) throws -> (fixes: [Coordinate], report: TrackReport) {
    var reader = TrackReader(now: Self.now)
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    data.withUnsafeBytes { reader.read($0) }
    let report = reader.finish()
    return (reader.takeAccepted().map(\.fix.coordinate), report)
  }

  /// Writes many small files of different lengths, some broken, and one too large for a queue.
  private func writeFiles(count: Int, seed: UInt64, to folder: TemporaryFolder) throws
    -> [FoundFile]
  {
    var random = SplitMix64(seed: seed)
    for index in 0..<count {
      let start = Coordinate(
        .random(in: -60...60, using: &random), .random(in: -170...170, using: &random))
      let isLarge = index == 7
      let text = TrackText.gpx(
        from: start,
        count: isLarge ? SourceQueue.capacityFixes + 2_000 : .random(in: 0...40, using: &random),
        stepDegrees: isLarge ? 0.000_6 : 0.001)
      let name = String(1_000 + index)
      // Blanks between the points fill a queue without many points.
      let blanks = String(repeating: " ", count: 300)
      try folder.write(
        isLarge ? text.replacingOccurrences(of: "</trkpt>", with: "</trkpt>" + blanks) : text,
        to: index % 17 == 3 ? name + ".txt" : name + ".gpx")
      if index % 23 == 5 { try folder.write("no track", to: name + "-broken.gpx") }
    }
    return FoundFile.find([folder.path])
  }

  @Test(arguments: Seeds.sample(3))
  func `files decoded in parallel arrive complete and in order`(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let files = try writeFiles(count: 160, seed: seed, to: folder)
    var random = SplitMix64(seed: seed)
    let pool = DecoderPool(files: files, decoder: decoder())
    defer { pool.stop() }
    for (index, file) in files.enumerated() {
      let queue = pool.queue(at: index)
      let known = Bool.random(using: &random) ? queue.waitForEndOrFull() : nil
      var fixes: [Coordinate] = []
      var decoded: DecodedSource?
      while decoded == nil {
        switch queue.next() {
        case .fixes(let batch): fixes += batch.map(\.coordinate)
        case .end(let end): decoded = end
        case .cancelled: Issue.record("unexpected cancellation"); return
        }
        if Int.random(in: 0..<20, using: &random) == 0 { usleep(500) }
      }
      let expected = try slowly(file.path)
      #expect(fixes == expected.fixes, "\(file.path)")
      #expect(decoded?.report == expected.report, "\(file.path)")
      #expect((decoded?.sha256 == nil) == (expected.report.error != nil))
      if let known { #expect(known.report == expected.report) }
      pool.release(index)
    }
  }

  @Test(arguments: Seeds.sample(3))
  func `released files that were not read to the end do not block the pool`(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let files = try writeFiles(count: 90, seed: seed, to: folder)
    let pool = DecoderPool(files: files, decoder: decoder())
    defer { pool.stop() }
    for index in files.indices {
      if index % 3 == 0 { _ = pool.queue(at: index).next() }
      pool.release(index)
    }
    // All files are released, including the last. A pool that is stopped immediately must not hang
    // either.
    for seed in 0..<20 {
      let short = DecoderPool(files: files, decoder: decoder())
      _ = short.queue(at: 0).waitForEndOrFull()
      if seed % 2 == 0 { short.release(0) }
      short.stop()
    }
  }

  @Test func `importing many small files together equals importing them one by one`() throws {
    let (one, many) = (try Fixture(), try Fixture())
    let folder = try TemporaryFolder()
    let files = try writeFiles(count: 70, seed: 9, to: folder)
    let together = try one.explorer.importTracks([folder.path])
    var reports: [FileReport] = []
    for file in files { reports += try many.explorer.importTracks([file.path]).files }
    // Files imported later overlap those before them.
    func withoutOverlaps(_ files: [FileReport]) -> [FileReport] {
      files.map { file in
        var file = file
        file.overlaps = nil
        return file
      }
    }
    #expect(withoutOverlaps(together.files) == withoutOverlaps(reports))
    #expect(together.count(.refused) == 3)
    #expect(try one.explorer.contents() == many.explorer.contents())
  }

  @Test func `a full queue blocks its producer, and an abandoned queue releases it`() {
    let queue = SourceQueue()
    let fix = KeptFix(
      coordinate: Coordinate(1, 2), time: nil, accuracyMeters: nil, startsSegment: true)
    let pushed = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    Thread {
      var count = 0
      while queue.push([fix]) {
        count += 1
        pushed.signal()
      }
      ended.signal()
    }.start()
    for _ in 0..<SourceQueue.capacityElements { pushed.wait() }
    #expect(pushed.wait(timeout: .now() + 0.05) == .timedOut, "the queue is full")
    #expect(queue.waitForEndOrFull() == nil)
    guard case .fixes(let batch) = queue.next() else {
      Issue.record("no fixes")
      return
    }
    #expect(batch == [fix])
    #expect(pushed.wait(timeout: .now() + 10) == .success, "there is room again")
    queue.abandon()
    #expect(ended.wait(timeout: .now() + 10) == .success)
    #expect(!queue.push([fix]))
  }
}
