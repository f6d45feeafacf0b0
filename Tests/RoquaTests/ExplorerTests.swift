import Foundation
import GeoStore
import Geodesy
import TestSupport
import Testing

@testable import Roqua

@Suite struct ExplorerTests {
  @Test func `the report counts exactly the kept fixes in the store`() throws {
    let fixture = try Fixture()
    let report = try fixture.explorer.importTracks([PackageFolder.samples])
    let kept = try fixture.explorer.keptFixes()
    #expect(kept.count == report.kept)
    #expect(report.kept == report.files.reduce(0) { $0 + $1.track.kept })
    #expect(kept.count { $0.startsSegment } >= report.files.count)
    for file in report.files {
      #expect(file.track.points == file.track.kept + file.track.dropped.total)
    }
  }

  @Test func `changed settings apply to the filter of the next import`() throws {
    let fixture = try Fixture()
    try fixture.explorer.set(.maximumAccuracyMeters, to: 7)
    try fixture.explorer.set(.trackingDistanceMeters, to: 400)
    try fixture.explorer.set(.minimumIntervalSeconds, to: 3)
    try fixture.explorer.set(.maximumSpeedMetersPerSecond, to: 90)
    let filter = try fixture.explorer.filterSettings()
    #expect(filter.maximumAccuracyMeters == 7)
    #expect(filter.trackingDistanceMeters == 400)
    #expect(filter.minimumIntervalSeconds == 3)
    #expect(filter.maximumSpeedMetersPerSecond == 90)
    let kept = try fixture.explorer.importTracks([PackageFolder.samples]).kept
    #expect(kept > 0)
    #expect(kept < Explorer.preview([PackageFolder.samples]).kept / 2)
  }

  @Test func `an exported app database can be adopted again, by URL and in async code`()
    async throws
  {
    let fixture = try Fixture()
    _ = try fixture.explorer.importTracks(Fixture.townSamples)
    let file = URL(filePath: fixture.folder.file("app file.sqlite"))
    let export = try await fixture.explorer.exportAppDatabase(to: file)
    let regions = try fixture.explorer.allRegions()
    #expect(export.regions == regions.count && export.undatedRegions == 0)
    let path = file.path(percentEncoded: false)
    #expect(export.path == path)
    await #expect(throws: DatabaseError.fileExists(path: path)) {
      try await fixture.explorer.exportAppDatabase(to: file)
    }
    #expect(try await fixture.explorer.exportAppDatabase(to: file, replacing: true) == export)
    let other = try Fixture()
    _ = try await other.explorer.adopt(AdoptRequest(database: path))
    #expect(try other.explorer.allRegions() == regions)
  }

  @Test
  func `the error for a file that is not a store is one line that begins with the path`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("no store", to: "notes.txt")
    do {
      _ = try Explorer(storePath: path)
      Issue.record("a text was opened as a store")
    } catch {
      let line = "\(error)"
      #expect(line.hasPrefix(path + ": "))
      #expect(!line.contains("\n"))
    }
  }

  @Test func `queries during an import see consistent states of the store`() throws {
    let fixture = try Fixture()
    let explorer = fixture.explorer
    let text = TrackText.gpx(from: Coordinate(40, 10), count: 3_000)
    let path = try fixture.folder.write(text, to: "long.gpx")
    let done = DispatchSemaphore(value: 0)
    Thread {
      _ = try? explorer.importTracks([PackageFolder.samples, path])
      done.signal()
    }.start()
    var sources: [Int] = []
    var isDone = false
    while !isDone {
      isDone = done.wait(timeout: .now()) == .success
      let statistics = try explorer.statistics()
      sources.append(statistics.counts.sources)
      // One state: cells are explored exactly when kept fixes are counted.
      #expect((statistics.cells == 0) == (statistics.counts.keptFixes == 0))
      #expect((statistics.counts.sources == 0) == (statistics.counts.keptFixes == 0))
    }
    #expect(sources == sources.sorted())
    #expect(sources.last == 8)
  }
}
