import Dispatch
import Synchronization

/// Returns what `body` returns for each element, in their order. All cores work, each on `chunk`
/// elements at a time that are next to each other in the array, or in `order` if that is given.
///
/// - Parameters:
///   - elements: what to work on.
///   - chunk: how many elements a core takes at a time: at least some 0.1 ms of work.
///   - order: in which order to work. It must be made of these elements. It is made only if there
///     is more than one chunk.
///   - state: what `body` changes and keeps from one element to the next. Each core begins with a
///     copy of it, and keeps it from chunk to chunk.
///   - body: must return the same for an element whatever came before it.
/// - Complexity: as `body` for each element, divided among the cores, and a copy of `state` for
///   each core.
@inlinable
package func concurrentMap<Element: Sendable, State: Sendable, Result: Sendable>(
  _ elements: [Element], chunk: Int, order: @autoclosure () -> WorkOrder? = nil, state: State,
  _ body: @Sendable (inout State, Element) -> Result
) -> [Result] {
  let chunk = max(1, chunk)
  let chunks = (elements.count + chunk - 1) / chunk
  guard chunks > 1 else {
    var state = state
    return elements.map { body(&state, $0) }
  }
  let order = order()
  precondition(order.map { $0.indices.count == elements.count } ?? true)
  // The first chunk that no core has taken.
  let next = Atomic<Int>(0)
  // Sound: each chunk is taken once and initializes results of its own, all of them before
  // `concurrentPerform` returns. An order has the index of each element once.
  return Array(unsafeUninitializedCapacity: elements.count) { results, count in
    guard let start = results.baseAddress else { return }
    nonisolated(unsafe) let room = start
    // One iteration runs on each core until no chunk is left. Those beyond the number of cores
    // find none.
    DispatchQueue.concurrentPerform(iterations: min(chunks, mostCores)) { _ in
      var own = state
      while true {
        let first = next.add(1, ordering: .relaxed).oldValue * chunk
        if first >= elements.count { return }
        for place in first..<min(first + chunk, elements.count) {
          let index = order.map { Int($0.indices[place]) } ?? place
          (room + index).initialize(to: body(&own, elements[index]))
        }
      }
    }
    count = elements.count
  }
}

/// The number of cores beyond which more do not help.
@usableFromInline let mostCores = 256
