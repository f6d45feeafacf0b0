import Foundation
import GeoStore
import Geodesy
import TestSupport
import Testing

@testable import Roqua

/// The quick overview of a store, compared with its statistics.
@Suite struct OverviewTests {
  /// A store with the sample tracks.
  private func explorer(_ folder: TemporaryFolder) throws -> Explorer {
    let explorer = try Explorer(storePath: folder.file("store.sqlite"))
    let report = try explorer.importTracks([PackageFolder.samples])
    try #require(report.count(.imported) == 7)
    return explorer
  }

  @Test func `the overview of a small store equals its statistics`() throws {
    let folder = try TemporaryFolder()
    let explorer = try explorer(folder)
    let (contents, explored) = try explorer.overview()
    let statistics = try explorer.statistics()
    #expect(contents.sources == statistics.counts.sources)
    #expect(contents.keptFixes == statistics.counts.keptFixes)
    #expect(contents.countries == statistics.counts.countries)
    #expect(contents.cities == statistics.counts.cities)
    #expect(contents.firstTime?.iso8601.hasPrefix("2022-11-05") == true)
    #expect(contents.lastTime?.iso8601.hasPrefix("2025-05-17") == true)
    #expect(explored.areaSquareKilometers == statistics.totals.areaSquareKilometers)
    #expect(explored.landPercentage == statistics.totals.landPercentage)
    #expect(!explored.isEstimate)
  }

  @Test func `the estimated area of a large store is within 0.1 % of the exact area`() throws {
    let folder = try TemporaryFolder()
    let explorer = try explorer(folder)
    let (_, estimate) = try explorer.overview(mostExactTiles: 0)
    let exact = try explorer.statistics().totals
    #expect(estimate.isEstimate)
    let error = estimate.areaSquareKilometers / exact.areaSquareKilometers - 1
    #expect(abs(error) < 0.001, "\(error)")
    // Half of one track is at sea, and the samples have only some dozens of tiles.
    let landError = estimate.landPercentage / exact.landPercentage - 1
    #expect(abs(landError) < 0.2, "\(landError)")
  }

  /// As texts, a whole second comes after its fractions, because a `Z` comes after a point.
  @Test func `the overview has the first and last time to the millisecond`() throws {
    let folder = try TemporaryFolder()
    let explorer = try Explorer(storePath: folder.file("store.sqlite"))
    let tracks = [["10:00:00", "10:00:09"], ["10:00:00.129", "10:00:09.417"]]
    for (number, clocks) in tracks.enumerated() {
      let points = clocks.enumerated().map { step, clock in
        """
        <trkpt lat="\(48 + number).0" lon="11.00\(step)"><time>2024-05-01T\(clock)Z</time></trkpt>
        """
      }
      let path = folder.file("\(number).gpx")
      try Data("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8)
        .write(to: URL(fileURLWithPath: path))
      _ = try explorer.importTracks([path])
    }
    let (contents, _) = try explorer.overview()
    #expect(contents.sources == 2)
    #expect(contents.firstTime?.iso8601 == "2024-05-01T10:00:00Z")
    #expect(contents.lastTime?.iso8601 == "2024-05-01T10:00:09.417Z")
  }

  @Test func `the overview of an empty store is zero`() throws {
    let folder = try TemporaryFolder()
    let explorer = try Explorer(storePath: folder.file("store.sqlite"))
    try explorer.set(.visitGapMinutes, to: 45)
    let (contents, explored) = try explorer.overview()
    #expect(contents.sources == 0 && contents.cities == 0 && contents.firstTime == nil)
    #expect(explored.areaSquareKilometers == 0 && explored.landPercentage == 0)
  }
}
