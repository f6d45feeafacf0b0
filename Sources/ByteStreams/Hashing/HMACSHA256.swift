/// Computes the authentication code HMAC-SHA-256 of bytes that arrive in pieces.
///
/// ```swift
/// let code = HMACSHA256.code(for: Array("message".utf8), key: bytes)
/// ```
///
/// - Complexity: O(bytes); state of fixed size.
/// - Source: RFC 2104 and FIPS 198-1.
package struct HMACSHA256: Sendable {
  /// The number of bytes of a code.
  package static let byteCount = 32
  /// The number of bytes of a block of SHA-256.
  private static let blockSize = 64

  private var inner = SHA256()
  private var outer = SHA256()

  /// Creates a code of no bytes.
  ///
  /// - Parameter key: of any length; longer than 64 bytes, its digest is the key.
  package init(key: some Collection<UInt8>) {
    var block = key.count > Self.blockSize ? SHA256.digest(of: Array(key)) : Array(key)
    block += [UInt8](repeating: 0, count: Self.blockSize - block.count)
    inner.update(block.map { $0 ^ 0x36 })
    outer.update(block.map { $0 ^ 0x5c })
  }

  /// Authenticates the next bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) { inner.update(bytes) }

  /// Authenticates the next bytes.
  package mutating func update(_ bytes: [UInt8]) { inner.update(bytes) }

  /// The 32 bytes of the code so far. More bytes may follow.
  package func finalize() -> [UInt8] {
    var result = outer
    result.update(inner.finalize())
    return result.finalize()
  }

  /// The 32 bytes of the code of a message.
  package static func code(for message: [UInt8], key: some Collection<UInt8>) -> [UInt8] {
    var code = HMACSHA256(key: key)
    code.update(message)
    return code.finalize()
  }

  /// Whether two codes are equal. Takes the same time wherever they differ, so that nobody can
  /// guess a code byte by byte.
  package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension SHA256 {
  /// Hashes the next bytes.
  package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  /// The 32 bytes of the digest of these bytes.
  package static func digest(of bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finalize()
  }
}
