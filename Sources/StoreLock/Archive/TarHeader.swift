/// The header of a member of a tar archive in the ustar format: a block of 512 bytes before the
/// contents.
///
/// - Source: POSIX.1-2017, pax, "ustar Interchange Format"; sizes from 8 GiB on are binary, as GNU
///   tar and libarchive write them.
struct TarHeader: Hashable {
  /// The name of the member, at most 100 bytes.
  var name: String
  /// The number of bytes of its contents.
  var size: Int
  /// When it was stored, in seconds since 1970.
  var seconds: Int = 0

  /// The number of bytes of a block. Contents are filled up to whole blocks.
  static let blockBytes = 512
  /// The most bytes of a name.
  static let mostNameBytes = 100

  /// The two blocks of zeros at the end of an archive.
  static let end = [UInt8](repeating: 0, count: 2 * blockBytes)

  /// The number of bytes that fill the last block of contents.
  static func paddingBytes(after size: Int) -> Int {
    (blockBytes - size % blockBytes) % blockBytes
  }

  /// Why a block is no header.
  enum Problem: Error, Hashable {
    /// It is not a ustar header, or its checksum does not fit.
    case notAHeader
    /// The member is something else than an ordinary file with a plain name.
    case unsupported
  }

  private enum Field {
    static let name = 0..<100
    static let mode = 100..<108
    static let user = 108..<116
    static let group = 116..<124
    static let size = 124..<136
    static let time = 136..<148
    static let checksum = 148..<156
    static let type = 156
    static let magic = 257..<265
    static let prefix = 345..<500
  }

  private static let magic: [UInt8] = Array("ustar\0".utf8) + Array("00".utf8)
  /// The largest size that eleven octal digits hold.
  private static let largestOctal = 1 << 33 - 1

  /// The block: a file that only its owner may read and write.
  var block: [UInt8] {
    precondition(!name.isEmpty && name.utf8.count <= Self.mostNameBytes && size >= 0)
    var block = [UInt8](repeating: 0, count: Self.blockBytes)
    func set(_ bytes: some Collection<UInt8>, _ field: Range<Int>) {
      block.replaceSubrange(field.lowerBound..<field.lowerBound + bytes.count, with: bytes)
    }
    set(Array(name.utf8), Field.name)
    set(Self.octal(0o600, digits: 7), Field.mode)
    set(Self.octal(0, digits: 7), Field.user)
    set(Self.octal(0, digits: 7), Field.group)
    set(Self.number(size), Field.size)
    set(Self.number(max(0, seconds)), Field.time)
    set([UInt8](repeating: 0x20, count: 8), Field.checksum)
    block[Field.type] = UInt8(ascii: "0")
    set(Self.magic, Field.magic)
    set(Self.octal(Self.checksum(block), digits: 6) + [0, 0x20], Field.checksum)
    return block
  }

  /// Creates a header.
  init(name: String, size: Int, seconds: Int = 0) {
    (self.name, self.size, self.seconds) = (name, size, seconds)
  }

  /// Reads a block.
  init(block: [UInt8]) throws(Problem) {
    guard block.count == Self.blockBytes, Array(block[Field.magic]) == Self.magic,
      let sum = Self.octal(block[Field.checksum]), sum == Self.checksum(block)
    else { throw .notAHeader }
    let name = block[Field.name].prefix { $0 != 0 }
    guard block[Field.type] == UInt8(ascii: "0"), block[Field.prefix].allSatisfy({ $0 == 0 }),
      !name.isEmpty, let text = String(validating: name, as: UTF8.self),
      let size = Self.number(block[Field.size]), let seconds = Self.number(block[Field.time])
    else { throw .unsupported }
    (self.name, self.size, self.seconds) = (text, size, seconds)
  }

  /// The sum of the bytes, with spaces for the checksum itself.
  private static func checksum(_ block: [UInt8]) -> Int {
    block.enumerated().reduce(0) {
      $0 + (Field.checksum.contains($1.offset) ? 0x20 : Int($1.element))
    }
  }

  private static func octal(_ value: Int, digits: Int) -> [UInt8] {
    let text = String(value, radix: 8)
    return Array((String(repeating: "0", count: digits - text.utf8.count) + text).utf8)
  }

  /// A number in twelve bytes.
  private static func number(_ value: Int) -> [UInt8] {
    if value <= largestOctal { return octal(value, digits: 11) + [0] }
    return [0x80, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }

  private static func number(_ field: ArraySlice<UInt8>) -> Int? {
    guard let first = field.first else { return nil }
    guard first == 0x80 else { return octal(field) }
    let value = field.dropFirst(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return field.dropFirst().prefix(3).allSatisfy { $0 == 0 } ? Int(exactly: value) : nil
  }

  /// Octal digits up to a zero or a space; nil for anything else.
  private static func octal(_ field: ArraySlice<UInt8>) -> Int? {
    let digits = field.prefix { $0 != 0 && $0 != 0x20 }
    guard !digits.isEmpty, digits.count <= 11, digits.allSatisfy({ (0x30...0x37).contains($0) })
    else { return nil }
    return digits.reduce(0) { $0 << 3 | Int($1 - 0x30) }
  }
}
