/// Encrypts a payload that arrives in pieces. Memory: two chunks.
///
/// A chunk is encrypted when a byte after it has arrived, because the last one is marked.
final class PayloadEncryptor {
  private var cipher: ChunkCipher
  /// The contents of the chunk that is not complete, or that may be the last.
  private var pending: [UInt8] = []
  /// Allocated in `init` and freed in `deinit`; sinks only see it during a call.
  private let chunk: UnsafeMutableRawBufferPointer

  init(_ cipher: ChunkCipher) {
    self.cipher = cipher
    pending.reserveCapacity(ChunkCipher.contentBytes)
    // Sound: freed in `deinit`.
    chunk = .allocate(byteCount: ChunkCipher.chunkBytes, alignment: 16)
  }

  deinit { chunk.deallocate() }

  /// Encrypts the next bytes.
  func append(_ bytes: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) throws -> Void)
    throws
  {
    var rest = bytes
    while !rest.isEmpty {
      if pending.count == ChunkCipher.contentBytes {
        try pending.withUnsafeBytes { try seal($0, isLast: false, to: sink) }
        pending.removeAll(keepingCapacity: true)
      }
      if pending.isEmpty, rest.count > ChunkCipher.contentBytes {
        let contents = UnsafeRawBufferPointer(rebasing: rest[..<ChunkCipher.contentBytes])
        try seal(contents, isLast: false, to: sink)
        rest = UnsafeRawBufferPointer(rebasing: rest[ChunkCipher.contentBytes...])
      } else {
        let taken = min(ChunkCipher.contentBytes - pending.count, rest.count)
        pending.append(contentsOf: rest[..<taken])
        rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
      }
    }
  }

  /// Encrypts the last chunk.
  func finish(to sink: (UnsafeRawBufferPointer) throws -> Void) throws {
    try pending.withUnsafeBytes { try seal($0, isLast: true, to: sink) }
    pending = []
  }

  private func seal(
    _ contents: UnsafeRawBufferPointer, isLast: Bool,
    to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let sealed = UnsafeMutableRawBufferPointer(
      rebasing: chunk[..<(contents.count + Primitives.tagBytes)])
    try cipher.seal(contents, isLast: isLast, into: sealed)
    try sink(UnsafeRawBufferPointer(sealed))
  }
}
