import TestSupport
import Testing

@testable import TrackIngest

@Suite struct KMLPairingTests {
  @Test(arguments: Seeds.sample(20))
  func `the queue of times returns what was put in`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var queue = KMLTimeQueue()
    var expected: [Int64?] = []
    var time: Int64 = 0
    for _ in 0..<20_000 {
      if Bool.random(using: &random), !expected.isEmpty {
        #expect(queue.removeFirst() == expected.removeFirst())
      } else {
        switch Int.random(in: 0...9, using: &random) {
        case 0: expected.append(nil)
        case 1:
          time = Int64.random(in: 0...253_402_300_799_999, using: &random)
          expected.append(time)
        default:
          time += 1000
          expected.append(time)
        }
        queue.append(expected[expected.count - 1])
      }
      #expect(queue.count == expected.count)
    }
    while !expected.isEmpty { #expect(queue.removeFirst() == expected.removeFirst()) }
  }

  @Test func `a time at a constant interval takes one byte`() {
    var queue = KMLTimeQueue()
    for index in 0..<Int64(1_000_000) { queue.append(1_714_557_600_000 + index * 1000) }
    #expect(!queue.isFull)
    #expect(queue.memory < 1_100_000)
    for index in 0..<Int64(1_000_000) {
      guard queue.removeFirst() == 1_714_557_600_000 + index * 1000 else {
        Issue.record("time \(index)")
        return
      }
    }
  }

  @Test(arguments: Seeds.sample(40))
  func `the n-th time belongs to the n-th position in any order`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var pairing = KMLPairing()
    var (times, positions) = (0, 0)
    var pairs: [(Int, Int64?)] = []
    func note(_ outcome: KMLPairing.Outcome) {
      if case .complete(let position, let time) = outcome { pairs.append((position.line, time)) }
    }
    let bias = Int.random(in: 1...9, using: &random)
    while times < 500 || positions < 500 {
      if positions == 500 || (times < 500 && Int.random(in: 0..<10, using: &random) < bias) {
        note(pairing.take(time: Int64(times)))
        times += 1
      } else {
        note(
          pairing.take(
            KMLPosition(longitudeE7: 1, latitudeE7: 2, elevation: nil, line: positions)))
        positions += 1
      }
    }
    #expect(pairs.count == 500)
    #expect(
      pairs.enumerated().allSatisfy {
        $0.offset == $0.element.0 && $0.element.1 == Int64($0.offset)
      })
    #expect(pairing.waitingTimes == 0)
  }

  @Test func `positions beyond the limit have no time, and the others keep theirs`() {
    var pairing = KMLPairing()
    let extra = 1000
    var undated = 0
    for index in 0..<KMLLimits.positions + extra {
      let outcome = pairing.take(
        KMLPosition(longitudeE7: 1, latitudeE7: 2, elevation: nil, line: index))
      if case .limited(let position) = outcome {
        #expect(position?.line == undated)
        undated += 1
      }
    }
    #expect(undated == extra)
    var next = extra
    for index in 0..<KMLLimits.positions + extra {
      if case .complete(let position, let time) = pairing.take(time: Int64(index)) {
        guard position.line == next, time == Int64(next) else {
          Issue.record("position \(position.line) at \(next)")
          return
        }
        next += 1
      }
    }
    #expect(next == KMLLimits.positions + extra)
    #expect(pairing.takeWaitingPosition() == nil)
  }

  @Test func `times beyond the limit are forgotten, and the later ones keep their places`() {
    var pairing = KMLPairing()
    var count = 0
    // Times that jump take six bytes each.
    func time(_ index: Int) -> Int64 { index % 2 == 0 ? 0 : 200_000_000_000_000 }
    while true {
      count += 1
      if case .limited = pairing.take(time: time(count - 1)) { break }
    }
    #expect(count > KMLLimits.timeBytes / 10)
    for index in 0...count {
      let outcome = pairing.take(
        KMLPosition(longitudeE7: 1, latitudeE7: 2, elevation: nil, line: index))
      switch outcome {
      case .complete(_, let found):
        guard found == (index == count - 1 ? nil : time(index)) else {
          Issue.record("time \(index)")
          return
        }
      default: #expect(index == count)
      }
    }
    guard case .complete(_, let last) = pairing.take(time: 7) else {
      Issue.record("the last position waits")
      return
    }
    #expect(last == 7)
  }
}
