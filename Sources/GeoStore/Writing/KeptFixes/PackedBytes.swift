/// Reasons why packed bytes cannot be read.
package enum PackedBytesError: Error, Equatable {
  /// The bytes end too early.
  case truncated
  /// A value that no writer produces.
  case malformed
}

/// Builds packed bytes: varints, differences, lists of bits.
struct ByteWriter: ~Copyable {
  /// Size of the longest varint: 64 bits, seven in each byte.
  static let longestVarintBytes = 10

  // Sound: `bytes(atMost:_:)` provides the buffer, which outlives the writer; `append` checks that
  // a byte fits.
  private let room: UnsafeMutableBufferPointer<UInt8>
  private var count = 0

  private init(_ room: UnsafeMutableBufferPointer<UInt8>) { self.room = room }

  /// Returns the bytes that `build` appends.
  ///
  /// Sound: the writer initializes the first `count` bytes and does not outlive the call.
  ///
  /// - Precondition: there are at most `capacity` of them.
  static func bytes(atMost capacity: Int, _ build: (inout ByteWriter) -> Void) -> [UInt8] {
    Array(unsafeUninitializedCapacity: capacity) { room, count in
      var writer = ByteWriter(room)
      build(&writer)
      count = writer.count
    }
  }

  /// Appends one byte.
  mutating func append(_ byte: UInt8) {
    precondition(count < room.count, "more bytes than were foreseen")
    room[count] = byte
    count += 1
  }

  /// Appends a LEB128 varint: seven bits in each byte, low bits first, the high bit set on all but
  /// the last byte.
  mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// Appends the varint of `UInt64(zigzag:)`.
  mutating func append(zigzag value: Int64) {
    append(varint: UInt64(zigzag: value))
  }

  /// Appends the first value, then the difference of each value from the one before.
  mutating func append(differencesOf values: some Sequence<Int64>) {
    var previous: Int64 = 0
    for value in values {
      append(zigzag: value &- previous)
      previous = value
    }
  }

  /// Appends one bit for each element, low bit first, padded with zeros to whole bytes.
  mutating func append(bits: some Sequence<Bool>) {
    var byte: UInt8 = 0
    var used = 0
    for bit in bits {
      if bit { byte |= 1 << used }
      used += 1
      if used == 8 {
        append(byte)
        (byte, used) = (0, 0)
      }
    }
    if used > 0 { append(byte) }
  }
}

/// Reads bytes written by ``ByteWriter``, which may be damaged.
struct ByteReader {
  // Sound: the caller of `init` keeps the bytes alive, and `byte` checks the offset.
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  /// Creates a reader. `bytes` must outlive it.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.count }

  /// The bytes that have not been read.
  var unreadBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[offset...]) }

  /// Skips some of the unread bytes.
  mutating func skip(_ count: Int) { offset += min(count, bytes.count - offset) }

  mutating func byte() throws(PackedBytesError) -> UInt8 {
    guard offset < bytes.count else { throw .truncated }
    defer { offset += 1 }
    return bytes[offset]
  }

  mutating func varint() throws(PackedBytesError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let next = try byte()
      // The tenth byte contains only bit 63.
      if shift == 63, next > 1 { throw .malformed }
      value |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return value }
    }
    throw .malformed
  }

  mutating func zigzag() throws(PackedBytesError) -> Int64 {
    Int64(zigzag: try varint())
  }

  mutating func count(atMost limit: Int) throws(PackedBytesError) -> Int {
    guard let value = Int(exactly: try varint()), value <= limit else { throw .malformed }
    return value
  }

  /// Reads `count` values from their differences.
  mutating func differences(_ count: Int) throws(PackedBytesError) -> [Int64] {
    var values: [Int64] = []
    values.reserveCapacity(count)
    var value: Int64 = 0
    for _ in 0..<count {
      let (sum, overflow) = value.addingReportingOverflow(try zigzag())
      guard !overflow else { throw .malformed }
      value = sum
      values.append(value)
    }
    return values
  }

  /// Reads a column of `count` values, some or all of which may be missing.
  mutating func partialColumn(
    _ count: Int, isPresent: Bool, isPartial: Bool
  ) throws(PackedBytesError) -> [Int64?] {
    guard isPresent else {
      guard !isPartial else { throw .malformed }
      return Array(repeating: nil, count: count)
    }
    guard isPartial else { return try column(count).map { Optional($0) } }
    var presence: [Bool] = []
    for _ in 0..<(count + 7) / 8 {
      let next = try byte()
      for bit in 0..<8 { presence.append(next >> bit & 1 == 1) }
    }
    guard !presence[count...].contains(true) else { throw .malformed }
    var values = try column(presence.count { $0 }).makeIterator()
    return presence[..<count].map { $0 ? values.next() : nil }
  }
}

extension UInt64 {
  /// Encodes 0, -1, 1, -2 … as 0, 1, 2, 3 …, so that small numbers of either sign are short.
  init(zigzag value: Int64) { self.init(bitPattern: (value << 1) ^ (value >> 63)) }
}

extension Int64 {
  /// Decodes a number encoded by `UInt64(zigzag:)`.
  init(zigzag value: UInt64) {
    self = Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}
