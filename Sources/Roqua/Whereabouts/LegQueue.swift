/// The legs that are open at a time, the shortest first: a binary heap. A leg whose end has passed
/// stays in it until it is the first.
struct LegQueue {
  /// The step from a fix to the next one of its source.
  struct Leg {
    let milliseconds: Int64
    /// The numbers of the fixes in order of time.
    let start: UInt32
    let end: UInt32

    func isBefore(_ other: Leg) -> Bool {
      (milliseconds, start) < (other.milliseconds, other.start)
    }
  }

  private var legs: [Leg] = []

  /// Adds a leg. O(log legs).
  mutating func insert(_ leg: Leg) {
    var index = legs.count
    legs.append(leg)
    while index > 0, leg.isBefore(legs[(index - 1) / 2]) {
      legs.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// The shortest leg that ends after a fix; nil if there is none. Removes shorter ones that have
  /// ended. O(log legs) for each leg that was ever added.
  mutating func shortest(after index: Int) -> Leg? {
    while let first = legs.first {
      if Int(first.end) > index { return first }
      removeFirst()
    }
    return nil
  }

  private mutating func removeFirst() {
    legs.swapAt(0, legs.count - 1)
    legs.removeLast()
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < legs.count && legs[child].isBefore(legs[least]) {
        least = child
      }
      if least == index { return }
      legs.swapAt(index, least)
      index = least
    }
  }
}
