import ByteStreams

/// The first half of the SHA-256 of a piece's rows. Two pieces with the same digest are taken to be
/// equal; that two different ones are is as likely as one in 2^128.
struct PieceDigest: Hashable, Sendable {
  let high: UInt64
  let low: UInt64

  init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  init(of bytes: [UInt8]) {
    let digest = SHA256.digest(of: bytes)
    high = digest[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
    low = digest[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The digest as text of the type `uuid`: 32 hexadecimal digits with or without hyphens.
  init?(uuid: String) {
    let digits = uuid.filter { $0 != "-" }
    guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }

  /// The 16 bytes.
  var bytes: [UInt8] {
    [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
  }
}
