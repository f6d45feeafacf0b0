import Foundation
import GeoStore
import Geodesy
import TestSupport
import Testing

@testable import Roqua

/// URLs instead of paths, and dates instead of times.
@Suite struct URLTests {
  @Test func `a store opens by URL, also one whose name needs percent encoding`() async throws {
    let folder = try TemporaryFolder()
    let file = URL(filePath: folder.path).appending(path: "my tracks 50%.roqua")
    let store = try Store(url: file, creating: true)
    try await store.write { _ in }
    #expect(store.path == folder.file("my tracks 50%.roqua"))
    #expect(FileManager.default.fileExists(atPath: store.path))
    let explorer = try Explorer(storeURL: file, creating: false, profileID: nil)
    #expect(try await explorer.sources().isEmpty)
  }

  @Test func `a request to adopt has the same paths by URL`() {
    func url(_ name: String) -> URL { URL(filePath: "/a b/" + name) }
    let all = AdoptRequest(
      database: url("d"), exploredCircles: url("c"), gridHashes: url("h"))
    #expect(all.database == "/a b/d" && all.exploredCircles == "/a b/c")
    #expect(all.gridHashes == "/a b/h")
    let circles = AdoptRequest(exploredCircles: url("c"))
    #expect(
      circles.database == nil && circles.exploredCircles == "/a b/c" && circles.gridHashes == nil)
    let hashes = AdoptRequest(gridHashes: url("h"))
    #expect(
      hashes.database == nil && hashes.exploredCircles == nil && hashes.gridHashes == "/a b/h")
  }

  @Test func `geodata open by the URL of their folder`() throws {
    let folder = URL(filePath: PackageFolder.path).appending(path: "data/packed")
    let point = Coordinate(48.137, 11.575)
    #expect(
      try Geocoder(contentsOf: folder).place(at: point) == Geocoder.bundled.place(at: point))
    #expect(throws: (any Error).self) { try Geocoder(contentsOf: folder.appending(path: "no")) }
  }

  @Test func `dates stand for times to the millisecond`() async throws {
    let (start, end) = (Date(timeIntervalSince1970: 1.2344), Date(timeIntervalSince1970: 86_400))
    let times = ClosedRange(start...end)
    #expect(times.lowerBound.millisecondsSince1970 == 1_234)
    #expect(times.upperBound.millisecondsSince1970 == 86_400_000)

    let fixture = try Fixture()
    let text = TrackText.gpx(from: Coordinate(48, 8), count: 20)
    _ = try fixture.explorer.importTracks([try fixture.folder.write(text, to: "a.gpx")])
    let whereabouts = try await fixture.explorer.whereabouts()
    let time = try #require(whereabouts.knownTimes).lowerBound
    let estimate = try #require(whereabouts.position(at: time))
    #expect(whereabouts.position(at: time.date)?.coordinate == estimate.coordinate)
    #expect(
      try await fixture.explorer.position(at: time.date)?.coordinate == estimate.coordinate)
  }
}
