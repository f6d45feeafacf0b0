import Foundation
import TestSupport
import Testing

/// The JSON document of `roqua import`, member by member.
@Suite struct ImportReportTests {
  /// Four points, two of which are kept, one invalid position, two waypoints, three route points,
  /// and no closing tags.
  private static let example = """
    <?xml version="1.0"?>
    <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">
    <wpt lat="41.1" lon="28.9"/><wpt lat="41.2" lon="28.9"/>
    <rte><rtept lat="41.1" lon="28.9"/><rtept lat="41.2" lon="28.9"/>\
    <rtept lat="41.3" lon="28.9"/></rte>
    <trk><trkseg>
    <trkpt lat="41.0" lon="28.9"><time>2024-05-01T10:00:00Z</time></trkpt>
    <trkpt lat="41.0001" lon="28.9"><time>2024-05-01T10:00:10Z</time></trkpt>
    <trkpt lat="91.0" lon="28.9"><time>2024-05-01T10:00:20Z</time></trkpt>
    </trkseg><trkseg>
    <trkpt lat="41.01" lon="28.9"><time>2024-05-01T10:05:00Z</time><hdop>30</hdop></trkpt>
    <trkpt lat="41.01" lon="28.91"></trkpt>
    </trkseg></trk>

    """

  private static let fileMembers: Set<String> = [
    "path", "format", "status", "sha256", "bytes", "tracks", "segments", "points", "waypoints",
    "routePoints",
    "skipped", "kept", "dropped", "flights", "flightPoints", "unknownAccuracy", "undated",
    "firstTime", "lastTime", "bounds", "warnings",
    "error",
  ]

  /// Those of an imported file, unless it is a dry run.
  private static let importedMembers = fileMembers.union(["overlaps", "overlapCount"])

  private static let totalMembers: Set<String> = [
    "files", "imported", "refused", "refusedUnlisted", "duplicates", "ignored", "ignoredKinds",
    "unsupported", "bytes", "points", "kept", "flights", "flightPoints",
    "regionsAdded",
    "regionsRevisited", "cellsAdded", "areaAddedSquareKilometers", "overlapsAreComplete",
    "elapsedSeconds",
    "pointsPerSecond",
    "peakMemoryBytes",
  ]

