import ByteStreams
import TestSupport
import Testing

@testable import FogMap

@Suite struct RunDeflaterTests {
  private static func expand(_ stream: [UInt8], atMost count: Int) -> [UInt8]? {
    stream.withUnsafeBytes { ZlibHead.expand($0, atMost: count) }
  }

  private static func adler(_ bytes: [UInt8]) -> Int {
    var (low, high) = (1, 0)
    for byte in bytes {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }

  private static func deflate(_ rows: [[UInt8]], _ deflater: inout RunDeflater) -> [UInt8] {
    for (number, row) in rows.enumerated() {
      if number > 0, rows[number - 1] == row, number % 2 == 0 {
        deflater.appendRepeated()
      } else {
        row.withUnsafeBytes { row in
          if number == 0 {
            deflater.append(row, above: nil)
          } else {
            rows[number - 1].withUnsafeBytes { deflater.append(row, above: $0) }
          }
        }
      }
    }
    return deflater.finish()
  }

  /// A row of runs and noise; parts of it are those of the row before.
  private static func row(
    _ count: Int, after above: [UInt8]?, values: Int, using random: inout SplitMix64
  ) -> [UInt8] {
    if let above, Int.random(in: 0..<3, using: &random) == 0 { return above }
    var row: [UInt8] = []
    while row.count < count {
      let length = min(
        count - row.count,
        Int.random(in: 1...(Bool.random(using: &random) ? 9 : 600), using: &random))
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        row += [UInt8](repeating: .random(in: 0...255, using: &random), count: length)
      case 1:
        row += (0..<length).map { _ in UInt8.random(in: 0..<UInt8(values), using: &random) }
      default:
        if let above {
          row += above[row.count..<row.count + length]
        } else {
          row += [UInt8](repeating: 0, count: length)
        }
      }
    }
    return row
  }

  @Test(arguments: Seeds.sample(60))
  func `zlib expands the stream to the rows`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let count = [3, 4, 5, 9, 33, 65, 129, 257, 513, 4_097, 32_768][Int(seed % 11)]
    var deflater = RunDeflater(rowBytes: count)
    for _ in 0..<3 {
      var rows: [[UInt8]] = []
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        rows.append(
          Self.row(
            count, after: rows.last, values: Int.random(in: 1...255, using: &random),
            using: &random))
      }
      let stream = Self.deflate(rows, &deflater)
      let bytes = rows.flatMap { $0 }
      #expect(Self.expand(stream, atMost: bytes.count + 1) == bytes)
      #expect(stream.suffix(4).reduce(0) { $0 << 8 | Int($1) } == Self.adler(bytes))
      #expect(stream[0] == 0x78 && (Int(stream[0]) << 8 | Int(stream[1])) % 31 == 0)
    }
  }

  @Test func `codes that would be too long are limited, and stay complete`() {
    // Fibonacci numbers give Huffman's longest codes.
    var counts: [UInt32] = [1, 1]
    while counts.count < 40 { counts.append(counts[counts.count - 1] + counts[counts.count - 2]) }
    for limit in [6, 7, 15] {
      for used in 2...counts.count {
        let code = PrefixCode(counts: Array(counts[..<used]), limit: limit)
        let sum = code.lengths.reduce(0) { $0 + 1 << (limit - Int($1)) }
        #expect(sum == 1 << limit, "limit \(limit) used \(used)")
        #expect(code.lengths.allSatisfy { 1...limit ~= Int($0) })
        for index in 1..<used { #expect(code.lengths[index] <= code.lengths[index - 1]) }
      }
    }
  }

  @Test func `skewed rows need limited codes, which zlib reads`() {
    var row: [UInt8] = []
    var (first, second) = (1, 1)
    for byte in 0..<20 as Range<UInt8> {
      // Alternating with another value, so that there are no runs.
      for place in 0..<first { row.append(place % 2 == 0 ? byte : 255 - byte % 3) }
      (first, second) = (second, first + second)
    }
    row = Array(row.prefix(32_768))
    var deflater = RunDeflater(rowBytes: row.count)
    let stream = Self.deflate([row], &deflater)
    #expect(Self.expand(stream, atMost: 40_000) == row)
  }
}
