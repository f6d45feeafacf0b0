/// A QR code for a short text, such as a key: versions 1 to 6, error correction level M, which can
/// be read with 15 % of the code damaged.
///
/// Own code, because Debian has no static libqrencode, which the static program would need.
///
/// - Source: ISO/IEC 18004.
struct QRCode: Equatable {
  /// The rows of modules, of which true is dark. Without a margin.
  let modules: [[Bool]]

  /// The codewords of each version: those of a block's data and correction, and the blocks.
  private static let layouts: [(data: Int, correction: Int, blocks: Int)] = [
    (16, 10, 1), (28, 16, 1), (44, 26, 1), (32, 18, 2), (43, 24, 2), (27, 16, 4),
  ]
  /// The characters that need 5.5 bits, by their values.
  private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

  /// Encodes a text; nil if it is too long: over 154 capital letters, digits and "-", or over 106
  /// bytes of UTF-8. A code does not say its encoding, so readers agree on ASCII only.
  init?(_ text: String) {
    for (index, layout) in Self.layouts.enumerated() {
      guard let data = Self.data(text, codewords: layout.data * layout.blocks) else { continue }
      let blocks = (0..<layout.blocks).map {
        Array(data[($0 * layout.data)..<(($0 + 1) * layout.data)])
      }
      let corrections = blocks.map { Self.correction(of: $0, count: layout.correction) }
      // The first codeword of every block, then the second, and so on.
      let codewords =
        (0..<layout.data).flatMap { place in blocks.map { $0[place] } }
        + (0..<layout.correction).flatMap { place in corrections.map { $0[place] } }
      modules = QRCodeGrid.best(version: index + 1, codewords: codewords)
      return
    }
    return nil
  }

  /// The codewords of a text with their padding; nil if they are more than fit.
  private static func data(_ text: String, codewords: Int) -> [UInt8]? {
    var bits: [Bool] = []
    func append(_ value: Int, _ count: Int) {
      for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
    }
    let bytes = Array(text.utf8)
    guard bytes.count < 256 else { return nil }
    let values = bytes.compactMap { alphabet.firstIndex(of: $0) }
    if values.count == bytes.count {
      append(0b0010, 4)
      append(values.count, 9)
      for start in stride(from: 0, to: values.count, by: 2) {
        if start + 1 < values.count {
          append(values[start] * 45 + values[start + 1], 11)
        } else {
          append(values[start], 6)
        }
      }
    } else {
      append(0b0100, 4)
      append(bytes.count, 8)
      for byte in bytes { append(Int(byte), 8) }
    }
    guard bits.count <= codewords * 8 else { return nil }
    append(0, min(4, codewords * 8 - bits.count))
    append(0, (8 - bits.count % 8) % 8)
    var result = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    var padding: UInt8 = 0xec
    while result.count < codewords {
      result.append(padding)
      padding ^= 0xec ^ 0x11
    }
    return result
  }

  /// The remainder of a block's polynomial divided by (x - 1)(x - 2)(x - 4)… over GF(256).
  private static func correction(of block: [UInt8], count: Int) -> [UInt8] {
    var generator: [UInt8] = [1]
    var root: UInt8 = 1
    for _ in 0..<count {
      var next = generator + [0]
      for (index, factor) in generator.enumerated() { next[index + 1] ^= product(factor, root) }
      (generator, root) = (next, product(root, 2))
    }
    var remainder = block + [UInt8](repeating: 0, count: count)
    for start in block.indices {
      let factor = remainder[start]
      for (offset, term) in generator.enumerated() {
        remainder[start + offset] ^= product(term, factor)
      }
    }
    return Array(remainder.suffix(count))
  }

  /// The product in GF(256) with the polynomial 0x11D.
  static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var (result, shifted) = (UInt8(0), left)
    for bit in 0..<8 {
      if right >> UInt8(bit) & 1 == 1 { result ^= shifted }
      shifted = shifted << 1 ^ (shifted & 0x80 != 0 ? 0x1d : 0)
    }
    return result
  }
}
