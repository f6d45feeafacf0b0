/// A map from whole numbers to small ones, for lookups by a window of regions at every fix: open
/// addressing in two arrays, so that entries need no separate allocations.
///
/// - Complexity: O(1) on average. 24 to 48 bytes for each entry while it grows, once there are more
///   than 32 entries; emptying it keeps the memory.
struct NumberTable {
  private var keys: [Int64] = []
  private var values: [Int32] = []
  private var count = 0
  /// Number of bits of the hash that are not part of the index.
  private var shift: UInt64 = 64

  /// A value that is never a key.
  private static let vacant = Int64.min
  /// Number of slots of the first table.
  private static let firstCapacity = 64

  /// The value of a key; nil if it has none.
  subscript(key: Int64) -> Int32? {
    guard count > 0 else { return nil }
    let slot = slot(of: key)
    return keys[slot] == key ? values[slot] : nil
  }

  /// Sets the value of a key.
  ///
  /// - Precondition: the key is not `Int64.min`.
  /// - Returns: its previous value.
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

  /// Removes all keys. Complexity: O(slots).
  mutating func removeAll() {
    guard count > 0 else { return }
    for slot in keys.indices { keys[slot] = Self.vacant }
    count = 0
  }

  /// Returns the slot of a key, or the slot where it would be inserted.
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
