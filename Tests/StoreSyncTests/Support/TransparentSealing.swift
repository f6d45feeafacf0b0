import AgeFile
import ByteStreams
import StoreSync

/// Encryption that hides nothing, for tests of everything else: the bytes follow the list of
/// recipients. A public key is its secret with every bit changed.
struct TransparentSealing: Sealing {
  private static let mark = Array("not encrypted".utf8)

  func publicKey(of secret: SecretKey) -> PublicKey {
    guard let key = PublicKey(bytes: secret.bytes.map { ~$0 }) else {
      preconditionFailure("32 bytes")
    }
    return key
  }

  func seal(_ bytes: [UInt8], to recipients: [PublicKey]) throws(AgeError) -> [UInt8] {
    guard !recipients.isEmpty else { throw .noRecipients }
    return Self.mark + [UInt8(recipients.count)] + recipients.flatMap(\.bytes) + bytes
  }

  func open(_ bytes: [UInt8], with secrets: [SecretKey]) throws(AgeError) -> [UInt8] {
    guard bytes.starts(with: Self.mark), bytes.count > Self.mark.count else {
      throw .notAnAgeFile
    }
    let start = Self.mark.count + 1
    let end = start + 32 * Int(bytes[Self.mark.count])
    guard bytes.count >= end else { throw .truncated(.header) }
    let recipients = stride(from: start, to: end, by: 32).map { Array(bytes[$0..<($0 + 32)]) }
    guard secrets.contains(where: { recipients.contains(publicKey(of: $0).bytes) }) else {
      throw .noIdentityMatches
    }
    return Array(bytes[end...])
  }

  /// The smaller public key and the larger one, mixed. Unlike the real one, everybody can compute
  /// it; tests of forgeries use the functions as somebody would who has only their own secrets.
  func sharedSecret(_ secret: SecretKey, with key: PublicKey) throws(AgeError) -> [UInt8] {
    guard key.bytes.contains(where: { $0 != 0 }) else { throw .recipientUnusable }
    let keys = [publicKey(of: secret), key].sorted()
    return HMACSHA256.code(for: keys[0].bytes, key: keys[1].bytes)
  }
}
