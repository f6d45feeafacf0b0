import ConcurrentMap
import SeededRandom
import Testing

@Suite struct WorkOrderTests {
  @Test(arguments: [0, 1, 2, 1_000])
  func `elements come by their keys, each once, equal ones as in the array`(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    for keys in [3..<4, -5..<60, 0..<100_000] {
      let elements = (0..<count).map { _ in Int.random(in: keys, using: &random) }
      let order = WorkOrder(of: elements, keys: keys) { $0 }
      // `sorted` is stable.
      let expected = elements.indices.sorted { elements[$0] < elements[$1] }
      #expect(order.indices == expected.map(UInt32.init))
    }
  }

  @Test(arguments: [1, 7, 5_000])
  func `results stay in the order of the elements`(chunk: Int) {
    var random = SplitMix64(seed: 7)
    let elements = (0..<3_000).map { _ in Int.random(in: 0..<100, using: &random) }
    let order = WorkOrder(of: elements, keys: 0..<100) { $0 }
    let found = concurrentMap(elements, chunk: chunk, order: order, state: 0) { last, element in
      // In order, so each core gets rising keys.
      let isLater = element >= last
      last = element
      return isLater || chunk > elements.count ? "\(element)" : "too early"
    }
    #expect(found == elements.map { "\($0)" })
  }
}
