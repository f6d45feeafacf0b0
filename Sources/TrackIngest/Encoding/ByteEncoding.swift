/// How the characters of a text lie in its bytes, as far as finding ASCII text in them asks.
enum ByteEncoding: Hashable, Sendable {
  /// UTF-8: passed through, its validity checked by the decoder.
  case utf8
  /// An encoding whose bytes below 0x80 that matter (digits, `<`, `>`, `&`, quotes) always are those characters:
  /// ISO-8859, windows-125x, Shift_JIS, GBK, EUC and their like. Passed through.
  case asciiCompatible
  /// UTF-16 in one byte order.
  case utf16(bigEndian: Bool)
  /// UTF-32 in one byte order.
  case utf32(bigEndian: Bool)
  /// One that the C library converts, by the name it knows it by: ISO-2022, UTF-7, HZ and whatever is rare.
  case converted(String)
}

extension ByteEncoding {
  /// What the name in an XML declaration asks of bytes that have been readable as ASCII up to there.
  enum Declared: Equatable {
    /// Read on in this encoding.
    case use(ByteEncoding)
    /// The bytes belie the name (UTF-16 declared in a file of single bytes): read as UTF-8.
    case belied
    /// Nobody knows the name: read as ASCII and what lies above it left alone.
    case unknown
  }

  /// Names (letters and digits only, lower case) whose bytes pass through. A name with one of these in front counts.
  private static let asciiCompatiblePrefixes = [
    "iso8859", "latin", "windows12", "windows874", "windows31j", "cp12", "cp437", "cp85", "cp86", "cp87",
    "cp93",
    "cp94", "cp95", "ibm437", "ibm85", "ibm86", "koi8", "usascii", "ascii", "ansix34", "shiftjis", "sjis",
    "mskanji", "gb2312", "gbk", "gb18030", "big5", "euc", "macintosh", "macroman", "xmac", "tis620", "ksc56",
    "ks_c", "l1",
  ]
  private static let wideNames = [
    "utf16", "utf32", "ucs2", "ucs4", "iso10646", "unicode", "ebcdic", "ibm0", "ibm1", "cp037",
  ]

  /// What to do with the rest of a text whose declaration names `name`. ASCII case and punctuation do not count.
  static func declared(_ name: String) -> Declared {
    let key = String(decoding: name.utf8.compactMap(letterOrDigit), as: UTF8.self)
    if key == "utf8" { return .use(.utf8) }
    if wideNames.contains(where: key.hasPrefix) { return .belied }
    if asciiCompatiblePrefixes.contains(where: key.hasPrefix) { return .use(.asciiCompatible) }
    return CharacterConverter(from: name) == nil ? .unknown : .use(.converted(name))
  }

  private static func letterOrDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39, 0x61...0x7A: byte
    case 0x41...0x5A: byte | 0x20
    default: nil
    }
  }
}
