import ByteStreams

/// Detects the files of Fog of World's `Sync` folder, which have no signature and scrambled names:
/// a zlib stream of 128 × 128 numbers of 16 bits, each 0 or the number of a block, and the blocks.
enum FogOfWorldSniffer {
  private static let blocks = 128 * 128

  /// Whether bytes that are no complete table may be a damaged tile, because the name is that of
  /// one.
  static func isClaimedTile(_ bytes: UnsafeRawBufferPointer, path: String) -> Bool {
    bytes.count >= 2 && ZlibHead.isHeader(bytes[0], bytes[1])
      && FogOfWorldName(path: path)?.isCertain == true
  }

  /// Whether the numbers at the beginning are those of blocks: each from 1 to their count once.
  static func isTile(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 2, ZlibHead.isHeader(bytes[0], bytes[1]),
      let head = ZlibHead.expand(bytes, atMost: 2 * blocks + 1), head.count > 2 * blocks
    else { return false }
    var numbers: Set<Int> = []
    for place in 0..<blocks {
      let number = Int(head[2 * place]) + 256 * Int(head[2 * place + 1])
      if number != 0, !numbers.insert(number).inserted { return false }
    }
    return !numbers.isEmpty && numbers.max() == numbers.count
  }
}
