/// The few functions of cryptography that the format needs and that this package does not
/// implement.
///
/// They come from libsodium where the package trait `Sync` is enabled, and from CryptoKit on
/// Apple's platforms. `Primitives+Sodium.swift` and `Primitives+CryptoKit.swift` are the only files
/// that know which. Without either, `Primitives+Unavailable.swift` throws.
enum Primitives {
  /// The number of bytes of a key of X25519 or ChaCha20-Poly1305.
  static let keyBytes = 32
  /// The number of bytes of a nonce of ChaCha20-Poly1305 (IETF).
  static let nonceBytes = 12
  /// The number of bytes of the authentication tag of ChaCha20-Poly1305.
  static let tagBytes = 16

  /// Encrypts a short message with the zero nonce, as age wraps file keys.
  static func seal(_ message: [UInt8], key: [UInt8]) throws(AgeError) -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: message.count + tagBytes)
    let nonce = [UInt8](repeating: 0, count: nonceBytes)
    var failure: AgeError?
    sealed.withUnsafeMutableBytes { sealed in
      message.withUnsafeBytes { message in
        do throws(AgeError) {
          try seal(message, key: key, nonce: nonce, into: sealed)
        } catch {
          failure = error
        }
      }
    }
    if let failure { throw failure }
    return sealed
  }

  /// Decrypts a short message with the zero nonce; nil if it was not encrypted with this key.
  static func open(_ sealed: [UInt8], key: [UInt8]) throws(AgeError) -> [UInt8]? {
    guard sealed.count >= tagBytes else { return nil }
    var message = [UInt8](repeating: 0, count: sealed.count - tagBytes)
    let nonce = [UInt8](repeating: 0, count: nonceBytes)
    var result: Result<Bool, AgeError> = .success(false)
    message.withUnsafeMutableBytes { message in
      sealed.withUnsafeBytes { sealed in
        do throws(AgeError) {
          result = .success(try open(sealed, key: key, nonce: nonce, into: message))
        } catch {
          result = .failure(error)
        }
      }
    }
    return try result.get() ? message : nil
  }
}
