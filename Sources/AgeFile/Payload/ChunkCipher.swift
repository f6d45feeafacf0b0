import ByteStreams

/// The cipher of the chunks of a payload: each chunk has a number and says whether it is the last,
/// so that chunks cannot be swapped, left out or cut off unnoticed.
///
/// - Source: C2SP age v1, "Payload".
struct ChunkCipher {
  /// The number of bytes of a chunk's contents; only the last chunk may have fewer.
  static let contentBytes = 64 << 10
  /// The number of bytes of a chunk.
  static let chunkBytes = contentBytes + Primitives.tagBytes
  /// The number of bytes between the header and the first chunk.
  static let nonceBytes = 16

  private let key: [UInt8]
  /// The number of chunks so far. Every file of fewer than 2^80 bytes has fewer than 2^64.
  private(set) var count: UInt64 = 0

  /// The cipher of a file.
  init(fileKey: [UInt8], nonce: [UInt8]) {
    key = HKDFSHA256.key(from: fileKey, salt: nonce, info: Array("payload".utf8))
  }

  /// 11 bytes with the number of the chunk, the highest first, and one byte that marks the last.
  private func nonce(isLast: Bool) -> [UInt8] {
    let number = stride(from: 56, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: count >> UInt64($0))
    }
    return [0, 0, 0] + number + [isLast ? 1 : 0]
  }

  /// Encrypts the next chunk.
  mutating func seal(
    _ contents: UnsafeRawBufferPointer, isLast: Bool, into chunk: UnsafeMutableRawBufferPointer
  ) throws(AgeError) {
    try Primitives.seal(contents, key: key, nonce: nonce(isLast: isLast), into: chunk)
    count += 1
  }

  /// Decrypts the next chunk. Returns false, and stays at this chunk, if it is not intact.
  mutating func open(
    _ chunk: UnsafeRawBufferPointer, isLast: Bool, into contents: UnsafeMutableRawBufferPointer
  ) throws(AgeError) -> Bool {
    let isIntact = try Primitives.open(
      chunk, key: key, nonce: nonce(isLast: isLast), into: contents)
    if isIntact { count += 1 }
    return isIntact
  }
}
