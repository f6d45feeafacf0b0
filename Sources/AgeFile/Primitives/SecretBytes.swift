/// A secret key in memory that is overwritten when it is no longer used. Its description shows
/// nothing of it.
///
/// Copies of a key on the stack and in arrays of short life are not overwritten.
///
/// Sharing it between threads is sound, because its memory does not change between `init` and
/// `deinit`.
final class SecretBytes: @unchecked Sendable {
  /// Allocated and written in `init`, freed in `deinit`.
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
