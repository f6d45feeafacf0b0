/// Base64 with padding (RFC 4648, section 4).
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text of some bytes, as ASCII.
  static func encoded(_ bytes: some RandomAccessCollection<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let end = bytes.index(index, offsetBy: 3, limitedBy: bytes.endIndex) ?? bytes.endIndex
      var word: UInt32 = 0
      for byte in bytes[index..<end] { word = word << 8 | UInt32(byte) }
      let count = bytes.distance(from: index, to: end)
      word <<= UInt32(8 * (3 - count))
      for place in 0..<4 {
        text.append(
          place <= count ? alphabet[Int(word >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
      }
      index = end
    }
    return text
  }
}
