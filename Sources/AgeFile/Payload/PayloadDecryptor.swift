/// Decrypts a payload that arrives in pieces. Memory: two chunks.
///
/// Only contents of intact chunks are given out. Whether they are all is known at the end.
final class PayloadDecryptor {
  private var cipher: ChunkCipher
  /// The bytes of the chunk that is not complete.
  private var pending: [UInt8] = []
  /// Whether the last chunk was decrypted.
  private var hasEnded = false
  /// Allocated in `init` and freed in `deinit`; sinks only see it during a call.
  private let contents: UnsafeMutableRawBufferPointer

  init(_ cipher: ChunkCipher) {
    self.cipher = cipher
    pending.reserveCapacity(ChunkCipher.chunkBytes)
    // Sound: freed in `deinit`.
    contents = .allocate(byteCount: ChunkCipher.contentBytes, alignment: 16)
  }

  deinit {
    Primitives.wipe(contents)
    contents.deallocate()
  }

  /// The number of chunks that were decrypted.
  private var count: Int { Int(clamping: cipher.count) }

  /// Decrypts the next bytes.
  func append(_ bytes: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) throws -> Void)
    throws
  {
    var rest = bytes
    while !rest.isEmpty {
      if hasEnded { throw AgeError.trailingBytes(chunks: count) }
      if pending.isEmpty, rest.count >= ChunkCipher.chunkBytes {
        try openWhole(UnsafeRawBufferPointer(rebasing: rest[..<ChunkCipher.chunkBytes]), to: sink)
        rest = UnsafeRawBufferPointer(rebasing: rest[ChunkCipher.chunkBytes...])
        continue
      }
      let taken = min(ChunkCipher.chunkBytes - pending.count, rest.count)
      pending.append(contentsOf: rest[..<taken])
      rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
      if pending.count == ChunkCipher.chunkBytes {
        try pending.withUnsafeBytes { try openWhole($0, to: sink) }
        pending.removeAll(keepingCapacity: true)
      }
    }
  }

  /// Decrypts the last chunk, or reports that there is none.
  func finish(to sink: (UnsafeRawBufferPointer) throws -> Void) throws {
    if hasEnded { return }
    guard pending.count >= Primitives.tagBytes else {
      throw AgeError.truncated(.payload(wholeChunks: count))
    }
    // Only the last chunk of an empty file is empty.
    let isOutOfPlace = pending.count == Primitives.tagBytes && count > 0
    let isIntact = try pending.withUnsafeBytes { try open($0, isLast: true) }
    guard isIntact, !isOutOfPlace else {
      throw AgeError.payloadDamaged(chunk: count + (isIntact ? 0 : 1), isLast: true)
    }
    hasEnded = true
    let size = pending.count - Primitives.tagBytes
    if size > 0 { try sink(UnsafeRawBufferPointer(rebasing: contents[..<size])) }
  }

  /// Decrypts a chunk of full size, which may be the last.
  private func openWhole(
    _ chunk: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    if try !open(chunk, isLast: false) {
      guard try open(chunk, isLast: true) else {
        throw AgeError.payloadDamaged(chunk: count + 1, isLast: false)
      }
      hasEnded = true
    }
    try sink(UnsafeRawBufferPointer(contents))
  }

  private func open(_ chunk: UnsafeRawBufferPointer, isLast: Bool) throws(AgeError) -> Bool {
    let space = UnsafeMutableRawBufferPointer(
      rebasing: contents[..<(chunk.count - Primitives.tagBytes)])
    return try cipher.open(chunk, isLast: isLast, into: space)
  }
}
