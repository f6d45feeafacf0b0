/// Files in the age format, version 1, in memory.
///
/// - Source: C2SP age v1.
package enum Age {
  /// Whether this program can encrypt and decrypt: on Linux, whether it was built with libsodium.
  package static var isAvailable: Bool { Primitives.isAvailable }

  /// Encrypts bytes for recipients, any of whom can read them.
  ///
  /// - Throws: ``AgeError``: no recipients, one whose key is weak, or no cryptography.
  package static func encrypt(_ bytes: [UInt8], to recipients: [AgeRecipient]) throws(AgeError)
    -> [UInt8]
  {
    try encrypt(bytes, AgeEncryptor(to: recipients))
  }

  /// Encrypts bytes so that a passphrase opens them.
  ///
  /// - Throws: ``AgeError``: no cryptography, no scrypt, or not enough memory.
  package static func encrypt(
    _ bytes: [UInt8], with passphrase: AgePassphrase,
    workFactor: Int = AgePassphrase.defaultWorkFactor
  ) throws(AgeError) -> [UInt8] {
    try encrypt(bytes, AgeEncryptor(with: passphrase, workFactor: workFactor))
  }

  /// Decrypts a whole file.
  ///
  /// - Throws: ``AgeError``. Nothing is returned of a file that is damaged or cut off.
  package static func decrypt(
    _ file: [UInt8], with identities: [AgeIdentity], passphrases: [AgePassphrase] = []
  ) throws(AgeError) -> [UInt8] {
    let decryptor = AgeDecryptor(with: identities, passphrases: passphrases)
    var result: [UInt8] = []
    result.reserveCapacity(file.count)
    try ageErrors {
      try file.withUnsafeBytes { try decryptor.append($0) { result.append(contentsOf: $0) } }
      try decryptor.finish { result.append(contentsOf: $0) }
    }
    return result
  }

  private static func encrypt(_ bytes: [UInt8], _ encryptor: AgeEncryptor) throws(AgeError)
    -> [UInt8]
  {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 4096 + 1024)
    try ageErrors {
      try bytes.withUnsafeBytes { try encryptor.append($0) { result.append(contentsOf: $0) } }
      try encryptor.finish { result.append(contentsOf: $0) }
    }
    return result
  }

  /// Runs a body that throws only ``AgeError``, because its sinks do not throw.
  private static func ageErrors(_ body: () throws -> Void) throws(AgeError) {
    do {
      try body()
    } catch let error as AgeError {
      throw error
    } catch {
      preconditionFailure("only AgeError is thrown here: \(error)")
    }
  }
}
