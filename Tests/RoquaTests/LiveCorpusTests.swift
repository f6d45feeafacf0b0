import Foundation
import Geodesy
import SeededRandom
import TestSupport
import Testing

@testable import Roqua
@testable import TrackIngest

/// Track files of all formats, fed into a recording fix by fix, give what their import gives:
/// regions, visits, coverage, achievements and the report's counts.
///
/// A recording knows only the segments that ``Recording/endSegment()`` separates. So the test calls
/// it where the file begins one: for GPX a `trkseg`, for logs of receivers a gap of more than
/// five minutes, which is what `roqua live` does too. Logs of receivers go through its decoder.
///
/// A tier that was given stays given. So achievements are only compared where every fix has a time
/// and none is earlier than one before it: in the order in which they arrive, other fixes may earn
/// what they would not in the order of time.
///
/// `ROQUA_LIVE_CORPUS` names a folder with track files; without it, the sample tracks are read.
/// With `ROQUA_LIVE_SHARE=12`, every twelfth file is read.
@Suite struct LiveCorpusTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Containers hold the same files again; Fog of World has no fixes; hostile files are for other
  /// tests.
  private static func paths() throws -> [String] {
    let environment = ProcessInfo.processInfo.environment
    guard let corpus = environment["ROQUA_LIVE_CORPUS"] else {
      return try PackageFolder.allSamples()
    }
    let share = max(1, Int(environment["ROQUA_LIVE_SHARE"] ?? "") ?? 1)
    let names = FileManager.default.enumerator(atPath: corpus)?.compactMap { $0 as? String } ?? []
    let files = names.sorted().filter { name in
      var isFolder: ObjCBool = false
      return !name.contains("hostile/")
        && FileManager.default.fileExists(atPath: corpus + "/" + name, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
    return files.enumerated().filter { $0.offset % share == 0 }.map { corpus + "/" + $0.element }
  }

  @Test func `a file that is fed fix by fix gives what its import gives`() async throws {
    let paths = try Self.paths()
    try #require(!paths.isEmpty, "there are no files to read")
    var (compared, kept) = (0, 0)
    var formats: [String: Int] = [:]
    for (number, path) in paths.enumerated() {
      guard let result = try await compare(path, number: number) else { continue }
      compared += 1
      kept += result.kept
      formats[result.format, default: 0] += 1
      #expect(result.differences == [], "\(path)")
    }
    #expect(kept > 0)
    let names = formats.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    print("Live equals import: \(compared) files (\(names.joined(separator: ", "))), \(kept) kept")
  }

  private struct Result {
    var format: String
    var kept: Int
    var differences: [String]
  }

  /// Compares a file; nil if it has no fixes.
  private func compare(_ path: String, number: Int) async throws -> Result? {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    guard let format = bytes.withUnsafeBytes({ SourceFormat.detect(prefix: $0) }),
      let steps = Self.steps(of: bytes, format, number: number)
    else { return nil }
    let (file, stream) = (folder.file("\(number)-file"), folder.file("\(number)-live"))
    defer {
      for store in [file, stream] {
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store + end) }
      }
    }
    let imported = try Explorer(storePath: file)
    let report = try imported.importTracks([path])
    guard let track = report.files.first?.track, track.error == nil, track.points > 0 else {
      return nil
    }
    let live = try Explorer(storePath: stream)
    let total = try await record(steps, in: live, number: number)
    let isInOrder = Self.isInOrder(steps)
    var differences = try StoreContents(live, includingAchievements: isInOrder)
      .differences(from: StoreContents(imported, includingAchievements: isInOrder))
    let counts = [
      ("points", total.points, track.points), ("kept", total.kept, track.kept),
      ("flights", total.flights, track.flights),
      ("points in flights", total.flightPoints, track.flightPoints),
    ]
    for (name, ours, theirs) in counts where ours != theirs {
      differences.append("\(name): \(ours) and \(theirs)")
    }
    if total.dropped != track.dropped {
      differences.append("dropped: \(total.dropped) and \(track.dropped)")
    }
    return Result(format: format.rawValue, kept: track.kept, differences: differences)
  }

  /// Feeds the steps into a recording: one fix a call for short tracks, a few for long ones.
  private func record(_ steps: [Step], in explorer: Explorer, number: Int) async throws
    -> TrackReport
  {
    let recording = try await explorer.startRecording(named: "live", minimumIntervalSeconds: 0)
    var random = SplitMix64(seed: UInt64(number))
    let most = steps.count < 1_000 ? 1 : 200
    var waiting: [Fix] = []
    var batch = 1
    for step in steps {
      switch step {
      case .fix(let fix):
        waiting.append(fix)
        guard waiting.count >= batch else { continue }
        try await recording.add(waiting)
        waiting = []
        batch = Int.random(in: 1...most, using: &random)
      case .segment:
        if !waiting.isEmpty { try await recording.add(waiting) }
        waiting = []
        try await recording.endSegment()
      }
    }
    if !waiting.isEmpty { try await recording.add(waiting) }
    return try await recording.finish()
  }

  /// Whether every fix has a time that is not earlier than one before it.
  private static func isInOrder(_ steps: [Step]) -> Bool {
    var last: Timestamp?
    for case .fix(let fix) in steps {
      guard let time = fix.time, last.map({ $0 <= time }) ?? true else { return false }
      last = time
    }
    return true
  }

  // MARK: Decoding

  /// What a file reports, in its order.
  private enum Step {
    case fix(Fix)
    case segment
  }

  /// Collects the fixes of a decoder and the beginnings of segments.
  private struct Collector: TrackSink {
    var steps: [Step] = []

    mutating func beginTrack() {}
    mutating func beginSegment() { steps.append(.segment) }
    mutating func beginRoute() {}
    mutating func fix(_ fix: Fix, line: Int) { steps.append(.fix(fix)) }
    mutating func skip(_ reason: SkipReason, line: Int) {}
    mutating func waypoint(_ fix: Fix, line: Int) {}
    mutating func routePoint(_ fix: Fix, line: Int) {}
    mutating func warn(
      _ code: IngestWarning.Code, line: Int?, _ message: @autoclosure () -> String
    ) {}
  }

  private static func steps(of bytes: [UInt8], _ format: SourceFormat, number: Int) -> [Step]? {
    let now = Timestamp(Date())
    switch format {
    case .gpx: return steps(of: bytes, GPXDecoder(now: now))
    case .tcx: return steps(of: bytes, TCXDecoder(now: now))
    case .kml: return steps(of: bytes, KMLDecoder(now: now))
    case .fit: return steps(of: bytes, FITDecoder(now: now))
    case .igc: return steps(of: bytes, IGCDecoder(now: now))
    case .csv: return steps(of: bytes, CSVDecoder(now: now))
    case .googleTimeline: return steps(of: bytes, GoogleTimelineDecoder(now: now))
    case .owntracks: return steps(of: bytes, OwnTracksDecoder(now: now))
    case .geojson: return steps(of: bytes, GeoJSONTrackDecoder(now: now))
    case .polarsteps: return steps(of: bytes, PolarstepsDecoder(now: now))
    case .nmea, .gpsd: return received(bytes, number: number, now: now)
    case .fogOfWorld: return nil
    }
  }

  private static func steps(of bytes: [UInt8], _ decoder: some TrackDecoder) -> [Step]? {
    var (decoder, collector) = (decoder, Collector())
    bytes.withUnsafeBytes { decoder.decode($0, into: &collector) }
    return decoder.finish(into: &collector) == nil ? collector.steps : nil
  }

  /// What a receiver's log gives when it arrives in pieces.
  private static func received(_ bytes: [UInt8], number: Int, now: Timestamp) -> [Step] {
    var decoder = LiveDecoder(.any, now: now)
    var random = SplitMix64(seed: UInt64(number))
    var events: [ReceiverEvent] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 1...4_096, using: &random))
      events += piece.withUnsafeBytes { decoder.decode($0, now: now) }
      rest = rest.dropFirst(piece.count)
    }
    return (events + decoder.finish()).compactMap { event in
      switch event {
      case .fix(let fix): .fix(fix)
      case .gap: .segment
      default: nil
      }
    }
  }
}
