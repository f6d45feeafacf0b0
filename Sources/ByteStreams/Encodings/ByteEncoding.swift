/// The encoding of text, as precisely as needed for finding ASCII characters in it.
package enum ByteEncoding: Hashable, Sendable {
  /// UTF-8: passed through; the reader of the text checks its validity.
  case utf8
  /// An encoding in which the bytes of digits, `<`, `>`, `&` and quotes always represent those
  /// characters: ISO-8859, windows-125x, Shift_JIS, GBK, EUC and similar ones. Passed through.
  case asciiCompatible
  /// UTF-16 in one byte order.
  case utf16(bigEndian: Bool)
  /// UTF-32 in one byte order.
  case utf32(bigEndian: Bool)
  /// An encoding that the C library converts, by its name there: ISO-2022, UTF-7, HZ and other rare
  /// ones.
  case converted(String)
}

extension ByteEncoding {
  /// The interpretation of the encoding name in an XML declaration, for bytes that were ASCII so
  /// far.
  package enum Declared: Equatable {
    /// Continue in this encoding.
    case use(ByteEncoding)
    /// The bytes contradict the name (UTF-16 declared in a file of single bytes): read as UTF-8.
    case contradicted
    /// An unknown name: read as ASCII, bytes above 0x7F are passed through.
    case unknown
  }

  /// Prefixes of the names (letters and digits only, lowercase) of encodings that pass through.
  private static let asciiCompatiblePrefixes = [
    "iso8859", "latin", "windows12", "windows874", "windows31j", "cp12", "cp437", "cp85", "cp86",
    "cp87",
    "cp93",
    "cp94", "cp95", "ibm437", "ibm85", "ibm86", "koi8", "usascii", "ascii", "ansix34", "shiftjis",
    "sjis",
    "mskanji", "gb2312", "gbk", "gb18030", "big5", "euc", "macintosh", "macroman", "xmac", "tis620",
    "ksc56",
    "ks_c", "l1",
  ]
  private static let wideNames = [
    "utf16", "utf32", "ucs2", "ucs4", "iso10646", "unicode", "ebcdic", "ibm0", "ibm1", "cp037",
  ]

  /// Returns how to read the rest of a text that declares the encoding `name`. Ignores ASCII case
  /// and punctuation.
  package static func declared(_ name: String) -> Declared {
    let key = String(decoding: name.utf8.compactMap(letterOrDigit), as: UTF8.self)
    if key == "utf8" { return .use(.utf8) }
    if wideNames.contains(where: key.hasPrefix) { return .contradicted }
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
