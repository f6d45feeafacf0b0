/// A passphrase that both encrypts and opens a file. Its description does not show it.
///
/// Deriving the key is slow on purpose (scrypt), so that guessing is too.
///
/// - Source: C2SP age v1, "The scrypt recipient type".
package struct AgePassphrase: Sendable {
  private let secret: SecretBytes

  /// The work factor of new files: about a second, and 256 MiB of memory. `age -p` has the same.
  package static let defaultWorkFactor = 18
  /// The work factors of files that are read or written. The highest takes about 15 seconds and
  /// 4 GiB.
  package static let workFactors = 1...22

  /// Creates a passphrase. Text is taken as it is; its UTF-8 bytes are the secret.
  package init(_ text: String) { secret = SecretBytes(Array(text.utf8)) }

  /// Whether it has no characters, so that it protects nothing.
  package var isEmpty: Bool { secret.bytes.isEmpty }

  /// Whether this program can use passphrases: not on Apple's platforms, whose library has no
  /// scrypt.
  package static var areAvailable: Bool { Primitives.hasScrypt }

  /// Derives the key that wraps the file key.
  func wrappingKey(salt: [UInt8], workFactor: Int) throws(AgeError) -> [UInt8] {
    try Primitives.scrypt(
      secret.bytes, salt: Array("age-encryption.org/v1/scrypt".utf8) + salt,
      workFactor: workFactor)
  }
}

extension AgePassphrase: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "passphrase" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
