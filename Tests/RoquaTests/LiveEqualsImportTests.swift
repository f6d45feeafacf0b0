import Foundation
import GeoStore
import Geodesy
import GridHash
import SeededRandom
import TestSupport
import Testing
import TrackIngest

@testable import Roqua

/// A track fed fix by fix gives what the import of its file gives.
@Suite struct LiveEqualsImportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func segments(_ random: inout SplitMix64, count: Int) -> [[WalkPoint]] {
    var segments: [[WalkPoint]] = [[]]
    for point in Walks.day(&random, count: count) {
      if Int.random(in: 0..<60, using: &random) == 0 { segments.append([]) }
      segments[segments.count - 1].append(point)
    }
    return segments
  }

  @Test(arguments: 0..<6)
  func `regions, visits, coverage and flights are equal`(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let segments = segments(&random, count: 250)
    let file = folder.file("day.gpx")
    try Walks.gpx(segments).write(toFile: file, atomically: true, encoding: .utf8)
    let imported = try Explorer(storePath: folder.file("imported.sqlite"))
    let report = try imported.importTracks([file])
    #expect(report.files.first?.track.error == nil)

    let live = try Explorer(storePath: folder.file("live.sqlite"))
    let recording = try await live.startRecording(named: "day", minimumIntervalSeconds: 0)
    for (number, segment) in segments.enumerated() {
      if number > 0 { try await recording.endSegment() }
      var rest = segment.map { Fix($0) }[...]
      while !rest.isEmpty {
        let count = seed % 2 == 0 ? 1 : Int.random(in: 1...5, using: &random)
        try await recording.add(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
    }
    let total = try await recording.finish()

    let (expected, found) = (try StoreContents(imported), try StoreContents(live))
    let hasSameFixes = found.fixes == expected.fixes
    let hasSameGround = found.coverage == expected.coverage && found.regions == expected.regions
    #expect(hasSameFixes && hasSameGround)
    let track = try #require(report.files.first?.track)
    #expect(total.kept == track.kept && total.dropped == track.dropped)
    #expect(total.flights == track.flights && total.flightPoints == track.flightPoints)
    let check = try await live.check()
    #expect(check.isSound, "\(check.steps.flatMap(\.differences))")
  }

  @Test(.timeLimit(.minutes(60)))
  func `events report fixes, regions, cells and places in order, also of an import`()
    async throws
  {
    let explorer = try Explorer(storePath: folder.file("events.sqlite"))
    let events = explorer.events
    let recording = try await explorer.startRecording(named: "walk", minimumIntervalSeconds: 0)
    let first = Fix(Walks.point(meters: 0, seconds: 0))
    let near = Fix(Walks.point(meters: 10, seconds: 10))
    let far = Fix(Walks.point(meters: 200, seconds: 200))
    for fix in [first, near, far, first] { try await recording.add(fix) }
    try await recording.finish()
    let file = folder.file("a.gpx")
    try TrackText.gpx(from: Coordinate(41, 29), count: 3).write(
      toFile: file, atomically: true, encoding: .utf8)
    _ = try await explorer.importTracks(at: [URL(filePath: file)])

    var (kept, dropped, discovered, revisited) = (0, 0, 0, 0)
    var (cells, reached): (Int, [String?]) = (0, [])
    var names: [String] = []
    for await event in events {
      switch event {
      case .fixKept: kept += 1; names.append("kept")
      case .fixDropped(let fix, let reason):
        #expect(fix == near && reason == .tooClose)
        dropped += 1
      case .regionDiscovered: discovered += 1; names.append("discovered")
      case .regionRevisited(let region):
        #expect(region.center == first.coordinate)
        revisited += 1
      case .areaGrown(let count, _): cells += count
      case .placeReached(let place): reached.append(place.name)
      case .achievementUnlocked, .achievementProgressed, .missed: break
      case .importProgressed(let step):
        #expect(step == .init(filesDone: 1, filesFound: 1, kept: 3))
      }
      if case .importProgressed = event { break }
    }
    #expect(kept == 3 && dropped == 1 && discovered == 2 && revisited == 1)
    #expect(names.prefix(2) == ["kept", "discovered"])
    #expect(cells == (try await explorer.statistics().cells))
    #expect(reached.filter { $0 == "Switzerland" }.count == 1)
    #expect(reached.filter { $0 == "Türkiye" }.count == 1)
    #expect(reached.first == "Switzerland")
  }
}
