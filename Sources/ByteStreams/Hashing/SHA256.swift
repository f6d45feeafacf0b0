/// Computes the SHA-256 digest of bytes that arrive in pieces.
///
/// Not public, since an app that uses CryptoKit already has a type of that name.
///
/// - Complexity: O(bytes); state of fixed size.
/// - Source: FIPS 180-4, sections 4.1.2, 4.2.2, 5.1.1, 5.3.3 and 6.2.
package struct SHA256: Sendable {
  /// The hash value so far (H in the standard).
  var state: SIMD8<UInt32> = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]
  /// The bytes of the incomplete block.
  private var partial: [UInt8] = []
  /// The number of bytes hashed.
  private var byteCount: UInt64 = 0

  /// The number of bytes of a block.
  private static let blockSize = 64

  /// Creates a digest of no bytes.
  package init() { partial.reserveCapacity(2 * Self.blockSize) }

  /// Hashes the next bytes.
  ///
  /// Sound: `position` plus `whole` is at most the count, and no pointer is kept.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    byteCount &+= UInt64(bytes.count)
    var position = 0
    if !partial.isEmpty {
      position = min(Self.blockSize - partial.count, bytes.count)
      partial.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[..<position]))
      guard partial.count == Self.blockSize else { return }
      let block = partial
      block.withUnsafeBytes { compress($0) }
      partial.removeAll(keepingCapacity: true)
    }
    let whole = (bytes.count - position) / Self.blockSize * Self.blockSize
    compress(UnsafeRawBufferPointer(start: start + position, count: whole))
    partial.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[(position + whole)...]))
  }

  /// The 32 bytes of the digest so far. More bytes may follow.
  package func finalize() -> [UInt8] {
    var copy = self
    var tail = partial
    tail.append(0x80)
    while tail.count % Self.blockSize != 56 { tail.append(0) }
    for shift in stride(from: 56, through: 0, by: -8) {
      tail.append(UInt8(truncatingIfNeeded: (byteCount &* 8) >> UInt64(shift)))
    }
    tail.withUnsafeBytes { copy.compress($0) }
    return (0..<8).flatMap { index in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: copy.state[index] >> UInt32($0)) }
    }
  }

  /// The digest in 64 lowercase hexadecimal digits.
  package func finalizeHexadecimal() -> String { Hexadecimal.text(finalize()) }

  /// The digest of these bytes in 64 lowercase hexadecimal digits.
  package static func hexadecimal(of bytes: some Sequence<UInt8>) -> String {
    var hash = SHA256()
    Array(bytes).withUnsafeBytes { hash.update($0) }
    return hash.finalizeHexadecimal()
  }
}
