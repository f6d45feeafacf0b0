import Foundation
import Geodesy
import GridHash

/// The union of two coverages of 100 million cells, half of which both have, against memcpy of as many bytes
/// as both hold in memory.
func benchmarkUnion(rounds: Int) {
  var random = SplitMix64(seed: 2)
  let target = 100_000_000
  func grow(_ coverage: inout Coverage, to count: Int, _ alsoMark: (([Coordinate]) -> Void)? = nil) {
    while coverage.count < count {
      let walk = track(20_000, latitude: 30...60, longitude: -10...60, using: &random)
      coverage.mark(contentsOf: walk)
    }
  }
  var common = Coverage()
  grow(&common, to: target / 2)
  var left = common
  grow(&left, to: target)
  var right = common
  grow(&right, to: target)

  let bytes = left.memoryBytes + right.memoryBytes
  let source = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
  let copy = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
  defer {
    source.deallocate()
    copy.deallocate()
  }
  memset(source, 1, bytes)
  memset(copy, 2, bytes)  // both in memory, not only promised
  let expected = left.count + right.count - left.intersection(right).count

  var (unions, inPlace, copies): ([Double], [Double], [Double]) = ([], [], [])
  for _ in 0..<rounds {
    var count = 0
    unions.append(seconds { count = left.union(right).count })
    check(count == expected, "union")
    var mine = left
    mine.insert(Cell(row: 0, column: 0))
    inPlace.append(seconds { mine.formUnion(right) })
    check(mine.count == expected + 1, "union in place")
    copies.append(seconds { memcpy(copy, source, bytes) })
  }
  say("union of \(left.count) and \(right.count) cells to \(expected), \(rounds) rounds")
  say(
    "  a new coverage   \(text(median(unions) * 1000, 0)) ms, ×\(text(median(unions) / median(copies))) memcpy"
  )
  say("  in place         \(text(median(inPlace) * 1000, 0)) ms, ×\(text(median(inPlace) / median(copies)))")
  say("  memcpy           \(text(median(copies) * 1000, 0)) ms for \(bytes / 1_000_000) MB")
  say("  memory a cell    \(text(Double(left.memoryBytes) / Double(left.count), 2)) bytes")
}
