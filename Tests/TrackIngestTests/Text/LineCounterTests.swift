import TestSupport
import Testing

@testable import TrackIngest

@Suite struct LineCounterTests {
  /// The line of each byte, counted byte by byte.
  private func oracle(_ bytes: [UInt8]) -> [Int] {
    var lines: [Int] = []
    var line = 1
    for index in 0...bytes.count {
      lines.append(line)
      guard index < bytes.count else { break }
      let followsReturn = index > 0 && bytes[index - 1] == 0x0D
      if bytes[index] == 0x0D || (bytes[index] == 0x0A && !followsReturn) { line += 1 }
    }
    return lines
  }

  @Test(arguments: Seeds.sample(60))
  func `line numbers equal a count byte by byte, in pieces of any size`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let alphabet: [[UInt8]] = [
      [0x0A, 0x61], [0x0D, 0x61], [0x0D, 0x0A], [0x0A, 0x0D, 0x8A, 0x8D, 0x0B, 0x0C], [0x61],
    ]
    let bytes = (0..<Int.random(in: 0...5000, using: &random)).map { index in
      alphabet[(index / 700 + Int(seed)) % alphabet.count].randomElement(using: &random) ?? 0
    }
    let lines = oracle(bytes)
    var counter = LineCounter()
    var start = 0
    while start < bytes.count {
      let piece = Array(
        bytes[start..<min(bytes.count, start + Int.random(in: 1...3000, using: &random))])
      piece.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        counter.beginChunk(buffer)
        var at = 0
        while at < piece.count {
          if counter.line(at: base + at) != lines[start + at] { Issue.record("at \(start + at)") }
          at += Int.random(in: 0...200, using: &random)
        }
        counter.endChunk(at: base + piece.count)
      }
      start += piece.count
    }
    #expect(counter.line == lines.last)
  }

  @Test func `more than 255 lines are counted`() {
    let feeds = [UInt8](repeating: 0x0A, count: 100_000)
    var counter = LineCounter()
    feeds.withUnsafeBufferPointer { buffer in
      counter.beginChunk(buffer)
      if let base = buffer.baseAddress { counter.endChunk(at: base + buffer.count) }
    }
    #expect(counter.line == 100_001)
  }
}
