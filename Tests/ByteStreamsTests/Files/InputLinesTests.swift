import Foundation
import TestSupport
import Testing

@testable import ByteStreams

/// Lines of a stream, compared with a plain split of all its bytes.
@Suite struct InputLinesTests {
  private func lines(
    of bytes: [UInt8], blockBytes: Int, longestLine: Int
  ) throws -> [InputLines.Line] {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    // A pipe takes this much before anything is read from it.
    try #require(bytes.count <= 1 << 12)
    #expect(write(ends[1], bytes, bytes.count) == bytes.count)
    close(ends[1])
    let reader = InputLines(
      descriptor: ends[0], blockBytes: blockBytes, longestLine: longestLine)
    var lines: [InputLines.Line] = []
    while let line = try reader.next(beforeWaiting: {}) { lines.append(line) }
    return lines
  }

  /// The lines, found by looking at one byte after another.
  private func split(_ bytes: [UInt8], longestLine: Int) -> [InputLines.Line] {
    var parts: [[UInt8]] = [[]]
    for byte in bytes {
      if byte == 0x0A { parts.append([]) } else { parts[parts.count - 1].append(byte) }
    }
    if parts.last == [] { parts.removeLast() }
    return parts.enumerated().map { number, part in
      var line = part
      if line.count > longestLine { return .tooLong }
      if number == 0, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
      if line.last == 0x0D { line.removeLast() }
      return .bytes(line[...])
    }
  }

  @Test(arguments: Seeds.sample(60), [1, 2, 7, 64, 1 << 16])
  func `blocks of any size give the lines of a plain split`(seed: UInt64, blockBytes: Int) throws {
    var random = SplitMix64(seed: seed)
    let alphabet = Array("1\n\n\r ,".utf8) + [0xEF, 0xBB, 0xBF]
    var bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
      alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
    }
    if seed % 2 == 0 { bytes = [0xEF, 0xBB, 0xBF] + bytes }
    for longestLine in [1, 5, 4_096] {
      #expect(
        try lines(of: bytes, blockBytes: blockBytes, longestLine: longestLine)
          == split(bytes, longestLine: longestLine),
        "\(bytes)")
    }
  }

  @Test(arguments: [1, 16, 17, 1 << 16])
  func `a line of the maximum length is read, and a longer one is left out`(blockBytes: Int) throws
  {
    let bytes = Array("0123456789abcdef\n0123456789abcdefg\n1 2\r\nx".utf8)
    let expected: [InputLines.Line] = [
      .bytes(Array("0123456789abcdef".utf8)[...]), .tooLong, .bytes(Array("1 2".utf8)[...]),
      .bytes(Array("x".utf8)[...]),
    ]
    #expect(try lines(of: bytes, blockBytes: blockBytes, longestLine: 16) == expected)
  }

  @Test func `a stream that cannot be read is an error with the system's number`() throws {
    let folder = open("/", O_RDONLY)
    defer { close(folder) }
    let error = #expect(throws: InputLines.Failure.self) {
      try InputLines(descriptor: folder).next(beforeWaiting: {})
    }
    #expect(error?.code == EISDIR)
  }
}
