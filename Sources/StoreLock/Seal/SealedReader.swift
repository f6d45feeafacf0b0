import AgeFile
import ByteStreams

/// Reads an encrypted file, in memory of fixed size.
struct SealedReader {
  /// The file, which is locked.
  let file: HeldFile
  /// Its path, for messages.
  let path: String
  /// What opens it.
  let passphrase: AgePassphrase

  /// Decrypts the file. What the sink receives is whole only when this returns.
  ///
  /// - Returns: the SHA-256 of what was encrypted.
  /// - Throws: ``LockError`` if the file is not one that ``StoreLock`` has written with this
  ///   passphrase, `AgeError` if this program cannot decrypt, and what the sink throws.
  func read(
    progress: (Int) -> Void = { _ in }, to sink: (TarParser.Event) throws -> Void
  ) throws -> [UInt8] {
    let decryptor = AgeDecryptor(with: [], passphrases: [passphrase])
    var (parser, hash, done) = (TarParser(), SHA256(), 0)
    func take(_ bytes: UnsafeRawBufferPointer) throws {
      hash.update(bytes)
      try parser.append(bytes, to: sink)
    }
    do {
      try file.read { bytes in
        try decryptor.append(bytes, to: take)
        done += bytes.count
        progress(done)
      }
      try decryptor.finish(to: take)
      try parser.finish()
    } catch let error as AgeError {
      throw failure(error)
    } catch is TarHeader.Problem {
      throw LockError.damaged(path: path, reason: "it holds no locked store")
    }
    return hash.finalize()
  }

  private func failure(_ error: AgeError) -> any Error {
    switch error {
    case .cryptographyUnavailable, .notEnoughMemory: error
    case .noIdentityMatches: LockError.wrongPassphrase(path: path)
    default: LockError.damaged(path: path, reason: Self.clause("\(error)"))
    }
  }

  /// A sentence as a part of another one.
  static func clause(_ sentence: String) -> String {
    let text = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
