import BenchmarkSupport
import Foundation
import Geodesy
import GridHash

/// Times the union of two coverages of 100 million cells that share half of them, compared with
/// `memcpy` of the memory of both.
func benchmarkUnion(rounds: Int) {
  var random = SplitMix64(seed: 2)
  let target = 100_000_000
  func grow(_ coverage: inout Coverage, to count: Int) {
    while coverage.count < count {
      coverage.mark(
        contentsOf: track(20_000, latitude: 30...60, longitude: -10...60, using: &random))
    }
  }
  var common = Coverage()
  grow(&common, to: target / 2)
  var left = common
  grow(&left, to: target)
  var right = common
  grow(&right, to: target)

  let bytes = left.memoryBytes + right.memoryBytes
  // Sound: both blocks have `bytes` bytes, are freed once, at the end, and only `memset` and
  // `memcpy` of exactly that many bytes touch them.
  let source = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
  let copy = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
  defer {
    source.deallocate()
    copy.deallocate()
  }
  memset(source, 1, bytes)
  memset(copy, 2, bytes)  // both resident, not only reserved
  let expected = left.count + right.count - left.intersection(right).count

  var (unions, inPlace, copies): ([Double], [Double], [Double]) = ([], [], [])
  for _ in 0..<rounds {
    var count = 0
    unions.append(Clock.wallSeconds { count = left.union(right).count })
    check(count == expected, "union")
    var mine = left
    mine.insert(Cell(row: 0, column: 0))
    inPlace.append(Clock.wallSeconds { mine.formUnion(right) })
    check(mine.count == expected + 1, "union in place")
    copies.append(Clock.wallSeconds { memcpy(copy, source, bytes) })
  }
  func line(_ seconds: [Double]) -> String {
    "\(text(median(seconds) * 1000, 0)) ms, ×\(text(median(seconds) / median(copies))) memcpy"
  }
  say("union of \(left.count) and \(right.count) cells to \(expected), \(rounds) rounds")
  say("  a new coverage   \(line(unions))")
  say("  in place         \(line(inPlace))")
  say("  memcpy           \(text(median(copies) * 1000, 0)) ms for \(bytes / 1_000_000) MB")
  say("  memory per cell  \(text(Double(left.memoryBytes) / Double(left.count), 2)) bytes")
}
