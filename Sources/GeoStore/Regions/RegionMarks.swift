/// A set of region numbers. They are given out one after the other, so a bit for each is small: 1.25 MB for ten
/// million regions.
struct RegionMarks {
  private var words: [UInt64] = []
  /// How many numbers are in it.
  private(set) var count = 0

  /// Adds a number, 0 or more; nothing changes where it is in it already.
  mutating func insert(_ id: Int64) {
    let (word, bit) = (Int(id >> 6), UInt64(1) << UInt64(id & 63))
    if word >= words.count { words += Array(repeating: 0, count: word + 1 - words.count) }
    guard words[word] & bit == 0 else { return }
    words[word] |= bit
    count += 1
  }

  /// Takes all numbers out.
  mutating func removeAll() { self = RegionMarks() }
}
