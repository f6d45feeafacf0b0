import Foundation
import TestSupport
import Testing

/// `roqua import` of an NMEA log that follows more than 64 KiB of other bytes.
@Suite struct LateLogTests {
  private static let log = Array(
    ("$GPRMC,100000.00,A,4807.038,N,01131.000,E,022.4,084.4,010524,,,A*53\r\n"
      + "$GPGGA,100001.00,4807.138,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*65\r\n").utf8)
  /// Binary bytes, none of which starts a sentence.
  private static func binary(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(0x80 | $0 & 0x7F) }
  }
  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  @Test(arguments: [100_000, 3_000_000])
  func `a file that the user names, or with a track's file extension, is searched to its end`(
    count: Int
  ) throws {
    for (index, lead) in [Self.binary(count), Self.zeros(count)].enumerated() {
      let bench = try Bench()
      try bench.folder.write(lead + Self.log, to: "tracks/receiver.nmea")
      try bench.folder.write([0x0A] + lead + Self.log, to: "named.bin")
      let files = try bench.json("import", "tracks", "named.bin").files.elements
      #expect(files.count == 2, "lead \(index)")
      for file in files {
        #expect(file.status.string == "imported" && file.format.string == "nmea")
        #expect(file.points.int == 2 && file.kept.int == 2)
        #expect(file.firstTime.string == "2024-05-01T10:00:00Z")
      }
    }
  }

  @Test func `other files of a folder are searched for one megabyte`() throws {
    let bench = try Bench()
    for (name, lead) in [("early", 900_000), ("late", 1_100_000)] {
      try bench.folder.write(Self.binary(lead) + Self.log, to: "logs/\(name).ubx")
      try bench.folder.write(Self.zeros(lead) + Self.log + [0x0A], to: "logs/\(name).log")
    }
    // A sparse file stands for a large video.
    let video = try bench.folder.write(Self.binary(5_000_000), to: "logs/video.mp4")
    let handle = try #require(FileHandle(forWritingAtPath: video))
    try handle.truncate(atOffset: 1 << 40)
    try handle.close()
    let report = try bench.json("import", "logs")
    #expect(
      report.files.elements.compactMap(\.path.string) == ["logs/early.log", "logs/early.ubx"])
    #expect(report.files.elements.allSatisfy { $0.points.int == 2 })
    #expect(report.totals.ignored.int == 3)
  }

  @Test func `a pipe is searched to its end`() throws {
    for lead in [Self.binary(2_000_000), Self.zeros(2_000_000)] {
      let bench = try Bench()
      let text = lead + Self.log
      let feeder = try PipeFeeder(text)
      var process = bench.process(["import", "-", "--json"])
      process.input = feeder.output
      let result = try process.run()
      #expect(result.status == 0, "\(result.err)")
      #expect(feeder.bytesWritten() == text.count)
      #expect(try bench.json("stats").keptFixes.int == 2)
    }
  }

  @Test func `a late log is also found in a compressed file and in an archive`() throws {
    let bench = try Bench()
    let bytes = Self.binary(200_000) + Self.log
    try bench.folder.write(Deflate.gzip(bytes, level: 1), to: "a.nmea.gz")
    var archive = ZipBuilder()
    archive.files = [ZipBuilder.File("day/a.txt", Self.zeros(200_000) + Self.log)]
    try bench.folder.write(archive.build().bytes, to: "b.zip")
    let files = try bench.json("import", "a.nmea.gz", "b.zip").files.elements
    #expect(files.compactMap(\.path.string) == ["a.nmea.gz", "b.zip/day/a.txt"])
    #expect(files.allSatisfy { $0.kept.int == 2 })
  }

  @Test func `a named file without a log is refused, and nothing is stored`() throws {
    let bench = try Bench()
    try bench.folder.write(Self.binary(3_000_000), to: "noise.nmea")
    let result = try bench.roqua("import", "noise.nmea")
    #expect(result.status == 1)
    #expect(result.errorLines.count == 1)
    #expect(result.err.contains("not a track in a supported format"))
  }
}
