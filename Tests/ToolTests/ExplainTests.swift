import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua import --explain`, by its output.
@Suite struct ExplainTests {
  private let bench: Bench

  init() throws { bench = try Bench() }

  /// A GPX file of which some positions are left out. `separator` is between its elements.
  private static func ride(_ separator: String = "\n") -> String {
    [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<gpx version=\"1.1\"><trk><trkseg>",
      point(48, 0), "<trkpt lat=\"north\" lon=\"8\"/>", point(48.000_1, 60), point(48.000_2, 120),
      point(49, 180), "<trkpt lat=\"0\" lon=\"0\"/>", point(48.01, 240), point(48.010_1, 300),
      "</trkseg></trk><wpt lat=\"48\" lon=\"8\"/></gpx>",
    ].joined(separator: separator)
  }

  private static func point(_ latitude: Double, _ seconds: Int64) -> String {
    let time = Timestamp(millisecondsSince1970: (1_714_557_600 + seconds) * 1_000).iso8601
    return "<trkpt lat=\"\(latitude)\" lon=\"8\"><time>\(time)</time></trkpt>"
  }

  private func lines(_ arguments: String..., status: Int32 = 0) throws -> [JSONTree] {
    let result = try bench.roqua(["import", "--explain", "--json"] + arguments)
    #expect(result.status == status, "\(result.err)")
    return try result.out.split(separator: "\n").map { try JSONTree(parsing: $0) }
  }

  /// The outcomes by path.
  private func outcomes(_ lines: [JSONTree]) -> [String: String] {
    Dictionary(
      lines.compactMap { line -> (String, String)? in
        guard case .string(let path) = line.path, case .string(let outcome) = line.outcome else {
          return nil
        }
        return (path, outcome)
      }, uniquingKeysWith: { $1 })
  }

  // MARK: What it was recognized by

  /// A file, and the bytes by which it is recognized.
  struct Recognized: Sendable, CustomTestStringConvertible {
    let contents: [UInt8]
    let format: String
    let signature: String
    let byte: Int
    let encoding: String?
    var testDescription: String { "\(signature) in \(encoding ?? "binary")" }

    init(
      _ contents: [UInt8], _ format: String, _ signature: String, _ byte: Int, _ encoding: String?
    ) {
      (self.contents, self.format, self.signature) = (contents, format, signature)
      (self.byte, self.encoding) = (byte, encoding)
    }

    init(_ text: String, _ format: String, _ signature: String, _ byte: Int) {
      self.init(Array(text.utf8), format, signature, byte, "UTF-8")
    }
  }

  private static func wide(_ text: String) -> [UInt8] {
    let units = text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 255), UInt8(unit >> 8)] }
    return [0xFF, 0xFE] + units
  }

  private static func fit(_ data: [UInt8]) -> [UInt8] {
    let head: [UInt8] = [14, 0x20, 0x54, 0x08, UInt8(data.count), 0, 0, 0]
    return head + Array(".FIT".utf8) + [0, 0] + data + [0, 0]
  }

  static let recognized = [
    Recognized(ride(), "gpx", "<gpx", 39),
    Recognized("<!-- \u{e9} --><gpx/>", "gpx", "<gpx", 11),
    Recognized("\u{FEFF}  <kml/>", "kml", "<kml", 5),
    Recognized(
      wide("<!--\u{e9}\u{1F30D}--><gpx/>"), "gpx", "<gpx", 22, "UTF-16 (little-endian)"),
    Recognized(
      Array("<?xml version='1.0' encoding='ISO-8859-1'?><gpx/>".utf8), "gpx", "<gpx", 43,
      "ISO-8859-1"),
    Recognized("<TrainingCenterDatabase/>", "tcx", "<TrainingCenterDatabase", 0),
    Recognized("noise\r\n$GPGLL,4916.45,N,12311.12,W,225444,A\r\n", "nmea", "$GPGLL", 7),
    Recognized(
      #"{"x":1,"semanticSegments":[{"startTime":"a"}]}"#, "googleTimeline",
      "\"semanticSegments\"", 7),
    Recognized(
      #"{"type":"LineString","coordinates":[[8,48],[8,49]]}"#, "geojson", "\"LineString\"", 8),
    Recognized(
      #"{"lat":48,"_type":"location","lon":8,"tst":1714557600}"#, "owntracks", "\"_type\"", 10),
    Recognized(
      "\nlatitude,longitude\n48,8\n", "csv", "columns of latitude and longitude", 1),
    Recognized(
      "AXXX123\r\nHFDTE010524\r\nB1000004800000N00800000EA0010000100\r\n", "igc", "A record", 0),
    Recognized(fit([]), "fit", ".FIT", 8, nil),
  ]

  @Test(arguments: recognized)
  func `the bytes that show the format are named with their offset`(file: Recognized) throws {
    try bench.folder.write(file.contents, to: "a.dat")
    try bench.folder.write(Deflate.gzip(file.contents), to: "b.dat")
    let answer = try bench.roqua("import", "--explain", "--json", "a.dat", "b.dat")
    let found = try answer.out.split(separator: "\n").map { try JSONTree(parsing: $0) }
    try #require(found.count == 2)
    for line in found {
      #expect(line.format.string == file.format)
      #expect(line.recognized.signature.string == file.signature)
      #expect(line.recognized.byte.int == file.byte)
      #expect(line.recognized.encoding.string == file.encoding)
    }
    #expect(found[0].compression.isNull)
    #expect(found[1].compression.signature.string == "1F 8B")
    #expect(found[1].compression.byte.int == 0)
  }

  @Test func `the content may follow more blanks than are kept`() throws {
    let blanks = String(repeating: " \n", count: 50_000)
    try bench.folder.write(blanks + "<gpx><trk/></gpx>", to: "late.gpx")
    #expect(try lines("late.gpx")[0].recognized.byte.int == 100_000)
  }

  // MARK: What was left out

  @Test func `each position that is left out has its reason and line`() throws {
    try bench.folder.write(Self.ride(), to: "ride.gpx")
    let line = try lines("ride.gpx")[0]
    #expect(line.outcome == .string("read"))
    #expect(line.points.int == 7 && line.kept.int == 2 && line.waypoints.int == 1)
    let found = line.leftOut.elements
    #expect(
      found.map(\.reason.string) == ["invalidCoordinate", "tooClose", "implausible", "nullIsland"])
    #expect(found.map(\.count.int) == [1, 3, 1, 1])
    #expect(found.map { $0.first.elements.map(\.line.int) } == [[4], [5, 6, 10], [7], [8]])
    #expect(
      line.leftOut.elements.map { $0.first.elements.map(\.position.int) } == [
        [2], [3, 4, 8], [5], [6],
      ])
  }

  @Test func `positions of a file without line ends are named by their number or byte`() throws {
    try bench.folder.write(Self.ride(""), to: "ride.gpx")
    let words = try bench.roqua("import", "--explain", "ride.gpx")
    #expect(words.out.contains("3 points closer than 50 m to the last one: positions 3, 4 and 8\n"))

    let places = (0..<3).map { #"{"latitudeE7":480000000,"longitudeE7":\#(80_000_000 + $0)}"# }
    let records = #"{"locations":["# + places.joined(separator: ",") + "]}"
    try bench.folder.write(records, to: "Records.json")
    let bytes = try places[1...].map { place in
      let range = try #require(records.range(of: place))
      return records.distance(from: records.startIndex, to: range.lowerBound)
    }
    let json = try lines("Records.json")[0].leftOut[0]
    #expect(json.first.elements.map(\.byte.int) == bytes)
    #expect(
      try bench.roqua("import", "--explain", "Records.json").out
        .contains("bytes \(bytes[0]) and \(bytes[1])\n"))
    // In pieces of a pipe, after a byte order mark.
    let marked = try bench.roqua(
      ["import", "--explain", "--json", "-"], input: "\u{FEFF}" + records)
    #expect(
      try JSONTree(parsing: marked.out).leftOut[0].first.elements.map(\.byte.int)
        == bytes.map { $0 + 3 })
  }

  @Test func `records of a FIT file are named by their byte`() throws {
    let definition: [UInt8] = [0x40, 0, 0, 20, 0, 2, 0, 4, 0x85, 1, 4, 0x85]
    let kept: [UInt8] = [0, 0, 0, 0, 0x20, 0, 0, 0, 0x10]
    try bench.folder.write(Self.fit(definition + kept + kept + kept), to: "ride.fit")
    let entry = try lines("ride.fit")[0].leftOut[0]
    #expect(entry.reason == .string("tooClose"))
    #expect(entry.first.elements.map(\.byte.int) == [35, 44])
    #expect(entry.first.elements.allSatisfy { $0.line == .null })
  }

  @Test func `a verbose explanation lists every position, in the order of the verdicts`() throws {
    try bench.folder.write(Self.ride(), to: "ride.gpx")
    let all = try lines("--verbose", "ride.gpx")
    #expect(
      all.dropLast().map(\.reason)
        == [
          "invalidCoordinate", "tooClose", "tooClose", "implausible", "nullIsland", "tooClose",
        ].map { .string($0) })
    #expect(all.dropLast().map(\.line.int) == [4, 5, 6, 7, 8, 10])
    let words = try bench.roqua("import", "--explain", "-v", "ride.gpx")
    #expect(words.out.hasPrefix("ride.gpx: position 2, line 4: without a valid coordinate\n"))
  }

  @Test func `a million bad lines give a short explanation in bounded memory`() throws {
    let count = 1_000_000
    let text = "latitude,longitude\n48,8\n" + String(repeating: "99,8\n", count: count)
    try bench.folder.write(text, to: "bad.csv")
    let words = try bench.roqua("import", "--explain", "bad.csv")
    #expect(words.status == 0)
    #expect(words.out.utf8.count < 1_000)
    #expect(
      words.out.contains(
        "1,000,000 positions without a valid coordinate: lines 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, "
          + "and 999,990 more\n"))
    let verbose = try bench.roqua("import", "--explain", "-v", "bad.csv")
    #expect(verbose.out.split(separator: "\n").count(where: { $0.contains(", line ") }) == count)
  }

  // MARK: Files that are not read

  @Test func `members of an archive are explained one by one, and why any is left out`() throws {
    let inner = ZipBuilder([ZipBuilder.File("x.txt", Array("x".utf8))]).build().bytes
    let archive = ZipBuilder([
      ZipBuilder.File("ride.gpx", Array(Self.ride().utf8)),
      ZipBuilder.File("photo.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]),
      ZipBuilder.File("b.mldx", Array("damaged".utf8)),
      ZipBuilder.File("damaged.gpx", Array("words".utf8)),
      ZipBuilder.File("notes.txt", Array("words".utf8)), ZipBuilder.File("more.zip", inner),
    ]).build().bytes
    try bench.folder.write(archive, to: "all.zip")
    let all = try lines("all.zip", status: 2)
    #expect(all[0].outcome == .string("archive"))
    #expect(all[0].format == .string("zip"))
    #expect(all[0].recognized.signature == .string("50 4B 03 04"))
    let found = outcomes(all)
    #expect(found["all.zip/ride.gpx"] == "read")
    #expect(found["all.zip/photo.jpg"] == "ignored")
    #expect(found["all.zip/b.mldx"] == "unsupported")
    #expect(found["all.zip/damaged.gpx"] == "refused")
    #expect(found["all.zip/notes.txt"] == "ignored")
    #expect(
      all.allSatisfy {
        $0.outcome == .string("archive") || $0.outcome == .string("read")
          || $0.reason != .null
      })
    let photo = all.first { $0.path == .string("all.zip/photo.jpg") }
    #expect(photo?.recognized.signature == .string("FF D8 FF"))
    #expect(!bench.hasStore)
  }

  @Test func `an archive that is cut off is explained with its warnings`() throws {
    let inner = ZipBuilder([ZipBuilder.File("x.gpx", Array(Self.ride().utf8))]).build().bytes
    let archive = ZipBuilder([
      ZipBuilder.File("ride.gpx", Array(Self.ride().utf8)), ZipBuilder.File("in.zip", inner),
    ]).build().bytes
    try bench.folder.write(Array(archive.dropLast(100)), to: "cut.zip")
    let all = try lines("cut.zip")
    let end = try #require(all.first { $0.outcome == .string("archiveEnd") })
    #expect(end.path == .string("cut.zip"))
    #expect(!end.warnings.elements.isEmpty)
    let words = try bench.roqua("import", "--explain", "cut.zip").out
    #expect(words.contains("cut.zip: The archive"))
  }

  @Test func `cells and flights are explained`() throws {
    var tile = FogOfWorldTile(number: 177 * 512 + 272)
    tile.set(x: 1000..<1100, y: 1000..<1001)
    try bench.folder.write(tile.bytes, to: "Sync/" + tile.name)
    let words = try bench.roqua("import", "--explain", "Sync")
    #expect(words.out.hasSuffix("\n  100 pixels explore 13 cells\n"), "\(words.out)")
    let line = try #require(try lines("Sync").last)
    #expect((line.pixels.int, line.cells.int, line.withheldCells.int) == (100, 13, 0))
    // 230 m/s for six minutes.
    let flight = (0...360).map { second in
      let time = Timestamp(millisecondsSince1970: (1_714_557_600 + Int64(second)) * 1_000).iso8601
      return "<trkpt lat='\(48 + Double(second) * 0.002_07)' lon='8'><time>\(time)</time></trkpt>"
    }.joined()
    try bench.folder.write("<gpx><trk><trkseg>\(flight)</trkseg></trk></gpx>", to: "flight.gpx")
    let flown = try bench.roqua("import", "--explain", "flight.gpx").out
    #expect(flown.contains("  1 flight with 361 points in the air"), "\(flown)")
  }

  @Test func `an explanation in words`() throws {
    try bench.folder.write(Self.ride(), to: "rides/ride.gpx")
    try bench.folder.write(Deflate.gzip(Array(Self.ride().utf8)), to: "rides/packed.gpx.gz")
    try bench.folder.write("words", to: "rides/damaged.gpx")
    try bench.folder.write(
      #"{"class":"TPV","mode":2,"time":"2024-05-01T10:00:00Z","lat":1,"lon":2}"#,
      to: "rides/gpsd.log")
    try bench.folder.write("damaged", to: "rides/maps.mldx")
    try bench.folder.write([0x89, 0x50, 0x4E, 0x47], to: "rides/map.png")
    let archive = ZipBuilder([
      ZipBuilder.File("ride.gpx", Array(Self.ride().utf8)),
      ZipBuilder.File("photo.jpg", [0xFF, 0xD8, 0xFF, 0xE0]),
    ])
    try bench.folder.write(archive.build().bytes, to: "rides/rides.zip")
    let result = try bench.roqua("import", "--explain", "rides", "missing.gpx")
    #expect(result.status == 2)
    #expect(result.err == "")
    try expectGolden(result.out, "import-explain")
  }

  @Test func `standard input, empty files and missing files are explained`() throws {
    let input = try bench.roqua(["import", "--explain", "-"], input: Self.ride())
    #expect(input.out.hasPrefix("-: GPX in UTF-8, recognized by <gpx at byte 39\n"))
    try bench.folder.write("", to: "empty.gpx")
    let empty = try bench.roqua("import", "--explain", "empty.gpx", "missing.gpx")
    #expect(empty.status == 1)
    #expect(
      empty.out == "empty.gpx: refused: It is empty.\n"
        + "missing.gpx: refused: There is no such file or folder.\n")
  }

  // MARK: The store

  @Test func `an explanation makes no store, and the zones of a store apply`() throws {
    try bench.folder.write(Self.ride(), to: "ride.gpx")
    _ = try lines("ride.gpx")
    #expect(!bench.hasStore)
    let zone = try bench.roqua("zone", "add", "48", "8", "--radius", "500m")
    #expect(zone.status == 0, "\(zone.err)")
    let before = try bytes(of: bench.storePath)
    let line = try lines("ride.gpx")[0]
    // Only their number: their lines and the file would show where the zone is.
    let hidden = try #require(
      line.leftOut.elements.first { $0.reason == .string("privacyZone") })
    #expect(hidden.count.int == 3)
    #expect(hidden.first.elements.isEmpty)
    let words = try bench.roqua("import", "--explain", "--verbose", "ride.gpx").out
    #expect(words.contains("3 points in a privacy zone\n"))
    #expect(try bytes(of: bench.storePath) == before)
  }

  // MARK: Hostile files

  @Test func `nothing of a file reaches the terminal as a control character`() throws {
    let esc = "\u{1B}]0;x\u{7}"
    try bench.folder.write("<\(esc)gpx><trk>\(esc)</trk></gpx>", to: "a.gpx")
    try bench.folder.write("{\"\(esc)\":1,\"latitudeE7\":\"\(esc)\"}", to: "b.json")
    try bench.folder.write("\(esc)latitude,\(esc)longitude\n\(esc),8\n", to: "c.csv")
    try bench.folder.write("<gpx\(esc)", to: "d\(esc).gpx")
    for arguments in [[], ["--verbose"], ["--json"], ["--json", "-v"]] {
      let result = try bench.roqua(["import", "--explain"] + arguments + ["."])
      #expect(result.controlCharacters == [])
    }
  }

  @Test(arguments: Seeds.sample(40))
  func `a damaged file is explained or refused, and the counts agree with a dry run`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    var bytes = Array(Self.ride(seed % 2 == 0 ? "\n" : "").utf8)
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let at = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0...2, using: &random) {
      case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
      case 1:
        bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...9, using: &random)))
      default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: at)
      }
    }
    try bench.folder.write(bytes, to: "a.gpx")
    let explained = try bench.roqua("import", "--explain", "--json", "a.gpx")
    let dry = try bench.roqua("import", "--dry-run", "--json", "a.gpx")
    #expect(explained.status == dry.status)
    let line = try JSONTree(parsing: explained.out)
    let file = try JSONTree(parsing: dry.out).files[0]
    for name in ["format", "kept", "points", "skipped", "dropped", "warnings", "error"] {
      #expect(line[name] == file[name], "\(name)")
    }
    let counts = Dictionary(
      uniqueKeysWithValues: line.leftOut.elements.map { ($0.reason, $0.count.int) })
    for (name, count) in file.skipped.members.merging(
      file.dropped.members, uniquingKeysWith: { $1 })
    {
      #expect(counts[.string(name)] == count.int)
    }
  }

  @Test func `options that contradict each other are wrong usage`() throws {
    #expect(try bench.roqua("import", "--explain", "--quiet", "a").status == 64)
    #expect(try bench.roqua("import", "--explain", "--dry-run", "a").status == 64)
  }
}
