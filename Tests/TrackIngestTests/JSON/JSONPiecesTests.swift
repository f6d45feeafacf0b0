import TestSupport
import Testing

@testable import TrackIngest

@Suite struct JSONPiecesTests {
  @Test func `a file in pieces of any size gives the same points, lines and warnings`() {
    let counts = JSONSamples.all.map { format, text in
      expectSameInAnyPieces(format, Array(text.utf8)).fixes.count
    }
    #expect(counts == [3, 5, 6, 8, 1, 6, 2, 2])
  }

  @Test(arguments: Seeds.sample(15))
  func `a damaged file gives the same result in pieces of any size`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for (format, text) in JSONSamples.all {
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let start = Int.random(in: 0..<bytes.count, using: &random)
        let length = min(Int.random(in: 1...40, using: &random), bytes.count - start)
        switch Int.random(in: 0...3, using: &random) {
        case 0: bytes.removeSubrange(start..<start + length)
        case 1: for index in start..<start + length { bytes[index] = 0 }
        case 2: bytes.insert(contentsOf: bytes[start..<start + length], at: start)
        default: bytes[start] = UInt8.random(in: 0...255, using: &random)
        }
      }
      expectSameInAnyPieces(format, bytes)
    }
  }

  @Test(arguments: Seeds.sample(15))
  func `random JSON tokens give the same result in pieces of any size`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let parts = [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u00", "\n", "\r\n", " ", "\u{1E}", "null", "NaN",
      "-12.5e3", "\"locations\":[", "\"latitudeE7\":481000000", "\"longitudeE7\":115000000",
      "\"semanticSegments\":[", "\"startTime\":\"2024-05-01T10:00:00Z\"", "\"timelinePath\":[",
      "\"point\":\"48.1°, 11.5°\"", "\"durationMinutesOffsetFromStartTime\":\"7\"",
      "\"type\":\"LineString\"", "\"type\":\"Point\"", "\"coordinates\":[", "[11.5,48.1]",
      "\"properties\":{\"times\":[", "\"_type\":\"location\"", "\"lat\":48.1", "\"lon\":11.5",
      "\"tst\":1714557600", "\"time\":1714557600.5", "\"features\":[{", "\"geometry\":{",
    ]
    for format in JSONFormat.allCases {
      var text = ""
      for _ in 0..<150 { text += parts.randomElement(using: &random) ?? "" }
      expectSameInAnyPieces(format, Array(text.utf8))
    }
  }

  @Test func `a file truncated at any byte gives only points that the whole file has`() {
    for (format, text) in JSONSamples.all {
      let bytes = Array(text.utf8)
      let places = Set(JSONRecorder(format, bytes).fixes.map(\.coordinate))
      var counts: Set<Int> = []
      for length in 0..<bytes.count {
        let found = JSONRecorder(format, Array(bytes.prefix(length)))
        #expect(found.fixes.allSatisfy { places.contains($0.coordinate) }, "cut at \(length)")
        if !found.fixes.isEmpty, format != .owntracks {
          #expect(found.error == nil)
          #expect(found.codes.contains(.truncated), "cut at \(length)")
        }
        if found.fixes.isEmpty { #expect(found.error != nil || !found.warnings.isEmpty) }
        counts.insert(found.fixes.count)
      }
      #expect(counts.count > 1)
    }
  }

  @Test func `UTF-16, UTF-32 and byte order marks change nothing`() {
    for (format, text) in JSONSamples.all {
      let expected = JSONRecorder(format, text)
      let little: [UInt8] =
        [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      let big: [UInt8] = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      let wide: [UInt8] = text.unicodeScalars.flatMap { scalar in
        (0..<4).map { UInt8(truncatingIfNeeded: scalar.value >> UInt32(8 * $0)) }
      }
      for bytes in [Array("\u{FEFF}".utf8) + text.utf8, little, big, wide] {
        let found = expectSameInAnyPieces(format, bytes)
        #expect(found.events == expected.events)
        #expect(found.error == expected.error)
      }
    }
  }
}
