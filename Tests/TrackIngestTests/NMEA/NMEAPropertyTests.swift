import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

@Suite struct NMEAPropertyTests {
  @Test(arguments: Seeds.sample(200))
  func `generated logs give the same fixes as the slow reader`(seed: UInt64) throws {
    var generator = NMEALogGenerator(seed: seed)
    let bytes = generator.log(epochs: 40)
    let read = decodeNMEA(pieces: [bytes])
    let expected = NMEASlowReader.read(bytes)

    let positions = expected.compactMap { $0.report.coordinate }
    #expect(zip(read.fixes, positions).first { $0.coordinate != $1 } == nil)
    #expect(read.fixes.count == positions.count)
    // If an epoch without a fix also has a sentence with a wrong checksum, the order of the two
    // decides which is counted.
    let void = expected.map(\.report).filter { $0.coordinate == nil && $0.isVoid }
    let skipped = read.skips.count { $0 == .noFix }
    #expect((void.count { !$0.isBad }...void.count).contains(skipped))
    for (fix, (_, report)) in zip(read.fixes, expected.filter { $0.report.coordinate != nil }) {
      #expect(fix.elevationMeters == report.elevation)
      #expect(fix.speedMetersPerSecond == report.speed)
      let hdop = report.hdop.flatMap { $0 > 0 ? $0 * 5 : nil }
      #expect(fix.horizontalAccuracyMeters == report.gst ?? hdop)
    }
  }

  @Test(arguments: Seeds.sample(25))
  func `a log in pieces of any size gives the same result as the whole`(seed: UInt64) {
    var generator = NMEALogGenerator(seed: seed)
    let bytes = generator.log(epochs: 15)
    let whole = decodeNMEA(pieces: [bytes])
    #expect(decodeNMEA(pieces: bytes.map { [$0] }).events == whole.events, "one byte at a time")
    for largest in [3, 20, 300] {
      var pieces: [[UInt8]] = []
      var position = 0
      while position < bytes.count {
        let count = min(
          Int.random(in: 0...largest, using: &generator.random), bytes.count - position)
        pieces.append(Array(bytes[position..<position + count]))
        position += count
      }
      let read = decodeNMEA(pieces: pieces)
      #expect(read.events == whole.events, "pieces of up to \(largest) bytes")
      #expect(read.messages == whole.messages)
    }
  }

  @Test(arguments: ["\r\n", "\n"], [true, false])
  func `a truncated log has only positions of the whole log`(end: String, hasChecksums: Bool) {
    var bytes: [UInt8] = []
    for second in 0..<4 {
      let position = "4806.12345,N,01130.54321,W"
      for body in [
        "GPGGA,10000\(second).00,\(position),1,08,1.25,545.4,M,46.9,M,,",
        "GPRMC,10000\(second).00,A,\(position),010.5,045.0,010524,,,A",
        "GPGLL,\(position),10000\(second).00,A,A",
      ] {
        bytes += Array(((hasChecksums ? sentence(body) : "$" + body) + end).utf8)
      }
    }
    let whole = decodeNMEA(pieces: [bytes])
    #expect(whole.fixes.count == 4)
    for length in 0..<bytes.count {
      let read = decodeNMEA(pieces: [Array(bytes[..<length])])
      #expect(read.fixes.count <= 4)
      #expect(read.skips.isEmpty)
      for (fix, other) in zip(read.fixes, whole.fixes) {
        #expect(fix.coordinate == other.coordinate)
        #expect(fix.time == nil || fix.time == other.time)
        #expect(
          fix.horizontalAccuracyMeters == nil
            || fix.horizontalAccuracyMeters == other.horizontalAccuracyMeters)
        #expect(fix.elevationMeters == nil || fix.elevationMeters == other.elevationMeters)
        #expect(
          fix.speedMetersPerSecond == nil || fix.speedMetersPerSecond == other.speedMetersPerSecond)
      }
    }
  }

  @Test(arguments: Seeds.sample(100))
  func `random bytes never trap, and give the same result in any pieces`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let alphabet = Array("$$$GPGGA,RMCGLL,,,,0123456789.NSEW*\r\n!\u{0}A".utf8)
    let words = [
      "$GPGLL,", "$GPRMC,", "$GPGGA,", "4806.0,N,01130.0,E,", "100000,", "A", "*", "\n", "$GP",
      "$PGRME,",
      "$G,1*5A",
    ]
    var bytes: [UInt8] = []
    while bytes.count < 1_000 {
      if Bool.random(using: &random) {
        bytes.append(alphabet.randomElement(using: &random) ?? 0)
      } else {
        bytes += Array((words.randomElement(using: &random) ?? "").utf8)
      }
    }
    let whole = decodeNMEA(pieces: [bytes])
    let single = decodeNMEA(pieces: bytes.map { [$0] })
    #expect(single.events == whole.events)
    #expect(single.error == whole.error)
    for fix in whole.fixes { #expect(abs(fix.coordinate.latitudeE7) <= 900_000_000) }
  }

  @Test(arguments: Seeds.sample(40))
  func `angles are rounded as in decimal arithmetic`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      let minutes = Int.random(in: 0...59, using: &random)
      // About half are at or next to the midpoint of two units: M = 6000k + 3000 billionths of a
      // minute.
      let digits = Int.random(in: 0...12, using: &random)
      let midpoint = padded(6_000 * Int.random(in: 0..<166_666, using: &random) + 3_000, 9)
      let text =
        Bool.random(using: &random)
        ? (0..<digits).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
        : midpoint + ["", "0", "1", "000001"][Int.random(in: 0...3, using: &random)]
      let field =
        padded(Int.random(in: 0...178, using: &random), 3) + padded(minutes, 2) + "." + text
      let bytes = Array(field.utf8)
      let angle = bytes.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.map { NMEAField(start: $0, count: buffer.count).angle(digits: 5) }
      }
      #expect(angle?.e7 == NMEASlowReader.units(field, negative: false).map(Int64.init), "\(field)")
    }
  }
}
