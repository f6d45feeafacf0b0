import TestSupport
import Testing

@testable import TrackIngest

/// Reads TCX or KML in tests.
enum XMLRecording {
  static func tcx(_ text: String, pieces: [Int] = [.max], fastPath: Bool = true) -> GPXRecorder {
    tcx(Array(text.utf8), pieces: pieces, fastPath: fastPath)
  }

  static func tcx(_ bytes: [UInt8], pieces: [Int] = [.max], fastPath: Bool = true) -> GPXRecorder {
    var decoder = TCXDecoder(now: GPXRecorder.now)
    decoder.usesFastPath = fastPath
    return GPXRecorder(bytes, with: decoder, pieces: pieces)
  }

  static func kml(_ text: String, pieces: [Int] = [.max], fastPath: Bool = true) -> GPXRecorder {
    kml(Array(text.utf8), pieces: pieces, fastPath: fastPath)
  }

  static func kml(_ bytes: [UInt8], pieces: [Int] = [.max], fastPath: Bool = true) -> GPXRecorder {
    var decoder = KMLDecoder(now: GPXRecorder.now)
    decoder.usesFastPath = fastPath
    return GPXRecorder(bytes, with: decoder, pieces: pieces)
  }

  /// Reads the same bytes in pieces of several sizes and on both paths, and expects one result.
  @discardableResult
  static func expectSame(
    _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation,
    _ read: ([UInt8], [Int], Bool) -> GPXRecorder
  ) -> GPXRecorder {
    let whole = read(bytes, [.max], true)
    let others: [([Int], Bool)] = [
      ([1], true), ([2], true), ([3, 1, 7], true), ([64], true), ([65, 1], true), ([1000], true),
      ([.max], false), ([100], false),
    ]
    for (pieces, fastPath) in others {
      let other = read(bytes, pieces, fastPath)
      let difference = zip(whole.events, other.events).first { $0 != $1 }
      #expect(
        difference == nil, "pieces of \(pieces), fast: \(fastPath)",
        sourceLocation: sourceLocation)
      #expect(
        whole.events.count == other.events.count && whole.error == other.error,
        "pieces of \(pieces), fast: \(fastPath)", sourceLocation: sourceLocation)
    }
    return whole
  }

  @discardableResult
  static func expectSameTCX(
    _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  ) -> GPXRecorder {
    expectSame(bytes, sourceLocation: sourceLocation) { tcx($0, pieces: $1, fastPath: $2) }
  }

  @discardableResult
  static func expectSameKML(
    _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  ) -> GPXRecorder {
    expectSame(bytes, sourceLocation: sourceLocation) { kml($0, pieces: $1, fastPath: $2) }
  }

  /// Damages a document at random places.
  static func damage(_ bytes: inout [UInt8], using random: inout SplitMix64) {
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
  }

  /// A text of random parts.
  static func text(of parts: [String], using random: inout SplitMix64) -> [UInt8] {
    var text = ""
    for _ in 0..<200 { text += parts.randomElement(using: &random) ?? "" }
    return Array(text.utf8)
  }
}
