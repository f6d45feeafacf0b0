import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua sources`, `roqua forget` and `roqua rebuild`.
@Suite struct ForgetTests {
  private static let files = ["2024-09-14-strasbourg-kehl.gpx", "2024-03-20-taveuni-boat.gpx"].map(
    PackageFolder.sample)

  /// All answers of the tool about a store, except row ids.
  private func answers(_ bench: Bench) throws -> [JSONTree] {
    [
      try bench.json("stats", "--by", "country", "--by", "day"),
      try bench.json("within", "-90", "-180", "90", "180"),
      try bench.json("coverage", "--by", "city"),
    ]
  }

  @Test func `sources are listed with the values of their import reports`() throws {
    let bench = try Bench()
    let reports = try Self.files.map { try bench.json("import", $0).files[0] }
    let sources = try bench.json("sources").sources.elements
    #expect(sources.map(\.id.int) == [1, 2])
    for (source, report) in zip(sources, reports) {
      for name in ["path", "format", "sha256", "bytes", "points", "kept", "firstTime", "lastTime"] {
        #expect(source[name] == report[name] && !source[name].isNull, "\(name)")
      }
      #expect(source.cells.isNull)
      #expect(Timestamp(iso8601: source.importedAt.string ?? "") != nil)
      #expect(source.names.count == 12)
    }
    let words = try bench.roqua("sources")
    #expect(words.status == 0)
    let lines = words.out.split(separator: "\n")
    #expect(lines.count == 3 && lines[2] == "2 sources")
    for (line, source) in zip(lines, sources) {
      #expect(line.hasSuffix(source.path.string ?? "?"))
      #expect(line.contains(" \(source.sha256.string?.prefix(8) ?? "?") "))
      #expect(line.contains("\(source.kept.int ?? 0) of \(source.points.int ?? 0) points kept"))
    }
  }

  @Test(arguments: [0, 1])
  func `after forgetting a source, the store answers as if it had never been imported`(gone: Int)
    throws
  {
    let (bench, fresh) = (try Bench(), try Bench())
    for file in Self.files { _ = try bench.json("import", file) }
    let whole = try answers(bench)
    _ = try fresh.json("import", Self.files[1 - gone])
    let hash = try #require(bench.json("sources").sources[gone].sha256.string)
    let selector = gone == 0 ? String(hash.prefix(8)) : Self.files[1]
    let preview = try bench.json("forget", selector, "--dry-run")
    try #expect(answers(bench) == whole)
    let result = try bench.json("forget", selector)
    #expect(result.without("erased") == preview.without("erased"))
    #expect(result.erased == .bool(true) && preview.erased == .bool(false))
    #expect(result.sources[0].forgotten == .bool(true))
    #expect(result.after.visitedRegions.int == (try fresh.json("stats").visitedRegions.int))
    try #expect(answers(bench) == answers(fresh))
    #expect(try bench.json("check").sound == .bool(true))
    // The source is no longer known, so the same file is imported again.
    for bench in [bench, fresh] {
      #expect(try bench.json("import", Self.files[gone]).files[0].status.string == "imported")
    }
    try #expect(answers(bench) == answers(fresh))
  }

  @Test func `forgotten points within a radius do not return when the file is imported again`()
    throws
  {
    let (bench, fresh) = (try Bench(), try Bench())
    let home = Coordinate(48.5676, 7.8010)
    // Points 134 m apart: all are kept.
    let points = (0..<20).map { Coordinate(48.5676 + 0.0012 * Double($0 - 8), 7.8010) }
    func gpx(_ points: [Coordinate]) -> String { TrackText.gpx(points.map { ($0, nil) }) }
    try bench.folder.write(gpx(points), to: "a.gpx")
    let outside = points.filter { home.distanceMeters(to: $0) > 300 }
    try fresh.folder.write(gpx(outside), to: "a.gpx")
    _ = try bench.json("import", "a.gpx")
    _ = try fresh.json("import", "a.gpx")
    let words = try bench.roqua(
      "forget", "--near", "48.5676", "7.8010", "--radius", "300m", "--dry-run")
    #expect(words.out.contains("1 a.gpx: 5 of 20 kept fixes would be deleted"))
    let result = try bench.json("forget", "--near", "48.5676,7.8010", "--radius", "0.3km")
    #expect(outside.count == 15 && result.fixes.int == 5 && result.sources[0].kept.int == 15)
    try #expect(answers(bench) == answers(fresh))
    #expect(
      try bench.json("near", "48.5676", "7.8010", "--radius", "300m").regions.elements.isEmpty)
    #expect(try bench.json("sources").sources[0].kept.int == 15)
    // The file is still known.
    #expect(try bench.json("import", "a.gpx").files[0].status.string == "duplicate")
    try #expect(answers(bench) == answers(fresh))
    let again = try bench.roqua("forget", "--near", "48.5676", "7.8010", "--radius", "300m")
    #expect(again.status == 0 && again.out == "No source has data within 300 m of the point.\n")
  }

  @Test func `a source that cannot be forgotten is an error and changes nothing`() throws {
    let bench = try Bench()
    try bench.folder.write(TrackText.gpx(from: Coordinate(48, 8), count: 9), to: "a.gpx")
    try bench.folder.write(TrackText.gpx(from: Coordinate(50, 8), count: 9), to: "b.gpx")
    _ = try bench.json("import", "a.gpx")
    try FileManager.default.removeItem(atPath: bench.folder.file("a.gpx"))
    try FileManager.default.moveItem(
      atPath: bench.folder.file("b.gpx"), toPath: bench.folder.file("a.gpx"))
    _ = try bench.json("import", "a.gpx")
    let before = try answers(bench)
    for (selector, word) in [
      ("a.gpx", "sources 1, 2"), ("3", "no source matches 3"),
      ("-5.gpx", "no source matches -5.gpx"),
    ] {
      let result = try bench.roqua("forget", "1", selector)
      #expect(result.status == 64 && result.out == "" && result.errorLines.count == 1)
      #expect(result.err.contains(word), "\(result.err)")
    }
    for arguments in [
      ["--near", "48", "8"], ["--radius", "3km"], ["1", "--near", "48", "8", "--radius", "1km"],
      ["--near", "91", "8", "--radius", "1km"], ["--near", "48", "--radius", "1km"],
      ["--near", "48", "8", "--radius", "-1km"], ["1", "--radius", "1km"],
    ] {
      #expect(try bench.roqua(["forget"] + arguments).status == 64, "\(arguments)")
    }
    try #expect(answers(bench) == before)
  }

  @Test func `a rebuild with other settings answers like a store created with them`() throws {
    let (bench, fresh) = (try Bench(), try Bench())
    try bench.importSamples()
    let before = try answers(bench)
    let same = try bench.json("rebuild")
    #expect(same.before == same.after)
    try #expect(answers(bench) == before)
    let result = try bench.json(
      "rebuild", "--exploration-radius", "0.2km", "--clustering-radius", "120", "--visit-gap", "10")
    for (key, value) in [
      ("explorationRadiusMeters", 200.0), ("clusteringRadiusMeters", 120), ("visitGapMinutes", 10),
    ] {
      #expect(try bench.json("settings", key)[key].double == value)
      _ = try fresh.json("settings", key, "\(value)")
    }
    try fresh.importSamples()
    try #expect(answers(bench) == answers(fresh))
    #expect(result.after.cells.int == (try fresh.json("stats").cells.int))
    for arguments in [
      ["--exploration-radius", "150.5"], ["--clustering-radius", "0"], ["--visit-gap", "x"],
    ] {
      #expect(try bench.roqua(["rebuild"] + arguments).status == 64, "\(arguments)")
    }
  }
}
