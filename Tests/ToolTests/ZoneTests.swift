import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua zone`.
@Suite struct ZoneTests {
  /// 20 points 134 m apart on a line to the north; five of them are within 300 m of ``home``.
  private static let points = (0..<20).map { Coordinate(48.5676 + 0.0012 * Double($0 - 8), 7.8010) }
  private static let home = Coordinate(48.5676, 7.8010)

  /// The zone's name and the center's coordinates in every form in which a file might contain them.
  private static var traces: [Data] {
    func bytes(_ value: some FixedWidthInteger) -> [Data] {
      [value.bigEndian, value.littleEndian].map { value in withUnsafeBytes(of: value) { Data($0) } }
    }
    return [Data("home".utf8), Data("48.5676".utf8)] + bytes(home.latitudeE7)
      + bytes(home.latitudeDegrees.bitPattern)
  }

  private func write(_ points: [Coordinate], to name: String, _ bench: Bench) throws {
    try bench.folder.write(TrackText.gpx(points.map { ($0, nil) }), to: name)
  }

  /// All answers of the tool about a store, except row ids.
  private func answers(_ bench: Bench) throws -> [JSONTree] {
    [
      try bench.json("stats", "--by", "country"),
      try bench.json("within", "-90", "-180", "90", "180"),
      try bench.json("coverage", "--by", "city"),
    ]
  }

  /// The document that a command prints.
  private func json(_ arguments: [String], _ bench: Bench) throws -> JSONTree {
    try JSONTree(parsing: bench.roqua(arguments + ["--json"]).out)
  }

  /// Adds the zone around home.
  private func addHome(_ bench: Bench) throws -> JSONTree {
    try bench.json(
      "zone", "add", "48.5676", "7.8010", "--radius", "300m", "--name", "home")
  }

  @Test func `zone data stays erased until the zone is removed and the file is imported again`()
    throws
  {
    let (bench, fresh, whole) = (try Bench(), try Bench(), try Bench())
    let outside = Self.points.filter { Self.home.distanceMeters(to: $0) > 300 }
    try write(Self.points, to: "a.gpx", bench)
    try write(Self.points, to: "a.gpx", whole)
    try write(outside, to: "a.gpx", fresh)
    for bench in [bench, fresh, whole] { _ = try bench.json("import", "a.gpx") }
    let preview = try bench.json(
      "zone", "add", "48.5676,7.8010", "--radius", "0.3km", "--name", "home", "--dry-run")
    try #expect(answers(bench) == answers(whole))
    #expect(try bench.json("zone", "list").zones.elements.isEmpty)
    let added = try addHome(bench)
    for name in ["sources", "fixes", "before", "after"] { #expect(added[name] == preview[name]) }
    #expect(added.fixes.int == 5 && added.erased == .bool(true))
    #expect(added.zone.id.int == 1 && added.zone.name.string == "home")
    #expect(added.zone.radiusMeters.double == 300)
    try #expect(answers(bench) == answers(fresh))
    #expect(try bench.json("import", "a.gpx").files[0].status.string == "duplicate")

    // Another file, with the same points and one far away.
    try write(Self.points + [Coordinate(50, 7)], to: "b.gpx", bench)
    let file = try bench.json("import", "b.gpx").files[0]
    #expect(file.points.int == 21 && file.kept.int == 16)
    #expect(file.dropped == (try JSONTree(parsing: #"{"privacyZone":5}"#)))
    #expect(try bench.json("check").sound == .bool(true))

    let removed = try bench.json("zone", "remove", "home")
    #expect(removed.removed.string == "home" && removed.erased == .bool(true))
    #expect(try bench.json("forget", "b.gpx").sources[0].forgotten == .bool(true))
    try #expect(answers(bench) == answers(fresh))
    #expect(try bench.json("import", "a.gpx").files[0].status.string == "imported")
    #expect(try bench.json("import", "a.gpx").files[0].status.string == "duplicate")
    try #expect(answers(bench) == answers(whole))
    #expect(try bench.json("sources").sources.elements.count == 1)
    #expect(try bench.json("check").sound == .bool(true))
  }

  @Test
  func `files of equal length come back when the zone is removed, and have no times until then`()
    throws
  {
    let bench = try Bench()
    func track(_ day: Int) -> String {
      "<gpx><trk><trkseg><trkpt lat='48.5676' lon='7.8010'><time>2024-05-0\(day)T10:00:00Z</time>"
        + "</trkpt></trkseg></trk></gpx>"
    }
    for day in 1...2 { try bench.folder.write(track(day), to: "rides/\(day).gpx") }
    _ = try bench.json("import", "rides")
    _ = try addHome(bench)
    let hidden = try bench.json("sources").sources.elements
    #expect(hidden.map(\.kept.int) == [0, 0])
    #expect(hidden.allSatisfy { $0.firstTime == .null && $0.lastTime == .null })
    #expect(try bench.json("check").sound == .bool(true))
    let again = try bench.json("import", "rides")
    #expect(again.files.elements.allSatisfy { $0.status == .string("duplicate") })
    _ = try bench.json("zone", "remove", "home")
    let imported = try bench.json("import", "rides")
    #expect(imported.files.elements.map(\.status) == [.string("imported"), .string("imported")])
    #expect(try bench.json("stats").keptFixes.int == 2)
  }

  @Test
  func `a zone added before the first import keeps its points out of the store and of the report`()
    throws
  {
    let bench = try Bench()
    #expect(try addHome(bench).sources.elements.isEmpty)
    // The only point in the zone is the southernmost one.
    try write([Self.home, Coordinate(48.6, 7.9), Coordinate(48.7, 7.8)], to: "a.gpx", bench)
    let file = try bench.json("import", "a.gpx").files[0]
    #expect(file.bounds.south.double == 48.6 && file.kept.int == 2)
    let words = try bench.roqua("import", "a.gpx", "--dry-run")
    #expect(words.status == 0)
    #expect(try bench.json("near", "48.5676", "7.801", "--radius", "300m").regions.elements.isEmpty)
  }

  @Test func `imported cells and adopted circles inside a zone are withheld`() throws {
    let (bench, other) = (try Bench(), try Bench())
    try write(Self.points, to: "a.gpx", other)
    _ = try other.json("import", "a.gpx")
    let path = bench.folder.file("friend.coverage")
    _ = try other.json("coverage", "--export", path)
    _ = try addHome(bench)
    let first = try bench.json("coverage", "--import", path)
    #expect((first.cellsWithheld.int ?? 0) > 20)
    #expect(try bench.json("check").sound == .bool(true))
    let circles = #"[{"latitude":48.5676,"longitude":7.801},{"latitude":48.6,"longitude":7.801}]"#
    try bench.folder.write(circles, to: "circles.json")
    let part = try bench.json("adopt", "--explored-circles", "circles.json").sources[0]
    #expect(part.taken.int == 1 && part.withheld.int == 1 && part.leftOut.int == 0)
    #expect(try bench.json("check").sound == .bool(true))

    _ = try bench.json("zone", "remove", "1")
    let again = try bench.json("coverage", "--import", path)
    #expect(again.cellsWithheld.int == 0 && (again.cellsAdded.int ?? 0) > 20)
    #expect(try bench.json("adopt", "--explored-circles", "circles.json").sources[0].taken.int == 2)
    #expect(try bench.json("check").sound == .bool(true))
    #expect(try bench.json("sources").sources.elements.count == 2)
  }

  @Test func `zones are listed with all their data, and exports contain none of it`() throws {
    let bench = try Bench()
    _ = try addHome(bench)
    _ = try bench.json("zone", "add", "-33.9 18.4", "--radius", "2km")
    let lines = try bench.roqua("zone", "list").out.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].contains("1  home  48.56760 7.80100") && lines[0].contains("300 m"))
    #expect(lines[1].contains("2  –     -33.90000 18.40000") && lines[1].contains("2.00 km"))
    try write(Self.points, to: "a.gpx", bench)
    _ = try bench.json("import", "a.gpx")
    for arguments in [
      ["coverage", "--export", "all.coverage"], ["backup", "--app-format", "app.db"],
    ] {
      #expect(try bench.roqua(arguments).status == 0, "\(arguments)")
      let exported = try bytes(of: bench.folder.file(arguments[2]))
      for trace in Self.traces { #expect(exported.range(of: trace) == nil) }
    }
    let store = try bytes(of: bench.storePath)
    #expect(Self.traces.contains { store.range(of: $0) != nil })
    // A backup is the whole store, with its zones.
    #expect(try bench.roqua("backup", "copy.sqlite").status == 0)
    #expect(
      try bench.json("zone", "list", "--store", "copy.sqlite") == bench.json("zone", "list"))
  }

  @Test func `cells and explorer tiles near a zone are not exported`() throws {
    let bench = try Bench()
    // Far enough for ground that is not hidden.
    let line = (0..<200).map { Coordinate(48.5 + 0.0012 * Double($0), 7.8010) }
    try write(line, to: "a.gpx", bench)
    _ = try bench.json("import", "a.gpx")
    let note = "What lies near a privacy zone is left out."
    func export(_ arguments: String...) throws -> String {
      try bench.roqua(["coverage", "--force"] + arguments).out
    }
    #expect(try !export("--export", "all.coverage").contains(note))
    #expect(try !export("--tiles", "17", "--export", "all.geojson").contains(note))
    _ = try addHome(bench)
    #expect(try export("--export", "shown.coverage").hasSuffix("\n\(note)\n"))
    #expect(try export("--tiles", "17", "--export", "shown.geojson").hasSuffix("\n\(note)\n"))
    let piped = try bench.roqua("coverage", "--export", "-")
    #expect(piped.err == "\(note)\n")
    #expect(try piped.standardOutput == bytes(of: bench.folder.file("shown.coverage")))
    // No cell and no tile is nearer to the center than the blocks of the hidden ground.
    let (whole, part) = (try Bench(), try Bench())
    for (other, name) in [(whole, "all"), (part, "shown")] {
      _ = try other.json("coverage", "--import", bench.folder.file("\(name).coverage"))
    }
    let box = ["coverage", "--bbox", "48.5636,7.795,48.5716,7.807"]
    #expect(try #require(json(box, whole).cells.int) > 0)
    #expect(try json(box, part).cells.int == 0)
    #expect(try #require(part.json("coverage").cells.int) > 0)
    func tiles(_ name: String) throws -> Int {
      let text = try String(contentsOfFile: bench.folder.file(name), encoding: .utf8)
      return try JSONTree(parsing: text).features.elements.count
    }
    #expect(try 0 < tiles("shown.geojson") && tiles("shown.geojson") < tiles("all.geojson"))
    // The missing tiles do not show the hole either.
    let missing = ["coverage", "--tiles", "17", "--near", "48.5676", "7.801", "--limit", "20"]
    let report = try json(missing + ["--export", "missing.gpx"], bench)
    #expect(try #require(report.tiles.int) < 20 && report.notes.elements.count == 1)
  }

  @Test func `tiles of a map are not renewed after a zone was removed`() throws {
    let bench = try Bench()
    try write(Self.points, to: "a.gpx", bench)
    _ = try bench.json("import", "a.gpx")
    let map = ["map", "a.mbtiles", "--zoom", "0-9"]
    #expect(try bench.roqua(map).status == 0)
    _ = try addHome(bench)
    #expect(try json(map, bench).renewed == .bool(true))
    #expect(try bench.roqua("zone", "remove", "home").status == 0)
    #expect(try bench.roqua(map).status == 1)
    #expect(try json(map + ["--force"], bench).renewed == .bool(false))
  }

  @Test func `an invalid zone is an error and creates no store`() throws {
    let bench = try Bench()
    for arguments in [
      ["add", "48", "8"], ["add", "91", "8", "--radius", "1km"], ["add", "--radius", "1km"],
      ["remove"], ["add", "48", "8", "--radius", "200km"], ["add", "48", "8", "--radius", "0.5m"],
      ["add", "48", "8", "--radius", "1km", "--name", "7"],
    ] {
      #expect(try bench.roqua(["zone"] + arguments).status == 64, "\(arguments)")
    }
    for arguments in [
      ["list"], ["remove", "home"],
    ] {
      let result = try bench.roqua(["zone"] + arguments)
      #expect(result.status == 1 && result.out == "" && result.errorLines.count == 1)
    }
    #expect(!bench.hasStore)
    #expect(try bench.roqua("zone", "add", "48", "8", "--radius", "1km", "--dry-run").status == 1)
    #expect(!bench.hasStore)
    _ = try addHome(bench)
    let result = try bench.roqua("zone", "remove", "work")
    #expect(result.status == 64 && result.err.contains("no privacy zone matches work"))
    #expect(try bench.roqua("zone", "list").out.contains("home"))
  }
}