  @Test func `the JSON report of one file has every member and the expected values`() throws {
    let bench = try Bench()
    try bench.folder.write(Self.example, to: "a.gpx")
    let document = try bench.json("import", "a.gpx")
    #expect(document.names == ["files", "totals", "unlocked"])
    #expect(document.files.elements.count == 1)
    let file = document.files[0]
    #expect(file.names == Self.importedMembers)
    #expect(file.overlaps == .array([]) && file.overlapCount.int == 0)
    #expect(file.path == .string("a.gpx"))
    #expect(file.format == .string("gpx"))
    #expect(file.status == .string("imported"))
    #expect(file.sha256.string?.count == 64)
    #expect(file.bytes.int == Self.example.utf8.count)
    let counts = [
      "tracks": 1, "segments": 2, "points": 4, "waypoints": 2, "routePoints": 3, "kept": 2,
      "undated": 1,
      "unknownAccuracy": 3,
    ]
    for (name, count) in counts { #expect(file[name].int == count, "\(name)") }
    #expect(file.skipped == .object(["invalidCoordinate": .number(1)]))
    #expect(file.dropped == .object(["tooClose": .number(1), "inaccurate": .number(1)]))
    #expect(file.firstTime == .string("2024-05-01T10:00:00Z"))
    #expect(file.lastTime == .string("2024-05-01T10:05:00Z"))
    #expect(
      file.bounds
        == .object([
          "south": .number(41), "west": .number(28.9), "north": .number(41.01),
          "east": .number(28.91),
        ]))
    #expect(file.error.isNull)
    let warning = try #require(file.warnings.elements.first { $0.code == .string("truncated") })
    #expect(warning.names == ["code", "line", "message"])
    #expect(warning.line.int.map { $0 >= 12 } == true)
    #expect(warning.message.string?.isEmpty == false)

    let totals = document.totals
    #expect(totals.names == Self.totalMembers)
    let sums = [
      "files": 1, "imported": 1, "refused": 0, "refusedUnlisted": 0, "duplicates": 0, "ignored": 0,
      "points": 4,
      "kept": 2,
      "bytes": Self.example.utf8.count, "regionsAdded": 2, "regionsRevisited": 0,
    ]
    for (name, count) in sums { #expect(totals[name].int == count, "\(name)") }
    #expect(totals.elapsedSeconds.double.map { $0 > 0 && $0 < 60 } == true)
    #expect(totals.pointsPerSecond.double.map { $0 > 0 } == true)
    #expect(totals.peakMemoryBytes.int.map { $0 > 1_000_000 } == true)
  }

  @Test func `the totals of the import report match the statistics`() throws {
    let bench = try Bench()
    let totals = try bench.json("import", PackageFolder.samples).totals
    let statistics = try bench.json("stats")
    #expect(totals.cellsAdded == statistics.cells)
    #expect(totals.regionsAdded == statistics.visitedRegions)
    #expect(totals.kept == statistics.keptFixes)
    #expect(totals.imported == statistics.sources)
    let (added, area) = (
      try #require(totals.areaAddedSquareKilometers.double),
      try #require(statistics.areaSquareKilometers.double)
    )
    #expect(abs(added - area) < 1e-9 * area)
  }

  @Test func `the counts of each sample track, and the totals, add up`() throws {
    let bench = try Bench()
    try bench.folder.write("no track", to: "mixed/notes.txt")
    try bench.folder.write("neither", to: "mixed/broken.gpx")
    let document = try bench.json("import", PackageFolder.samples, "mixed", status: 2)
    let files = document.files.elements
    for file in files {
      let isImported = file.status == .string("imported")
      #expect(file.names == (isImported ? Self.importedMembers : Self.fileMembers))
      let dropped = file.dropped.members.values.compactMap(\.int).reduce(0, +)
      #expect(file.points.int == (file.kept.int ?? 0) + dropped, "\(file.path)")
    }
    let statuses = Dictionary(grouping: files) { $0.status.string ?? "" }.mapValues(\.count)
    let totals = document.totals
    #expect(totals.imported.int == statuses["imported"])
    #expect(totals.refused.int == 1)
    #expect(totals.refused.int == statuses["refused"])
    #expect(totals.duplicates.int == 0)
    #expect(totals.ignored.int == 1)
    #expect(totals.ignoredKinds.members.values.compactMap(\.int) == [1])
    #expect(totals.files.int == files.count)
    for name in ["bytes", "points", "kept"] {
      #expect(totals[name].int == files.compactMap { $0[name].int }.reduce(0, +), "\(name)")
    }
    let formats = Set(files.map(\.format))
    #expect(formats.isSuperset(of: [.string("gpx"), .string("nmea")]))
    let skipped = files.reduce(into: Set<String>()) { $0.formUnion($1.skipped.names) }
    let dropped = files.reduce(into: Set<String>()) { $0.formUnion($1.dropped.names) }
    #expect(skipped == ["noFix", "badChecksum"])
    #expect(dropped == ["nullIsland", "inaccurate", "tooClose", "implausible"])
  }

  @Test func `routes and waypoints count as points only when requested`() throws {
    let bench = try Bench()
    try bench.folder.write(Self.example, to: "a.gpx")
    let without = try bench.json("import", "--dry-run", "a.gpx").files[0]
    let with = try bench.json("import", "--dry-run", "--include", "routes,waypoints", "a.gpx")
      .files[0]
    #expect(without.points.int == 4)
    #expect(with.points.int == 9)
    #expect(with.waypoints.int == 2)
    #expect(with.routePoints.int == 3)
    #expect(try bench.roqua("import", "--include", "marks", "a.gpx").status == 64)
  }

  @Test func `importing again to include waypoints says that nothing changes`() throws {
    let bench = try Bench()
    try bench.folder.write(Self.example, to: "a.gpx")
    let line = "  --include changes nothing in files that are already imported\n"
    _ = try bench.roqua("import", "a.gpx")
    #expect(try !bench.roqua("import", "a.gpx").out.contains(line))
    #expect(try bench.roqua("import", "--include", "waypoints", "a.gpx").out.hasSuffix(line))
    _ = try bench.roqua("forget", "a.gpx")
    let again = try bench.roqua("import", "--include", "waypoints", "a.gpx").out
    #expect(again.contains("1 file imported: ") && !again.contains(line))
  }

  /// Two points in Istanbul, and one at 0° N 0° E before, between and after them.
  private static let nullIslands = """
    <gpx><trk><trkseg>
    <trkpt lat="0" lon="0"><time>2024-05-01T09:00:00Z</time></trkpt>
    <trkpt lat="41.0" lon="28.9"><time>2024-05-01T10:00:00Z</time></trkpt>
    <trkpt lat="0.0" lon="-0.0"><time>2024-05-01T10:01:00Z</time></trkpt>
    <trkpt lat="41.01" lon="28.91"><time>2024-05-01T10:02:00Z</time></trkpt>
    <trkpt lat="0" lon="0"><time>2024-05-01T11:00:00Z</time></trkpt>
    </trkseg></trk></gpx>
    """

  @Test func `points at 0° N 0° E are not in the bounds but are in the counts and times`() throws {
    let bench = try Bench()
    try bench.folder.write(Self.nullIslands, to: "a.gpx")
    let file = try bench.json("import", "a.gpx").files[0]
    #expect(
      file.bounds
        == .object([
          "south": .number(41), "west": .number(28.9), "north": .number(41.01),
          "east": .number(28.91),
        ]))
    #expect(file.points.int == 5 && file.kept.int == 2)
    #expect(file.dropped == .object(["nullIsland": .number(3)]))
    #expect(file.unknownAccuracy.int == 5)
    #expect(file.firstTime == .string("2024-05-01T09:00:00Z"))
    #expect(file.lastTime == .string("2024-05-01T11:00:00Z"))
  }

