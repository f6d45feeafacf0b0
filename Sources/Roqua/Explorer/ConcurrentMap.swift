import Dispatch

/// Returns what `body` returns for each element, in their order. All cores work, each on `chunk`
/// adjacent elements at a time.
///
/// - Parameters:
///   - elements: what to work on.
///   - chunk: how many elements a core takes at a time: at least some 0.1 ms of work.
///   - state: what `body` changes and keeps from one element to the next; each chunk begins with a
///     copy of it.
///   - body: must return the same for an element whatever came before it.
/// - Complexity: as `body` for each element, divided among the cores, and a copy of `state` for
///   each chunk.
func concurrentMap<Element: Sendable, State: Sendable, Result: Sendable>(
  _ elements: [Element], chunk: Int, state: State,
  _ body: @Sendable (inout State, Element) -> Result
) -> [Result] {
  let chunk = max(1, chunk)
  let chunks = (elements.count + chunk - 1) / chunk
  guard chunks > 1 else {
    var state = state
    return elements.map { body(&state, $0) }
  }
  // Sound: each chunk initializes results of its own, all of them before `concurrentPerform`
  // returns.
  return Array(unsafeUninitializedCapacity: elements.count) { results, count in
    guard let start = results.baseAddress else { return }
    nonisolated(unsafe) let room = start
    DispatchQueue.concurrentPerform(iterations: chunks) { number in
      var state = state
      let first = number * chunk
      for index in first..<min(first + chunk, elements.count) {
        (room + index).initialize(to: body(&state, elements[index]))
      }
    }
    count = elements.count
  }
}
