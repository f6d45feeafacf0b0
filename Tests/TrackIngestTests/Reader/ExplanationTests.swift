import Foundation
import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

/// Where the positions are that a reader leaves out, and by which bytes it recognized a source.
@Suite struct ExplanationTests {
  private struct Explanation: Equatable {
    var report: TrackReport
    var leftOut: [LeftOutPosition]
    var counts: [String: Int]
    var evidence: ContentEvidence?
  }

  private func explain(_ bytes: [UInt8], pieces: [Int] = [.max]) -> Explanation {
    var reader = TrackReader(searchesToEnd: true, now: readingTime)
    reader.explain(isWhole: true)
    var leftOut: [LeftOutPosition] = []
    var (at, piece) = (0, 0)
    while at < bytes.count {
      let end = bytes.count - at > pieces[piece] ? at + pieces[piece] : bytes.count
      bytes[at..<end].withUnsafeBytes { reader.read($0) }
      leftOut += reader.takeLeftOut()
      (at, piece) = (end, (piece + 1) % pieces.count)
    }
    let report = reader.finish()
    leftOut += reader.takeLeftOut()
    let counts = reader.leftOut.entries.map { ($0.reason.name, $0.count) }
    for entry in reader.leftOut.entries {
      let all = leftOut.filter { $0.reason == entry.reason }
      #expect(entry.first == Array(all.prefix(LeftOutSummary.listedAtMost)))
    }
    return Explanation(
      report: report, leftOut: leftOut, counts: Dictionary(uniqueKeysWithValues: counts),
      evidence: reader.evidence)
  }

  private func sample(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test func `every position that is not kept is explained once`() throws {
    for path in try PackageFolder.allSamples() {
      let found = explain(try sample(path))
      let report = found.report
      #expect(found.leftOut.count == report.dropped.total + report.skipped.total)
      for (reason, count) in report.dropped.nonZero {
        #expect(found.counts[reason.rawValue] == count)
      }
      for (reason, count) in report.skipped.nonZero {
        #expect(found.counts[reason.rawValue] == count)
      }
      #expect(Set(found.leftOut.map(\.number)).count == found.leftOut.count)
      #expect(found.leftOut.allSatisfy { $0.number <= report.points + report.skipped.total })
    }
  }

  @Test func `without the lines that are left out, all points of a file are kept`() throws {
    var checked = 0
    for path in try PackageFolder.allSamples() where path.hasSuffix(".gpx") {
      let bytes = try sample(path)
      let found = explain(bytes)
      let lines = Set(found.leftOut.compactMap(\.line))
      // A point on several lines cannot be removed with one of them.
      guard lines.count == found.leftOut.count else { continue }
      let rest = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
        .filter { !lines.contains($0.offset + 1) }.map(\.element)
      let again = explain(Array(rest.joined(separator: [0x0A])))
      #expect(again.report.kept == found.report.kept)
      #expect(again.leftOut == [])
      checked += 1
    }
    #expect(checked > 3)
  }

  @Test(arguments: Seeds.sample(8))
  func `an explanation does not depend on how the bytes are cut`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let places = (0..<40).map { index in
      #"{"latitudeE7":\#(480_000_000 + index / 3 * 9_000),"longitudeE7":80000000}"#
    }
    let texts = [
      "\u{FEFF}{\"locations\":[" + places.joined(separator: ",") + "]}",
      TrackText.gpx(from: Coordinate(48, 8), count: 30, stepDegrees: 0.000_2),
      "noise\n"
        + (1...5).map { "$GPGLL,4916.45,N,12311.12,W,22544\($0),A\n" }.joined(),
    ]
    for text in texts {
      let bytes = Array(text.utf8)
      let pieces = (0..<7).map { _ in Int.random(in: 1...90, using: &random) }
      let whole = explain(bytes)
      #expect(!whole.leftOut.isEmpty && whole.evidence != nil)
      #expect(explain(bytes, pieces: pieces) == whole)
      #expect(explain(bytes, pieces: [1]) == whole)
    }
  }

  @Test func `the byte of a position in JSON is where its object begins`() throws {
    let marks = ["", "\u{FEFF}"]
    for mark in marks {
      let text = mark + #"{"locations":[{"latitudeE7":"x"},  {"latitudeE7":1}]}"#
      let bytes = Array(text.utf8)
      let found = explain(bytes).leftOut
      #expect(found.count == 2)
      for position in found {
        let byte = try #require(position.byte)
        #expect(bytes[byte...].starts(with: "{\"latitudeE7\"".utf8))
      }
    }
  }

  @Test func `a search for NMEA that finds nothing explains nothing`() {
    let text = "words\n$GPXXX,1*00\n" + String(repeating: "more words\n", count: 20_000)
    let found = explain(Array(text.utf8))
    #expect(found.report.error != nil && found.leftOut == [] && found.counts == [:])
  }

  @Test func `a reader that does not explain collects nothing`() {
    var reader = TrackReader(now: readingTime)
    Array("<gpx><trk><trkseg><trkpt lat='x'/></trkseg></trk></gpx>".utf8).withUnsafeBytes {
      reader.read($0)
    }
    _ = reader.finish()
    #expect(reader.takeLeftOut() == [] && reader.leftOut.entries.isEmpty)
    #expect(reader.evidence == nil)
  }

  /// Texts of every kind, with the bytes that show it.
  private static let marks: [(text: String, signature: String)] = [
    ("<gpx/>", "<gpx"), ("HTTP/1.1 200 OK\n\n<gpx/>", "<gpx"), ("<html><body/></html>", "<html"),
    ("{\"class\":\"TPV\",\"lat\":1}", "\"TPV\""),
    ("{\"locations\":[{\"lat\":1,\"lon\":1,\"time\":1.5}]}", "\"locations\""),
    (
      "2024-05-01T10:00:00Z\t*\t{\"_type\":\"location\",\"lat\":1,\"lon\":1,\"tst\":1}", "\"_type\""
    ),
    ("B1000004800000N00800000EA0010000100\n", "a date or a fix"),
  ]

  @Test(arguments: marks)
  func `the evidence is where its bytes are`(text: String, signature: String) throws {
    let bytes = Array(text.utf8)
    let evidence = try #require(bytes.withUnsafeBytes { ContentEvidence(prefix: $0) })
    #expect(evidence.signature == signature)
    let byte = try #require(evidence.byte)
    if !signature.hasPrefix("a ") { #expect(bytes[byte...].starts(with: signature.utf8)) }
    // In UTF-16 the same characters are at twice the offset, after the mark.
    let units = text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 255)] }
    let wide: [UInt8] = [0xFE, 0xFF] + units
    let other = try #require(wide.withUnsafeBytes { ContentEvidence(prefix: $0) })
    #expect(other.signature == signature && other.byte == 2 + 2 * byte)
  }

  @Test(arguments: Seeds.sample(200))
  func `random bytes have evidence within them, or none`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let words = [
      "<gpx", "<?xml", "{\"", "latitudeE7\":", "$GPGGA,", "\u{1F}\u{8B}", "PK\u{3}\u{4}", "\n",
    ]
    let bytes = (0..<Int.random(in: 0...12, using: &random)).flatMap { _ -> [UInt8] in
      Bool.random(using: &random)
        ? Array((words.randomElement(using: &random) ?? "").utf8)
        : [UInt8.random(in: 0...255, using: &random)]
    }
    let evidence = bytes.withUnsafeBytes { ContentEvidence(prefix: $0) }
    if let byte = evidence?.byte { #expect(bytes.indices.contains(byte)) }
    #expect(
      evidence?.signature.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) } ?? true)
  }
}
