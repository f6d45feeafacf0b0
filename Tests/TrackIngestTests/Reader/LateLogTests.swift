import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

/// NMEA logs after more other bytes than format detection examines.
@Suite struct LateLogTests {
  private static let now = Timestamp(millisecondsSince1970: 1_800_000_000_000)

  private static let log =
    "$GPRMC,100000.00,A,4807.038,N,01131.000,E,022.4,084.4,010524,,,A*53\r\n"
    + "$GPGGA,100001.00,4807.138,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*65\r\n"

  /// Content in front of a log.
  enum Lead: String, CaseIterable {
    case zeros, blanks, lines, erasedFlash, binary, text, brackets, braces, angles

    func bytes(_ count: Int) -> [UInt8] {
      var random = SplitMix64(seed: 7)
      let pattern: [UInt8] =
        switch self {
        case .zeros: [0]
        case .blanks: [0x20]
        case .lines: [0x0D, 0x0A]
        case .erasedFlash: [0xFF]
        // UBX messages begin with B5 62. Without a dollar sign, no sentence can start here.
        case .binary:
          [0xB5, 0x62]
            + (0..<997).map { _ in
              let byte = UInt8.random(in: 0...255, using: &random)
              return byte == 0x24 ? 0x25 : byte
            }
        case .text: Array("boot 12: costs $5, $HOME is /root\n".utf8)
        case .brackets: Array("[2024-05-01 10:00:00] power good\n".utf8)
        case .braces: Array("{\"a\": 1}\n".utf8)
        case .angles: Array("<13>May  1 10:00:00 host kernel: up\n".utf8)
        }
      var bytes: [UInt8] = []
      let block = pattern.count > 1 ? pattern : [UInt8](repeating: pattern[0], count: 4_096)
      while bytes.count < count { bytes += block }
      return Array(bytes.prefix(count))
    }
  }

  /// Reads bytes in pieces, and returns the report and the number of bytes read before the result
  /// was known.
  private func read(_ bytes: [UInt8], pieces: Int = .max, toEnd: Bool = true) -> (
    TrackReport, Int
  ) {
    var reader = TrackReader(searchesToEnd: toEnd, now: Self.now)
    var taken = 0
    bytes.withUnsafeBytes { buffer in
      while taken < buffer.count, !reader.isRefused {
        let end = taken + min(pieces, buffer.count - taken)
        reader.read(UnsafeRawBufferPointer(rebasing: buffer[taken..<end]))
        taken = end
      }
    }
    return (reader.finish(), taken)
  }

  @Test(arguments: Lead.allCases, [65_535, 65_537, 140_000])
  func `a log is read after any number of other bytes`(lead: Lead, count: Int) {
    let front = lead.bytes(count)
    let bytes = front + Array(("\n" + Self.log).utf8)
    let (report, _) = read(bytes)
    #expect(report.error == nil)
    #expect(report.format == .nmea)
    #expect(report.points == 2 && report.kept == 2 && report.segments == 1)
    #expect(report.warnings.allSatisfy { $0.code == .unreadable })
    for pieces in [4_000, 65_537] {
      #expect(read(bytes, pieces: pieces).0 == report, "pieces of \(pieces)")
    }
    // A search up to the limit finds it too.
    #expect(read(bytes, toEnd: false).0 == report)
  }

  @Test(arguments: [
    ("{\"class\":\"VERSION\"}\n", "{\"class\":\"TPV\",\"lat\":1,\"lon\":2}\n")
  ])
  func `a log is read after messages of gpsd without a position`(head: String, line: String) {
    let lines = 140_000 / line.utf8.count
    let front = Array((head + String(repeating: line, count: lines)).utf8)
    for toEnd in [false, true] {
      let report = read(front + Array(Self.log.utf8), pieces: 4_096, toEnd: toEnd).0
      #expect(report.error == nil)
      #expect(report.format == .gpsd && report.points == 2)
      // Without a log it has no points.
      let alone = read(front, pieces: 4_096, toEnd: toEnd).0
      #expect(alone.error == nil && alone.points == 0 && alone.skipped[.noFix] == lines)
    }
  }

