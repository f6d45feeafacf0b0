/// Decodes the names of zip members.
enum ZipName {
  /// Bytes 128 to 255 of code page 437, the default encoding of names.
  private static let upperHalf = Array(
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌"
      + "▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}")

  /// A member's name as text, from the bytes in its header.
  ///
  /// UTF-8 if the header or an Info-ZIP field (number 0x7075) says so, or if the bytes are valid
  /// UTF-8, because many programs set no flag. Otherwise code page 437.
  static func text(_ bytes: [UInt8], isUTF8: Bool, extra: [UInt8]) -> String {
    if isUTF8 { return String(decoding: bytes, as: UTF8.self) }
    if let field = ZipHeader.field(0x7075, in: extra).map(Array.init), field.count > 5,
      field[0] == 1, field.number(at: 1, count: 4) == UInt64(checksum(of: bytes)),
      let name = String(validating: field[5...], as: UTF8.self)
    {
      return name
    }
    if let name = String(validating: bytes, as: UTF8.self) { return name }
    return String(
      bytes.map { $0 < 0x80 ? Character(UnicodeScalar($0)) : upperHalf[Int($0) - 0x80] })
  }

  private static func checksum(of bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBytes { CRC32.continued(0, with: $0) }
  }
}
