import Geodesy

/// Reads the values of a payload. It never allocates more than the bytes that are there can fill.
package struct PayloadReader {
  private let bytes: [UInt8]
  private let end: Int
  /// The position of the next byte.
  private(set) var offset: Int
  /// The part that is being read, for errors.
  var part: String

  /// Creates a reader at the start of the bytes.
  package init(_ bytes: [UInt8], part: String) {
    (self.bytes, self.part) = (bytes, part)
    (offset, end) = (0, bytes.count)
  }

  private init(_ bytes: [UInt8], _ range: Range<Int>, part: String) {
    (self.bytes, self.part) = (bytes, part)
    (offset, end) = (range.lowerBound, range.upperBound)
  }

  /// The number of bytes that are left.
  var left: Int { end - offset }

  /// The error for a problem at the next byte.
  func error(_ problem: SyncFormatError.Problem) -> SyncFormatError {
    SyncFormatError(problem, in: part, at: offset)
  }

  /// Reads one byte.
  mutating func byte() throws(SyncFormatError) -> UInt8 {
    guard offset < end else { throw error(.endsEarly) }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Reads a byte that is 0 or 1.
  mutating func flag() throws(SyncFormatError) -> Bool {
    let value = try byte()
    guard value < 2 else { throw error(.unknownTag(value)) }
    return value == 1
  }

  /// Reads a LEB128 varint that has no superfluous bytes.
  mutating func varint() throws(SyncFormatError) -> UInt64 {
    var (value, shift) = (UInt64(0), UInt64(0))
    while true {
      let next = try byte()
      if shift == 63, next > 1 { throw error(.outOfRange) }
      value |= UInt64(next & 0x7f) << shift
      if next < 0x80 {
        if next == 0, shift > 0 { throw error(.longNumber) }
        return value
      }
      shift += 7
    }
  }

  /// Reads a zigzag varint.
  mutating func zigzag() throws(SyncFormatError) -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// Reads a number that counts up, so that there is always a next one: below 2⁶².
  mutating func ordinal() throws(SyncFormatError) -> UInt64 {
    let value = try varint()
    guard value < 1 << 62 else { throw error(.outOfRange) }
    return value
  }

  /// Reads a time in milliseconds since 1970, in the years 0 to 9999.
  mutating func time() throws(SyncFormatError) -> Int64 {
    let value = try zigzag()
    guard Timestamp.writable.contains(Timestamp(millisecondsSince1970: value)) else {
      throw error(.outOfRange)
    }
    return value
  }

  /// Reads the number of entries that follow.
  ///
  /// - Parameter smallest: the fewest bytes of an entry.
  /// - Throws: ``SyncFormatError/Problem/endsEarly`` if there are not enough bytes for them.
  mutating func count(ofAtLeast smallest: Int) throws(SyncFormatError) -> Int {
    let value = try varint()
    guard value <= UInt64(left / smallest) else { throw error(.endsEarly) }
    return Int(value)
  }

  /// Reads finite IEEE 754 bits, the low byte first.
  mutating func double() throws(SyncFormatError) -> Double {
    let bits = try raw(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let value = Double(bitPattern: bits)
    guard value.isFinite else { throw error(.outOfRange) }
    return value
  }

  /// Reads `count` bytes.
  mutating func raw(_ count: Int) throws(SyncFormatError) -> ArraySlice<UInt8> {
    guard count <= left else { throw error(.endsEarly) }
    defer { offset += count }
    return bytes[offset..<(offset + count)]
  }

  /// Reads bytes after their number.
  mutating func blob() throws(SyncFormatError) -> [UInt8] {
    Array(try raw(count(ofAtLeast: 1)))
  }

  /// Reads a number of bytes, and returns a reader of the bytes that follow, which it skips.
  mutating func section(_ part: String) throws(SyncFormatError) -> PayloadReader {
    let size = try count(ofAtLeast: 1)
    defer { offset += size }
    return PayloadReader(bytes, offset..<(offset + size), part: part)
  }

  /// Reads a name of 8 bytes.
  mutating func name<Name: EightByteName>(_: Name.Type = Name.self) throws(SyncFormatError) -> Name
  {
    Name(number: try bigEndian())
  }

  /// Reads a name of 16 bytes.
  mutating func name<Name: SixteenByteName>(_: Name.Type = Name.self) throws(SyncFormatError)
    -> Name
  {
    Name(high: try bigEndian(), low: try bigEndian())
  }

  private mutating func bigEndian() throws(SyncFormatError) -> UInt64 {
    guard left >= 8 else { throw error(.endsEarly) }
    var value: UInt64 = 0
    for index in offset..<(offset + 8) { value = value << 8 | UInt64(bytes[index]) }
    offset += 8
    return value
  }

  /// Reads a text after the number of its bytes.
  ///
  /// - Parameters:
  ///   - mostBytes: the longest text.
  ///   - isKey: whether the text is a key: at least one character, all of printable ASCII without
  ///     spaces.
  mutating func text(mostBytes: Int, isKey: Bool = false) throws(SyncFormatError) -> String {
    let raw = try raw(count(ofAtLeast: 1))
    guard raw.count <= mostBytes, let text = String(validating: raw, as: UTF8.self),
      !isKey || !raw.isEmpty && raw.allSatisfy({ (0x21...0x7e).contains($0) })
    else { throw error(.badText) }
    return text
  }

  /// Ends the payload.
  ///
  /// - Throws: ``SyncFormatError/Problem/trailingBytes(_:)`` if anything is left.
  package func finish() throws(SyncFormatError) {
    guard left == 0 else { throw error(.trailingBytes(left)) }
  }
}

/// The longest texts of payloads, in bytes of UTF-8.
package enum TextLimit {
  /// The name of a device that people read.
  package static let displayName = 200
  /// The key of a setting, and the id of an achievement.
  package static let key = 100
  /// The name of a privacy zone.
  package static let zoneName = 1000
}
