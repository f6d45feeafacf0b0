/// A set of region numbers. They are given out one after the other, so a bit for each is small:
/// 1.25 MB for ten million regions. Larger numbers than a store can have come to by counting are
/// kept one by one: a row that somebody else wrote must not decide how much memory is taken.
struct RegionMarks {
  private var words: [UInt64] = []
  private var others: Set<Int64> = []
  /// How many numbers are in it.
  private(set) var count = 0

  /// Numbers below this have a bit: 16 MB of them.
  private static let bitCount: Int64 = 1 << 27

  /// Adds a number; nothing changes where it is in it already.
  mutating func insert(_ id: Int64) {
    guard id >= 0, id < Self.bitCount else {
      if others.insert(id).inserted { count += 1 }
      return
    }
    let (word, bit) = (Int(id >> 6), UInt64(1) << UInt64(id & 63))
    if word >= words.count { words += Array(repeating: 0, count: word + 1 - words.count) }
    guard words[word] & bit == 0 else { return }
    words[word] |= bit
    count += 1
  }

  /// Takes all numbers out.
  mutating func removeAll() { self = RegionMarks() }
}
