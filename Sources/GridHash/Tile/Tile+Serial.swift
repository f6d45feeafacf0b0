extension Tile {
  /// The tile as bytes, for a store with one blob per tile: the bits (9 to 513 bytes) and a CRC-32C
  /// of them (4 bytes). `docs/formats/coverage.md` describes the layout.
  ///
  /// Equal tiles give equal bytes.
  package func serialized() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(192)
    withWords { TileCodec.append($0, to: &bytes) }
    let checksum = CRC32C.checksum(bytes).littleEndian
    withUnsafeBytes(of: checksum) { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// The tile's bits as bytes, 9 to 513 of them, without a checksum: for a file that has one of its
  /// own. `docs/formats/coverage.md` describes the layout.
  package var rowBytes: [UInt8] {
    var bytes: [UInt8] = []
    withWords { TileCodec.append($0, to: &bytes) }
    return bytes
  }

  /// Reads a tile written by ``serialized()``.
  ///
  /// - Throws: ``CoverageFormatError`` if the bytes are truncated, changed, or followed by others.
  package init(serialized bytes: UnsafeRawBufferPointer) throws(CoverageFormatError) {
    guard bytes.count >= 1 + 4 else { throw .truncated }
    let body = UnsafeRawBufferPointer(rebasing: bytes.dropLast(4))
    var checksum = CRC32C()
    checksum.update(body)
    // Sound: `body` is all but the last four bytes.
    let stored = bytes.loadUnaligned(fromByteOffset: body.count, as: UInt32.self)
    guard UInt32(littleEndian: stored) == checksum.value else { throw .checksumMismatch }
    self.init()
    var offset = 0
    try words.withUnsafeMutableBufferPointer { buffer throws(CoverageFormatError) in
      guard let words = buffer.baseAddress else { return }
      try TileCodec.read(body, at: &offset, into: words)
    }
    guard offset == body.count else { throw .malformed(offset: offset) }
  }

  /// Reads a tile written by ``serialized()``.
  ///
  /// - Throws: ``CoverageFormatError`` if the bytes are truncated, changed, or followed by others.
  package init(serialized bytes: [UInt8]) throws(CoverageFormatError) {
    let result = bytes.withUnsafeBytes { raw in
      Result { () throws(CoverageFormatError) in try Tile(serialized: raw) }
    }
    self = try result.get()
  }
}