  @Test func `bytes one at a time give the same report as the whole`() {
    for lead in [Lead.zeros, .binary, .brackets] {
      let bytes = lead.bytes(70_000) + Array(Self.log.utf8)
      let (whole, single) = (read(bytes).0, read(bytes, pieces: 1).0)
      #expect(whole == single)
      #expect(whole.points == 2)
    }
  }

  @Test func `the line of a warning is counted from the start of the file`() {
    let bad = "$GPRMC,100002.00,A,4807.038,N,01131.000,E,022.4,084.4,010524,,,A*00\r\n"
    for lead in [Lead.lines, .text, .angles] {
      let front = lead.bytes(200_000) + [0x0A]
      let lines = front.count { $0 == 0x0A }
      let report = read(front + Array((Self.log + bad).utf8)).0
      #expect(report.warnings.map(\.line) == [lines + 3], "\(lead)")
    }
  }

  @Test(arguments: [Lead.zeros, .binary, .brackets])
  func `a source not claimed as a track is searched up to a limit`(lead: Lead) {
    let limit = TrackReader.searchLimit
    let late = lead.bytes(limit + 1) + Array(Self.log.utf8) + lead.bytes(limit / 2)
    let (report, taken) = read(late, pieces: 4_096, toEnd: false)
    #expect(report.error != nil)
    #expect(report.points == 0 && report.warnings.isEmpty && report.format == nil)
    #expect(taken <= limit + ContentKind.prefixLength)
    #expect(read(late).0.points == 2)
    for pieces in [65_537, .max] {
      #expect(read(late, pieces: pieces, toEnd: false).0 == report, "pieces of \(pieces)")
    }
    // A log that ends at the limit is still found.
    let early = lead.bytes(limit - Self.log.utf8.count) + Array(Self.log.utf8) + lead.bytes(limit)
    #expect(read(early, toEnd: false).0.points == 2)
  }

  @Test(arguments: Lead.allCases)
  func `bytes without a log are refused with their kind`(lead: Lead) {
    let report = read(lead.bytes(200_000)).0
    let expected: (IngestError.Code, String) =
      switch lead {
      case .zeros, .blanks, .lines: (.empty, "white space")
      case .brackets, .braces: (.unknownFormat, "a JSON file")
      default: (.unknownFormat, "not a track in a supported format")
      }
    #expect(report.error?.code == expected.0)
    #expect(report.error?.message.contains(expected.1) == true, "\(report.error?.message ?? "")")
    #expect(report.points == 0 && report.warnings.isEmpty)
  }

  @Test func `a file of a known kind is refused at once, even if a search to its end is allowed`() {
    for mark in [[0x89, 0x50, 0x4E, 0x47], Array("<svg>".utf8), Array("%PDF".utf8)] as [[UInt8]] {
      let (report, taken) = read(
        mark + Lead.text.bytes(1_000_000) + Array(Self.log.utf8), pieces: 65_536)
      #expect(report.error?.code == .unknownFormat)
      #expect(taken == ContentKind.prefixLength)
    }
  }

  @Test func `GPX after any number of blanks is read`() {
    let gpx =
      "<gpx><trk><trkseg><trkpt lat='1' lon='2'/><trkpt lat='91' lon='2'/></trkseg></trk></gpx>"
    for lead in [Lead.zeros, .blanks, .lines] {
      for count in [65_536, 300_000] {
        let front = lead.bytes(count)
        let report = read(front + Array(gpx.utf8)).0
        #expect(report.format == .gpx && report.points == 1 && report.error == nil)
        #expect(report.warnings.first?.line == 1 + front.count { $0 == 0x0A })
        #expect(read(front + Array(gpx.utf8), pieces: 999, toEnd: false).0 == report)
      }
    }
  }

  @Test func `truncated sentences after other bytes are not a log`() {
    let cut = Lead.text.bytes(100_000) + Array("$GPRMC,100000.00,A,48\u{1}$GPGGA,1000".utf8)
    let report = read(cut).0
    #expect(report.error?.code == .unknownFormat)
    #expect(report.points == 0 && report.skipped.total == 0 && report.warnings.isEmpty)
  }
}
