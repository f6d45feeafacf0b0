/// The bytes of the texts and blobs of a ``RowBatch``: memory that grows and is then used again.
///
/// Not an array, because an array in a class is checked for exclusive access at each value.
final class RowBytes {
  // Sound: each allocation is freed once, by `grow(to:)` or `deinit`. The bytes below `count` are
  // initialized.
  private var memory: UnsafeMutableRawPointer
  private var capacity = 0
  /// Number of bytes so far.
  private(set) var count = 0

  /// Creates an empty memory.
  init() {
    // Sound: freed by `grow(to:)` or `deinit`. Never null, since SQLite treats null as NULL.
    memory = .allocate(byteCount: 1, alignment: 1)
  }

  deinit { memory.deallocate() }

  /// Removes all bytes and keeps the memory.
  func removeAll() { count = 0 }

  /// Appends bytes.
  ///
  /// - Precondition: all bytes together are less than 2 GiB, which is more than SQLite stores in a
  ///   value.
  /// - Returns: the place of the first one.
  func append(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    let start = count
    if count + bytes.count > capacity { grow(to: count + bytes.count) }
    // Sound: there is room, and an array's memory never overlaps this one.
    if let base = bytes.baseAddress {
      (memory + start).copyMemory(from: base, byteCount: bytes.count)
    }
    count += bytes.count
    return UInt32(start)
  }

  /// Appends a text in UTF-8, and returns the place of its first byte.
  func append(_ text: String) -> UInt32 {
    var text = text
    return text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// The address of a byte, valid until more bytes are appended.
  func address(_ place: UInt32) -> UnsafeMutableRawPointer { memory + Int(place) }

  private func grow(to wanted: Int) {
    precondition(wanted <= Int(Int32.max), "the rows of a batch are larger than 2 GiB")
    let larger = max(wanted, 2 * capacity, 1 << 12)
    // Sound: the old memory is freed here, the new one by the next call or by `deinit`.
    let replacement = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    replacement.copyMemory(from: memory, byteCount: count)
    memory.deallocate()
    (memory, capacity) = (replacement, larger)
  }
}
