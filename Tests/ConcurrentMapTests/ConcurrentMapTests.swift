import ConcurrentMap
import Foundation
import Synchronization
import Testing

@Suite struct ConcurrentMapTests {
  @Test(arguments: [0, 1, 15, 16, 17, 1_000])
  func `each element has its result, in order`(count: Int) {
    let numbers = Array(0..<count)
    for chunk in [1, 4, 16, 2_000] {
      let found = concurrentMap(numbers, chunk: chunk, state: 5) { seen, number in
        seen += 1
        return "\(number * number), \(seen > 5)"
      }
      #expect(found == numbers.map { "\($0 * $0), true" })
    }
  }

  @Test func `a state belongs to one core at a time and stays from chunk to chunk`() {
    final class State: Sendable {
      let users = Atomic<Int>(0)
    }
    let made = Atomic<Int>(0)
    let calls = Atomic<Int>(0)
    let found = concurrentMap(Array(0..<4_000), chunk: 10, state: State?.none) { state, number in
      calls.add(1, ordering: .relaxed)
      let own = state ?? State()
      if state == nil { made.add(1, ordering: .relaxed) }
      state = own
      let others = own.users.add(1, ordering: .sequentiallyConsistent).oldValue
      // Long enough that another core would meet it.
      if number % 100 == 0 { usleep(100) }
      own.users.subtract(1, ordering: .sequentiallyConsistent)
      return others == 0 ? number : -1
    }
    #expect(found == Array(0..<4_000))
    #expect(calls.load(ordering: .relaxed) == 4_000)
    // 400 chunks, but only one state for each core, and for the thread that called.
    let states = made.load(ordering: .relaxed)
    #expect((1...ProcessInfo.processInfo.processorCount + 1).contains(states))
  }
}