  @Test func `the bounds include points dropped for other reasons and points near 0° N 0° E`()
    throws
  {
    let bench = try Bench()
    let points = """
      <trkpt lat="0.0000001" lon="0"/><trkpt lat="0" lon="1"/><trkpt lat="2" lon="0"/>
      <trkpt lat="3" lon="3"><hdop>99</hdop></trkpt><trkpt lat="0" lon="0"/>
      """
    try bench.folder.write("<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>", to: "a.gpx")
    let file = try bench.json("import", "a.gpx").files[0]
    #expect(file.dropped == .object(["nullIsland": .number(1), "inaccurate": .number(1)]))
    #expect(
      file.bounds
        == .object([
          "south": .number(0), "west": .number(0), "north": .number(3), "east": .number(3),
        ]))
  }

  @Test(arguments: [
    "<gpx><trk><trkseg><trkpt lat='0' lon='0'/><trkpt lat='0' lon='0'/></trkseg></trk></gpx>",
    "<gpx><wpt lat='0' lon='0'/><rte><rtept lat='0' lon='0'/></rte></gpx>",
    "$GPRMC,100000,A,0000.000,N,00000.000,E,,,010524,,\n"
      + "$GPRMC,100001,A,0000.000,S,00000.000,W,,,010524,,\n",
  ])
  func `a file whose only points are at 0° N 0° E has no bounds`(text: String) throws {
    let bench = try Bench()
    try bench.folder.write(text, to: "a")
    let file = try bench.json("import", "--include", "routes,waypoints", "a").files[0]
    #expect(file.status.string == "imported")
    #expect(file.points.int == 2 && file.kept.int == 0)
    #expect(file.dropped == .object(["nullIsland": .number(2)]))
    #expect(file.bounds.isNull)
  }
}
