/// Whole numbers to small ones, for what a window of regions looks up at every fix: open addressing
/// in two arrays, so that an entry has no memory of its own.
///
/// - Complexity: O(1) on average. 24 to 48 bytes an entry while it grows, once there are more than
///   32; what was emptied keeps its memory.
struct NumberTable {
  private var keys: [Int64] = []
  private var values: [Int32] = []
  private var count = 0
  /// Bits of the hash that are no index.
  private var shift: UInt64 = 64

  /// What no key is.
  private static let vacant = Int64.min
  /// Slots of the first table.
  private static let firstCapacity = 64

  /// The value of a key; nil where it has none.
  subscript(key: Int64) -> Int32? {
    guard count > 0 else { return nil }
    let slot = slot(of: key)
    return keys[slot] == key ? values[slot] : nil
  }

  /// Gives a key a value.
  ///
  /// - Precondition: the key is not `Int64.min`.
  /// - Returns: the value that it had.
  @discardableResult
  mutating func replace(_ key: Int64, with value: Int32) -> Int32? {
    precondition(key != Self.vacant, "a key is greater than the least number")
    if 2 * count >= keys.count { grow() }
    let slot = slot(of: key)
    let before = keys[slot] == key ? values[slot] : nil
    if before == nil {
      keys[slot] = key
      count += 1
    }
    values[slot] = value
    return before
  }

  /// Takes all keys out. Complexity: O(slots).
  mutating func removeAll() {
    guard count > 0 else { return }
    for slot in keys.indices { keys[slot] = Self.vacant }
    count = 0
  }

  /// Where a key is, or would be.
  private func slot(of key: Int64) -> Int {
    // Fibonacci hashing: the high bits of a product with 2^64 divided by the golden ratio.
    var slot = Int((UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> shift)
    while keys[slot] != key, keys[slot] != Self.vacant { slot = (slot + 1) & (keys.count - 1) }
    return slot
  }

  private mutating func grow() {
    let (oldKeys, oldValues) = (keys, values)
    let capacity = max(Self.firstCapacity, 2 * oldKeys.count)
    keys = Array(repeating: Self.vacant, count: capacity)
    values = Array(repeating: 0, count: capacity)
    shift = UInt64(64 - capacity.trailingZeroBitCount)
    for (key, value) in zip(oldKeys, oldValues) where key != Self.vacant {
      let slot = slot(of: key)
      (keys[slot], values[slot]) = (key, value)
    }
  }
}
