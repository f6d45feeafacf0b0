import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua coverage --export` and `--import`.
@Suite struct CoverageFileTests {
  /// The bytes that the tool exports from a store.
  private func export(_ bench: Bench, store: String) throws -> Data {
    let path = bench.folder.file("export-\(UUID().uuidString)")
    let result = try bench.roqua("coverage", "--export", path, environment: ["ROQUA_STORE": store])
    try #require(result.status == 0, "\(result.err)")
    return try bytes(of: path)
  }

  private func run(_ bench: Bench, _ arguments: String..., store: String) throws {
    let result = try bench.roqua(arguments, environment: ["ROQUA_STORE": store])
    try #require(result.status == 0, "\(result.err)")
  }

  /// Tracks in several parts of the world: two overlap, one crosses ±180°, one is near a pole.
  private func tracks(_ bench: Bench, using random: inout SplitMix64) throws -> [String] {
    let home = Coordinate.random(using: &random)
    let starts = [
      home, home.randomNeighbor(within: 500, using: &random), Coordinate(-16.8, 179.99),
      Coordinate(89.95, 10),
      .random(using: &random),
    ]
    return try starts.enumerated().map { index, start in
      let start = Coordinate(min(start.latitudeDegrees, 89.95), min(start.longitudeDegrees, 179.99))
      let text = TrackText.gpx(
        from: start, count: 8, stepDegrees: 0.001, isDated: Bool.random(using: &random))
      return try bench.folder.write(text, to: "track-\(index).gpx")
    }
  }

  @Test(arguments: Seeds.sample(3))
  func `coverage does not depend on import order, splitting over two stores or repetition`(
    seed: UInt64
  )
    throws
  {
    var random = SplitMix64(seed: seed)
    let bench = try Bench()
    let tracks = try tracks(bench, using: &random)
    let whole = bench.folder.file("whole.sqlite")
    for track in tracks { try run(bench, "import", track, store: whole) }
    let expected = try export(bench, store: whole)
    #expect(expected.count > 50)

    let shuffled = bench.folder.file("shuffled.sqlite")
    for track in tracks.shuffled(using: &random) {
      try run(bench, "import", track, store: shuffled)
    }
    #expect(try export(bench, store: shuffled) == expected)

    // Import the tracks again: the same files, then the same points in a file with one more line
    // break.
    for track in tracks { try run(bench, "import", track, store: shuffled) }
    let again = try bench.folder.write(
      String(decoding: try bytes(of: tracks[0]), as: UTF8.self) + "\n", to: "again.gpx")
    try run(bench, "import", again, store: shuffled)
    #expect(try export(bench, store: shuffled) == expected)

    // Import the tracks into two stores, then the coverage of one into the other. A track may be in
    // both.
    let (left, right) = (bench.folder.file("left.sqlite"), bench.folder.file("right.sqlite"))
    for (index, track) in tracks.enumerated() {
      let side = index == 0 ? 2 : Int.random(in: 0...2, using: &random)
      if side != 1 { try run(bench, "import", track, store: left) }
      if side != 0 { try run(bench, "import", track, store: right) }
    }
    let file = bench.folder.file("right.rqcv")
    try run(bench, "coverage", "--export", file, store: right)
    try run(bench, "coverage", "--import", file, store: left)
    #expect(try export(bench, store: left) == expected)
    try run(bench, "coverage", "--import", file, store: left)
    #expect(try export(bench, store: left) == expected)
    // A store that contains only cells; then the other store with its regions rebuilt.
    let cells = bench.folder.file("cells.sqlite")
    try run(bench, "coverage", "--import", file, store: cells)
    #expect(try export(bench, store: cells) == (bytes(of: file)))
    try run(bench, "settings", "clusteringRadiusMeters", "60", store: left)
    #expect(try export(bench, store: left) == expected)
  }

  @Test func `a coverage file is readable only by its owner, and the export is reported`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let file = bench.folder.file("a.rqcv")
    try bench.folder.write("something older", to: "a.rqcv")
    let report = try bench.json("coverage", "--export", file, "--force")
    #expect(report.path.string == file)
    #expect(try report.cells == bench.json("coverage").cells)
    #expect(try report.bytes.int == bytes(of: file).count)
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder.path)
    #expect(names.filter { $0.hasPrefix("a.rqcv") } == ["a.rqcv"], "no partial file remains")

    // The same through standard output and standard input.
    let piped = try bench.roqua("coverage", "--export", "-")
    #expect(try piped.status == 0 && piped.standardOutput == (bytes(of: file)))
    let other = try Bench()
    let first = try other.json("coverage", "--import", file)
    #expect(first.status.string == "imported" && first.cellsAdded == report.cells)
    #expect(first.sha256 == report.sha256)
    let second = try other.json("coverage", "--import", file)
    #expect(second.status.string == "duplicate" && second.cellsAdded.int == 0)
    #expect(try other.json("stats").sources.int == 1)
    // Newly explored area without a time has no date.
    let years = try other.json("stats", "--by", "year").breakdowns.year.elements
    #expect(years.count == 1 && years[0].period.isNull && years[0].newCells == report.cells)
  }

  @Test func `a damaged coverage file gives a one-line error, exit status 1 and no change`() throws
  {
    let bench = try Bench()
    try bench.importSamples()
    let path = bench.folder.file("a.rqcv")
    #expect(try bench.roqua("coverage", "--export", path).status == 0)
    let whole = [UInt8](try bytes(of: path))
    let before = try bytes(of: path)
    var flipped = whole
    flipped[whole.count / 2] ^= 4
    var newer = whole
    newer[4] = 9
    let cases: [(String, [UInt8], String)] = [
      ("cut", Array(whole.dropLast(9)), "damaged"), ("flipped", flipped, "damaged"),
      ("newer", newer, "newer"), ("other", Array("hello".utf8), "not a coverage"),
      ("empty", [], "not a coverage"),
      ("longer", whole + [0], "damaged"),
    ]
    for (name, bytes, word) in cases {
      let file = try bench.folder.write(bytes, to: name)
      let result = try bench.roqua("coverage", "--import", file)
      #expect(result.status == 1 && result.out.isEmpty, "\(name)")
      #expect(result.errorLines.count == 1 && result.err.contains(word), "\(name): \(result.err)")
      // No store is created either.
      let fresh = bench.folder.file("fresh.sqlite")
      #expect(
        try bench.roqua("coverage", "--import", file, environment: ["ROQUA_STORE": fresh]).status
          == 1)
      #expect(!FileManager.default.fileExists(atPath: fresh))
    }
    #expect(
      try bench.roqua("coverage", "--import", bench.folder.file("nowhere")).errorLines.count == 1)
    #expect(try bench.roqua("coverage", "--export", bench.folder.file("no/folder")).status == 1)
    #expect(try bench.roqua("coverage", "--export", bench.folder.path).status == 1)
    #expect(try export(bench, store: bench.storePath) == before)
    #expect(try bench.json("stats").sources.int == 2)
  }

  @Test func `cells of another exploration radius are refused`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let file = bench.folder.file("a.rqcv")
    #expect(try bench.roqua("coverage", "--export", file).status == 0)
    let other = bench.folder.file("other.sqlite")
    try run(bench, "settings", "explorationRadiusMeters", "200", store: other)
    let result = try bench.roqua("coverage", "--import", file, environment: ["ROQUA_STORE": other])
    #expect(result.status == 1 && result.errorLines.count == 1)
    #expect(result.err.contains("200 m") && result.err.contains("150 m"))
    // The reverse: a store with imported cells keeps their radius.
    let cells = bench.folder.file("cells.sqlite")
    try run(bench, "coverage", "--import", file, store: cells)
    let changed = try bench.roqua(
      "settings", "explorationRadiusMeters", "200", environment: ["ROQUA_STORE": cells])
    #expect(changed.status == 1 && changed.errorLines.count == 1)
    #expect(try export(bench, store: cells) == (bytes(of: file)))
  }

  /// Header of a coverage with the default grid, and a tile of two cells that may follow any other
  /// tile.
  private static let header: [UInt8] = [0x52, 0x51, 0x43, 0x56, 1, 0, 0xF0, 0x49, 2, 0]
  private static let tile: [UInt8] = [1, 1, 0, 0, 0, 0, 0x30, 0, 0, 0, 0x24, 0xA6, 0xC0]

  /// Endless streams: the first bytes, and the bytes that repeat after them.
  private static let streams: [(first: [UInt8], rest: [UInt8])] = [
    (header, Array("and so on".utf8)),
    (header, [0]),
    (header + (0..<1_000).flatMap { _ in tile }, [0xFF]),
    (header + tile + [1, 1] + [UInt8](repeating: 0xFF, count: 8), [1]),
    (Array("RQCX".utf8), [0x20]),
  ]

  @Test(arguments: streams.indices)
  func `a stream that is not a coverage is refused at its first wrong byte`(index: Int) throws {
    let bench = try Bench()
    let feeder = try PipeFeeder(Self.streams[index].first, repeating: Self.streams[index].rest)
    var process = bench.process(["coverage", "--import", "-"])
    process.input = feeder.output
    let result = try process.run()
    #expect(result.status == 1 && result.errorLines.count == 1, "\(result.err)")
    #expect(feeder.bytesWritten() < 2 << 20, "more bytes read than a pipe and a buffer hold")
    #expect(!bench.hasStore)
  }
}
