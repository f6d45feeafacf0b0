/// The distinct texts of a column, in the order of their first occurrence.
///
/// Texts are distinct if their bytes differ: two ways to write “é” are two texts, although Swift's
/// own dictionary treats them as equal.
struct TextDictionary {
  /// The most texts.
  static let mostTexts = 1 << 13
  /// The most bytes of texts with their lengths.
  static let mostBytes = 1 << 20

  /// The texts in Parquet's plain encoding: the number of bytes of each in 4 bytes, then the bytes.
  private(set) var bytes: [UInt8] = []
  /// The place after each text in ``bytes``.
  private var ends: [Int] = []
  /// The index of a text for each place of the hash table; -1 if it is free.
  private var slots = [Int32](repeating: -1, count: 256)
  private var last = -1

  /// Creates an empty dictionary.
  init() {}

  /// The number of texts.
  var count: Int { ends.count }

  /// The range of a text in ``bytes``, with its length.
  func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

  /// Removes all texts.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    slots = [Int32](repeating: -1, count: 256)
    last = -1
  }

  /// The index of a text, which is added if it is new; nil if there is no room for it.
  ///
  /// Columns often repeat the text of the row before, so that one is compared first.
  mutating func index(of text: String) -> Int? {
    var text = text
    return text.withUTF8 { text in
      if last >= 0, isEqual(last, text) { return last }
      var slot = Int(truncatingIfNeeded: Self.hash(text)) & (slots.count - 1)
      while slots[slot] >= 0 {
        let index = Int(slots[slot])
        if isEqual(index, text) {
          last = index
          return index
        }
        slot = (slot + 1) & (slots.count - 1)
      }
      guard count < Self.mostTexts, bytes.count + 4 + text.count <= Self.mostBytes else {
        return nil
      }
      slots[slot] = Int32(count)
      last = count
      bytes.append(littleEndian: UInt32(text.count))
      bytes.append(contentsOf: text)
      ends.append(bytes.count)
      if 2 * count > slots.count { grow() }
      return last
    }
  }

  private func isEqual(_ index: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let range = range(index)
    guard range.count == text.count + 4 else { return false }
    for offset in 0..<text.count where bytes[range.lowerBound + 4 + offset] != text[offset] {
      return false
    }
    return true
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: 4 * slots.count)
    bytes.withUnsafeBufferPointer { bytes in
      for index in 0..<count {
        let text = UnsafeBufferPointer(rebasing: bytes[range(index).dropFirst(4)])
        var slot = Int(truncatingIfNeeded: Self.hash(text)) & (slots.count - 1)
        while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Int32(index)
      }
    }
  }

  /// FNV-1a with its bits mixed once more, since the lowest ones choose the slot.
  private static func hash(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return hash ^ hash >> 32
  }
}
