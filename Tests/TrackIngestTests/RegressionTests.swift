import Foundation
import Testing

@testable import TrackIngest

/// The seeds of the fuzzers and the inputs that once failed, tested without a sanitizer.
@Suite struct RegressionTests {
  /// An input whose name identifies it in a failure.
  struct Input: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    var testDescription: String { name }
  }

  /// The inputs of a fuzzer, without the first byte, which controls how the fuzzer splits them.
  static func inputs(of fuzzer: String) throws -> [Input] {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let root = tests.deletingLastPathComponent().deletingLastPathComponent()
    let past = tests.appendingPathComponent("Regressions")
    // A missing folder is a failure, except that fuzzers without any failures have no folder of
    // their own.
    let fuzzersPast = try FileManager.default.contentsOfDirectory(atPath: past.path).contains(
      fuzzer)
    let folders =
      [root.appendingPathComponent("Fuzz/seeds/\(fuzzer)")]
      + (fuzzersPast ? [past.appendingPathComponent(fuzzer)] : [])
    return try folders.flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
        let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
        return Input(name: "\(folder.lastPathComponent)/\(name)", bytes: Array(bytes.dropFirst()))
      }
    }
  }

  @Test func `GPX in any pieces and on both paths gives the same result`() throws {
    let inputs = try Self.inputs(of: "gpx") + Self.inputs(of: "reader")
    #expect(inputs.count > 20)
    for input in inputs { expectSameInAnyPieces(input.bytes) }
  }

  @Test func `NMEA in any pieces gives the same result`() throws {
    let inputs = try Self.inputs(of: "nmea") + Self.inputs(of: "reader")
    #expect(inputs.count > 15)
    for input in inputs {
      let whole = decodeNMEA(pieces: [input.bytes])
      for size in [1, 2, 7, 64, 1_000] {
        let pieces = stride(from: 0, to: input.bytes.count, by: size).map { start in
          Array(input.bytes[start..<min(start + size, input.bytes.count)])
        }
        let cut = decodeNMEA(pieces: pieces)
        #expect(cut.events == whole.events, "\(input.name) in pieces of \(size)")
        #expect(cut.messages == whole.messages, "\(input.name) in pieces of \(size)")
        #expect(cut.error == whole.error, "\(input.name) in pieces of \(size)")
      }
    }
  }

  @Test func `FIT, IGC and CSV in any pieces give the same result`() throws {
    for input in try Self.inputs(of: "fit") + Self.inputs(of: "reader") {
      expectSame(input.bytes, inAnyPiecesWith: FITDecoder(now: readingTime))
    }
    for input in try Self.inputs(of: "igc") + Self.inputs(of: "reader") {
      expectSame(input.bytes, inAnyPiecesWith: IGCDecoder(now: readingTime))
    }
    for input in try Self.inputs(of: "csv") + Self.inputs(of: "reader") {
      expectSame(input.bytes, inAnyPiecesWith: CSVDecoder(now: readingTime))
    }
  }

  @Test(arguments: [false, true])
  func `each position is counted exactly once`(isRepeated: Bool) throws {
    let inputs = try ["gpx", "nmea", "fit", "igc", "csv", "reader"].flatMap(Self.inputs)
    #expect(inputs.count > 30)
    for input in inputs {
      // Longer than the prefix that format detection examines.
      var bytes = input.bytes
      while isRepeated, bytes.count > 64, bytes.count <= ContentKind.prefixLength {
        bytes += input.bytes
      }
      let (report, accepted) = read(bytes, pieceSize: bytes.count)
      let (cutReport, cutAccepted) = read(bytes, pieceSize: 251)
      #expect(report == cutReport, "\(input.name)")
      #expect(accepted == cutAccepted, "\(input.name)")
      #expect(report.points == report.kept + report.dropped.total, "\(input.name)")
      #expect(report.kept == accepted.count, "\(input.name)")
    }
  }

  private func read(
    _ bytes: [UInt8], pieceSize: Int
  ) -> (report: TrackReport, accepted: [AcceptedFix]) {
    var reader = TrackReader(including: [.routes, .waypoints], now: readingTime)
    bytes.withUnsafeBytes { buffer in
      var start = 0
      while start < buffer.count {
        let end = min(start + pieceSize, buffer.count)
        reader.read(UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
        start = end
      }
    }
    let report = reader.finish()
    return (report, reader.takeAccepted())
  }
}
