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

  /// Encrypts the end. Everything is on disk when this returns, still under the other name.
  ///
  /// - Returns: the SHA-256 of what was encrypted.
  func complete() throws -> [UInt8] {
    try encryptor.finish(to: write)
    do throws(OutputFailure) {
      try output.synchronize()
    } catch {
      throw LockError(error)
    }
    return hash.finalize()
  }

  /// The path of the file until it is placed.
  var partialPath: String { output.partialPath ?? output.target }

  /// Gives the file its name, in place of an older one. It is on disk when this returns.
  func place() throws(LockError) {
    do throws(OutputFailure) {
      try output.finish()
    } catch {
      throw LockError(error)
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws {
    guard !output.write(Array(bytes)) else { return }
    // Throws the reason.
    try place()
  }
}
