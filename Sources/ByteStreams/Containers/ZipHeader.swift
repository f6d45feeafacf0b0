/// The fields of a zip archive's headers that the reader needs, little-endian.
///
/// - Source: PKWARE's APPNOTE.TXT 6.3.10, sections 4.3.7 (local), 4.3.12 (central), 4.3.14 to
///   4.3.16 (end), 4.5.3 (zip64).
struct ZipHeader {
  /// The first four bytes of a header.
  enum Signature {
    static let local: UInt64 = 0x0403_4B50
    static let descriptor: UInt64 = 0x0807_4B50
    static let central: UInt64 = 0x0201_4B50
    static let digital: UInt64 = 0x0505_4B50
    static let extraData: UInt64 = 0x0806_4B50
    static let end: UInt64 = 0x0605_4B50
    static let zip64End: UInt64 = 0x0606_4B50
    static let zip64Locator: UInt64 = 0x0706_4B50
  }

  /// The lengths of the fixed parts of headers.
  static let localBytes = 30
  static let centralBytes = 46
  static let endBytes = 22
  static let zip64LocatorBytes = 20
  static let zip64EndBytes = 56

  var flags: UInt16
  var method: UInt16
  var crc: UInt32
  var compressed: UInt64
  var expanded: UInt64
  var nameBytes: Int
  var extraBytes: Int
  var commentBytes = 0
  var disk: UInt64 = 0
  var offset: UInt64 = 0

  /// The fixed part of a local header, ``localBytes`` long.
  init(local bytes: [UInt8]) {
    flags = UInt16(bytes.number(at: 6, count: 2))
    method = UInt16(bytes.number(at: 8, count: 2))
    crc = UInt32(bytes.number(at: 14, count: 4))
    compressed = bytes.number(at: 18, count: 4)
    expanded = bytes.number(at: 22, count: 4)
    nameBytes = Int(bytes.number(at: 26, count: 2))
    extraBytes = Int(bytes.number(at: 28, count: 2))
  }

  /// The fixed part of a header of the central directory, ``centralBytes`` long.
  init(central bytes: [UInt8]) {
    flags = UInt16(bytes.number(at: 8, count: 2))
    method = UInt16(bytes.number(at: 10, count: 2))
    crc = UInt32(bytes.number(at: 16, count: 4))
    compressed = bytes.number(at: 20, count: 4)
    expanded = bytes.number(at: 24, count: 4)
    nameBytes = Int(bytes.number(at: 28, count: 2))
    extraBytes = Int(bytes.number(at: 30, count: 2))
    commentBytes = Int(bytes.number(at: 32, count: 2))
    disk = bytes.number(at: 34, count: 2)
    offset = bytes.number(at: 42, count: 4)
  }

  /// True if the member is encrypted.
  var isEncrypted: Bool { flags & 1 != 0 }
  /// True if checksum and sizes follow the member's bytes.
  var hasDescriptor: Bool { flags & 8 != 0 }
  /// True if its name is marked as UTF-8.
  var hasUTF8Name: Bool { flags & 0x800 != 0 }

  /// Takes the numbers that do not fit the header from its zip64 extra field, which holds those
  /// that are all ones in the header, in this order.
  mutating func takeZip64(from extra: [UInt8]) {
    guard let field = Self.field(1, in: extra) else { return }
    var at = field.startIndex
    func next(_ count: Int) -> UInt64? {
      guard at + count <= field.endIndex else { return nil }
      defer { at += count }
      return Array(field).number(at: at - field.startIndex, count: count)
    }
    if expanded == 0xFFFF_FFFF { expanded = next(8) ?? expanded }
    if compressed == 0xFFFF_FFFF { compressed = next(8) ?? compressed }
    if offset == 0xFFFF_FFFF { offset = next(8) ?? offset }
    if disk == 0xFFFF { disk = next(4) ?? disk }
  }

  /// The contents of an extra field. Each field is a number, a length and that many bytes.
  static func field(_ number: UInt64, in extra: [UInt8]) -> ArraySlice<UInt8>? {
    var at = 0
    while at + 4 <= extra.count {
      let count = Int(extra.number(at: at + 2, count: 2))
      guard at + 4 + count <= extra.count else { return nil }
      if extra.number(at: at, count: 2) == number { return extra[(at + 4)..<(at + 4 + count)] }
      at += 4 + count
    }
    return nil
  }
}

extension [UInt8] {
  /// The little-endian integer of `count` bytes at `index`. The bytes must exist.
  func number(at index: Int, count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 | UInt64(self[index + $1]) << UInt64(8 * $1) }
  }
}
