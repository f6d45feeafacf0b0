import Geodesy
import TestSupport
import Testing

/// `roqua sources --overlaps`, and the overlaps in the report of an import.
@Suite struct OverlapCommandTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
    // 20 minutes, the first 10 of them again, the same time elsewhere, and another day.
    let ride = TrackText.gpx(from: Coordinate(48, 8), count: 121)
    try bench.folder.write(ride, to: "watch.gpx")
    try bench.folder.write(TrackText.gpx(from: Coordinate(48, 8), count: 61), to: "site.gpx")
    try bench.folder.write(TrackText.gpx(from: Coordinate(10, 8), count: 121), to: "tracker.gpx")
    try bench.folder.write(ride.replacing("2024-05-01", with: "2024-06-01"), to: "later.gpx")
  }

  @Test func `an import names the files that cover the same time`() throws {
    let first = try bench.roqua("import", "watch.gpx", "later.gpx")
    #expect(!first.out.contains("cover the same"))
    let second = try bench.roqua("import", "site.gpx", "tracker.gpx")
    #expect(
      second.out.split(separator: "\n").filter { $0.contains("cover the same") } == [
        "watch.gpx and tracker.gpx cover the same 20 min in different places",
        "watch.gpx and site.gpx cover the same 10 min, which counts once",
        "site.gpx and tracker.gpx cover the same 10 min in different places",
      ])
    #expect(try !bench.roqua("import", "site.gpx").out.contains("cover"))
  }

  @Test func `the JSON report lists the overlaps of each file`() throws {
    let document = try bench.json("import", "watch.gpx", "site.gpx", "tracker.gpx", "later.gpx")
    let watch = document.files[0]
    #expect(document.files.elements.map(\.overlapCount.int) == [2, 2, 2, 0])
    #expect(watch.overlaps.elements.map(\.path.string) == ["tracker.gpx", "site.gpx"])
    #expect(
      watch.overlaps.elements.map(\.sha256) == [document.files[2].sha256, document.files[1].sha256])
    #expect(watch.overlaps.elements.map(\.seconds.double) == [1_200, 600])
    #expect(watch.overlaps.elements.map(\.share.double) == [1, 1])
    #expect(watch.overlaps.elements.map(\.sharedPlace.double) == [0, 1])
  }

  @Test func `a short overlap has no line`() throws {
    try bench.folder.write(TrackText.gpx(from: Coordinate(48, 8), count: 4), to: "short.gpx")
    let result = try bench.roqua("import", "watch.gpx", "short.gpx")
    #expect(!result.out.contains("cover the same"))
    #expect(try bench.json("sources", "--overlaps").overlaps.elements.count == 1)
  }

  @Test func `the overlaps of all sources, the longest first`() throws {
    let none = try bench.roqua("sources", "--overlaps")
    #expect(none.status == 1)
    _ = try bench.roqua("import", "watch.gpx", "later.gpx")
    let alone = try bench.roqua("sources", "--overlaps")
    #expect(alone.status == 0 && alone.out == "0 overlaps\n")
    _ = try bench.roqua("import", "site.gpx", "tracker.gpx")
    try expectGolden(try bench.roqua("sources", "--overlaps").out, "sources-overlaps")
    let document = try bench.json("sources", "--overlaps")
    #expect(document.names == ["overlaps", "isComplete"])
    #expect(document.isComplete == .bool(true))
    let first = document.overlaps[0]
    #expect(first.names == ["sources", "seconds", "share", "sharedPlace"])
    #expect(first.sources.elements.map(\.id.int) == [1, 4])
    #expect(first.sources.elements.map(\.path.string) == ["watch.gpx", "tracker.gpx"])
    #expect(first.seconds.double == 1_200)
  }

  @Test func `a path cannot control the terminal`() throws {
    let text = TrackText.gpx(from: Coordinate(48, 8), count: 100)
    try bench.folder.write(text, to: "a\u{1B}[2J.gpx")
    let imported = try bench.roqua("import", "watch.gpx", "a\u{1B}[2J.gpx")
    #expect(imported.out.contains("cover the same"))
    #expect(imported.controlCharacters == [])
    #expect(try bench.roqua("sources", "--overlaps").controlCharacters == [])
  }
}
