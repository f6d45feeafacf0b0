import ByteStreams

/// Writes the values of a payload.
package struct PayloadWriter {
  /// What was written so far.
  package private(set) var bytes: [UInt8] = []

  /// Creates an empty payload.
  package init() {}

  /// Reserves memory for more bytes.
  mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  /// Writes one byte.
  mutating func byte(_ value: UInt8) { bytes.append(value) }

  /// Writes a number as a LEB128 varint.
  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Writes a count or a length as a varint.
  mutating func count(_ value: Int) { varint(UInt64(value)) }

  /// Writes a signed number as a zigzag varint.
  mutating func zigzag(_ value: Int64) { varint(UInt64(bitPattern: (value << 1) ^ (value >> 63))) }

  /// Writes a number as its IEEE 754 bits, the low byte first.
  mutating func double(_ value: Double) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> shift))
    }
  }

  /// Writes bytes without their number.
  mutating func raw(_ value: some Collection<UInt8>) { bytes.append(contentsOf: value) }

  /// Writes a name of 8 bytes.
  mutating func name(_ value: some EightByteName) { bigEndian(value.number) }

  /// Writes a name of 16 bytes.
  mutating func name(_ value: some SixteenByteName) {
    bigEndian(value.high)
    bigEndian(value.low)
  }

  /// Writes bytes after their number.
  mutating func blob(_ value: [UInt8]) {
    count(value.count)
    bytes.append(contentsOf: value)
  }

  /// Writes a text after the number of its bytes.
  mutating func text(_ value: String) {
    count(value.utf8.count)
    bytes.append(contentsOf: value.utf8)
  }

  private mutating func bigEndian(_ value: UInt64) {
    for shift in [UInt64(56), 48, 40, 32, 24, 16, 8, 0] {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}

extension Digest {
  /// The digest of these bytes.
  package init(of content: [UInt8]) {
    let hash = SHA256.digest(of: content)
    self.init(
      high: hash[..<8].reduce(0) { $0 << 8 | UInt64($1) },
      low: hash[8..<16].reduce(0) { $0 << 8 | UInt64($1) })
  }
}
