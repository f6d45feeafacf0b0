/// The header of an entry of a tar archive: a block of 512 bytes before the contents.
///
/// - Source: POSIX.1-2017, pax, "ustar Interchange Format"; the GNU tar manual, "Basic Tar Format",
///   for the types `L`, `K` and `S`, the older magic and binary numbers. `TarHeader` of StoreLock
///   is stricter: it accepts only what Roqua writes.
struct TarEntry: Hashable {
  /// What an entry is.
  enum Kind: Hashable {
    case file
    /// A folder, a link or a device: it has no contents.
    case other
    /// Contents that are no file: the rest of a file of another volume, the list of a folder.
    case skipped
    /// A file of which only parts are stored.
    case sparse
    /// The name of the next entry, longer than a header has room for.
    case longName
    /// Records about the next entry.
    case records
    /// What else describes entries, and is of no use here: records about all of them, the long
    /// target of a link.
    case description
  }

  /// What the entry is.
  let kind: Kind
  /// The name, as in the header.
  let name: String
  /// The number of bytes of the contents, which are filled up to whole blocks.
  let byteCount: Int
  /// Whether a block that says which parts of a sparse file are stored follows.
  let hasMap: Bool

  /// The number of bytes of a block.
  static let blockBytes = 512

  /// The number of bytes that fill the last block of contents.
  static func paddingBytes(after count: Int) -> Int {
    (blockBytes - count % blockBytes) % blockBytes
  }

  /// Whether a block of the map of a sparse file is followed by another one.
  static func isMapContinued(_ block: [UInt8]) -> Bool { block.count > 504 && block[504] != 0 }

  /// Reads a block; nil if it is not a header: the magic is missing, the checksum does not fit, or
  /// the size is not a number. GNU tar writes no magic for labels and for what continues a volume.
  init?(_ block: some RandomAccessCollection<UInt8>) {
    let bytes = Array(block.prefix(Self.blockBytes))
    guard bytes.count == Self.blockBytes,
      Self.hasMagic(bytes) || bytes[156] == UInt8(ascii: "V") || bytes[156] == UInt8(ascii: "M"),
      let sum = Self.octal(bytes[148..<156]), Self.checksums(of: bytes).contains(sum),
      let size = Self.number(bytes[124..<136])
    else { return nil }
    let name = Self.text(bytes[0..<100])
    // POSIX has the first part of a long name at the end of the header, GNU has times there.
    let prefix = bytes[262] == 0 ? Self.text(bytes[345..<500]) : ""
    self.name = prefix.isEmpty ? name : "\(prefix)/\(name)"
    kind =
      switch bytes[156] {
      case 0x31...0x36: .other
      case UInt8(ascii: "L"): .longName
      case UInt8(ascii: "x"), UInt8(ascii: "X"): .records
      case UInt8(ascii: "K"), UInt8(ascii: "g"): .description
      case UInt8(ascii: "S"): .sparse
      case UInt8(ascii: "D"), UInt8(ascii: "M"), UInt8(ascii: "N"), UInt8(ascii: "V"): .skipped
      // POSIX says to treat unknown types as files.
      default: .file
      }
    byteCount = kind == .other ? 0 : size
    hasMap = kind == .sparse && bytes[482] != 0
  }

  /// Whether a block has the signature of a header, which may be damaged otherwise.
  static func hasMagic(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 262 && bytes[257..<262].elementsEqual("ustar".utf8)
  }

  /// The sum of the bytes, with spaces for the checksum itself, of bytes without and with a sign:
  /// old programs wrote the latter.
  private static func checksums(of block: [UInt8]) -> [Int] {
    var (plain, signed) = (0, 0)
    for (index, byte) in block.enumerated() {
      let byte = (148..<156).contains(index) ? 0x20 : byte
      plain += Int(byte)
      signed += Int(Int8(bitPattern: byte))
    }
    return [plain, signed]
  }

  /// The text before the first zero byte.
  static func text(_ field: ArraySlice<UInt8>) -> String {
    String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// A size: octal digits, or from 8 GiB on the lower bits of a binary number. A blank is zero, as
  /// in other programs.
  private static func number(_ field: ArraySlice<UInt8>) -> Int? {
    guard let first = field.first else { return nil }
    guard first & 0x80 != 0 else {
      return field.allSatisfy { $0 == 0 || $0 == 0x20 } ? 0 : octal(field)
    }
    // Negative numbers, and those beyond 63 bits, are not sizes.
    guard first == 0x80, field.dropFirst().prefix(3).allSatisfy({ $0 == 0 }) else { return nil }
    return Int(exactly: field.dropFirst(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// Octal digits between blanks, up to a zero or a space; nil for anything else.
  private static func octal(_ field: ArraySlice<UInt8>) -> Int? {
    let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0 && $0 != 0x20 }
    guard (1...12).contains(digits.count), digits.allSatisfy({ (0x30...0x37).contains($0) }) else {
      return nil
    }
    return digits.reduce(0) { $0 << 3 | Int($1 - 0x30) }
  }
}
