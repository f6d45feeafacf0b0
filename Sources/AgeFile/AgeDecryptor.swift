/// Decrypts a file that is read in pieces, in memory of fixed size except for the header.
///
/// ```swift
/// let identity = try AgeIdentity("AGE-SECRET-KEY-1…")
/// var plain: [UInt8] = []
/// let decryptor = AgeDecryptor(with: [identity])
/// try bytes.withUnsafeBytes { try decryptor.append($0) { plain += $0 } }
/// try decryptor.finish { plain += $0 }
/// ```
///
/// The sinks receive only bytes that were encrypted by someone who knew a recipient or the
/// passphrase, and in their order. Whether they are all is known when ``finish(to:)`` returns.
/// Until then, do nothing with them that cannot be undone. Not `Sendable`.
package final class AgeDecryptor {
  private let identities: [AgeIdentity]
  private let passphrases: [AgePassphrase]
  private var parser = AgeHeaderParser()
  /// The file key, when the header is complete.
  private var fileKey: [UInt8]?
  private var nonce: [UInt8] = []
  /// The payload, when the nonce is complete.
  private var payload: PayloadDecryptor?
  /// Why nothing more can be decrypted.
  private var failure: (any Error)?

  /// A decryptor that tries identities and passphrases.
  package init(with identities: [AgeIdentity], passphrases: [AgePassphrase] = []) {
    (self.identities, self.passphrases) = (identities, passphrases)
  }

  /// Decrypts the next bytes.
  ///
  /// - Parameter sink: receives decrypted bytes in pieces of at most 64 KiB, valid during its call.
  /// - Throws: ``AgeError``, and what the sink throws; every later call throws it again.
  package func append(
    _ bytes: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try failing {
      var rest = bytes
      while !rest.isEmpty {
        if let payload { return try payload.append(rest, to: sink) }
        let count = try fileKey.map { appendNonce(rest, fileKey: $0) } ?? appendHeader(rest)
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }

  /// Decrypts the end, and checks that it is the end.
  ///
  /// - Throws: ``AgeError``, and what the sink throws.
  package func finish(to sink: (UnsafeRawBufferPointer) throws -> Void) throws {
    try failing {
      if let payload { return try payload.finish(to: sink) }
      throw fileKey == nil ? parser.unexpectedEnd() : .truncated(.header)
    }
  }

  /// Returns how many of the bytes belong to the header.
  private func appendHeader(_ bytes: UnsafeRawBufferPointer) throws(AgeError) -> Int {
    let (header, count) = try parser.append(bytes)
    fileKey = try header?.fileKey(for: identities, passphrases)
    return count
  }

  /// Returns how many of the bytes belong to the nonce.
  private func appendNonce(_ bytes: UnsafeRawBufferPointer, fileKey: [UInt8]) -> Int {
    let count = min(ChunkCipher.nonceBytes - nonce.count, bytes.count)
    nonce += bytes[..<count]
    if nonce.count == ChunkCipher.nonceBytes {
      payload = PayloadDecryptor(ChunkCipher(fileKey: fileKey, nonce: nonce))
    }
    return count
  }

  private func failing(_ body: () throws -> Void) throws {
    if let failure { throw failure }
    do {
      try body()
    } catch {
      failure = error
      throw error
    }
  }
}
