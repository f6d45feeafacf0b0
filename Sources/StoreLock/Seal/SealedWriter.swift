import AgeFile
import ByteStreams

/// Writes an encrypted file under another name, in memory of fixed size, and remembers the SHA-256
/// of what it encrypts.
final class SealedWriter {
  private let output: OutputFile
  private let encryptor: AgeEncryptor
  private var hash = SHA256()

  /// Starts the file. Deriving the key takes about a second.
  init(path: String, with passphrase: AgePassphrase, workFactor: Int) throws {
    do throws(OutputFailure) {
      output = try OutputFile(path: path, replacing: true)
    } catch {
      throw LockError(error)
    }
    encryptor = try AgeEncryptor(with: passphrase, workFactor: workFactor)
  }

  /// Encrypts the next bytes.
  func append(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { bytes in
      hash.update(bytes)
      try encryptor.append(bytes, to: write)
    }
  }

  /// Gives the file its name. It is on disk when this returns.
  ///
  /// - Returns: the SHA-256 of what was encrypted.
  func finish(before place: () throws -> Void) throws -> [UInt8] {
    try encryptor.finish(to: write)
    try place()
    try placeFile()
    return hash.finalize()
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws {
    guard !output.write(Array(bytes)) else { return }
    // Throws the reason.
    try placeFile()
  }

  private func placeFile() throws(LockError) {
    do throws(OutputFailure) {
      try output.finish()
    } catch {
      throw LockError(error)
    }
  }
}
