/// The name of an element as it is read, with its prefix.
struct XMLName {
  private var text = BoundedText(limit: XMLLimits.nameBytes)
  /// The hash of the whole name, whatever its length.
  private(set) var hash = NameHash()
  /// The index of the first colon; negative if there is none.
  ///
  /// Sound as an index: it is set only where the colon itself is kept, so it lies below the count.
  private var colon = -1

  /// True if it is longer than any name that is recognized.
  var isTooLong: Bool { text.isTooLong }

  /// Forgets the name.
  mutating func reset() {
    text.reset()
    hash = .empty
    colon = -1
  }

  /// Adds one byte.
  mutating func add(_ byte: UInt8) {
    hash.add(byte)
    if byte == 0x3A, colon < 0, text.count < text.limit { colon = text.count }
    text.append(byte)
  }

  /// Adds a run of ``isNameByte(_:)`` bytes; returns the position after it. `start` and `end` bound
  /// initialized memory.
  mutating func add(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    // In locals, so that the loop does not write to memory.
    var hash = hash
    var at = start
    while at < end, Self.isNameByte(at.pointee) {
      hash.add(at.pointee)
      if at.pointee == 0x3A, colon < 0, text.count + (at - start) < text.limit {
        colon = text.count + (at - start)
      }
      at += 1
    }
    self.hash = hash
    text.append(start, at)
    return at
  }

  /// Calls `body` with the local name, which is only valid during the call: none if the name is too
  /// long.
  @inline(__always)
  func withLocalName<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    text.withValue { name in
      body(name.isEmpty ? name : UnsafeBufferPointer(rebasing: name[(colon + 1)...]))
    }
  }

  /// The hash of its prefix; ``NameHash/empty`` if it has none.
  var prefix: NameHash {
    guard colon > 0 else { return .empty }
    return text.withBytes { NameHash(UnsafeBufferPointer(rebasing: $0[..<colon])) }
  }

  /// Returns true if a byte is an ASCII letter, digit or punctuation of names, so that it can be
  /// added in a run.
  @inline(__always)
  static func isNameByte(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return (lower >= 0x61 && lower <= 0x7A) || (byte >= 0x2D && byte <= 0x3A && byte != 0x2F)
      || byte == 0x5F
  }
}

/// FNV-1a over bytes, to compare names without keeping them.
///
/// - Source: Fowler, Noll, Vo, draft-eastlake-fnv: offset basis and prime of the 64-bit variant.
struct NameHash: Hashable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The hash of no bytes: the name of the default namespace's prefix.
  static let empty = NameHash()

  /// Adds one byte.
  @inline(__always)
  mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

  /// The hash of some bytes.
  init(_ bytes: UnsafeBufferPointer<UInt8>) { for byte in bytes { add(byte) } }

  /// The hash of no bytes.
  init() {}
}
