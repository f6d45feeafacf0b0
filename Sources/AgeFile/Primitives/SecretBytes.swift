/// A secret key in memory that is overwritten when it is no longer used. Its description shows
/// nothing of it.
///
/// Copies of a key on the stack and in arrays of short life are not overwritten.
final class SecretBytes: @unchecked Sendable {
  /// Sound: allocated and written in `init` only, freed in `deinit`; so it is immutable while shared
  /// between threads.
  private let storage: UnsafeMutableRawBufferPointer

  /// Copies a secret.
  init(_ bytes: [UInt8]) {
    // Sound: freed in `deinit`.
    storage = .allocate(byteCount: bytes.count, alignment: 16)
    storage.copyBytes(from: bytes)
  }

  deinit {
    Primitives.wipe(storage)
    storage.deallocate()
  }

  /// A copy of the secret.
  var bytes: [UInt8] { Array(storage) }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
  var description: String { "SecretBytes" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
