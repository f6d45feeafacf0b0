import SeededRandom

@testable import AgeFile

/// What came of a file that was decrypted in pieces.
struct Decryption: Equatable {
  var bytes: [UInt8] = []
  var error: AgeError?

  /// Decrypts a file in pieces of the given sizes, which are repeated.
  init(
    _ file: [UInt8], with identities: [AgeIdentity], passphrases: [AgePassphrase] = [],
    pieces: [Int]
  ) throws {
    let decryptor = AgeDecryptor(with: identities, passphrases: passphrases)
    var bytes: [UInt8] = []
    do {
      try file.inPieces(pieces) { try decryptor.append($0) { bytes.append(contentsOf: $0) } }
      try decryptor.finish { bytes.append(contentsOf: $0) }
    } catch let error as AgeError {
      self.error = error
    }
    self.bytes = bytes
  }
}

extension [UInt8] {
  /// Calls `body` with the bytes in pieces of the given sizes, which are repeated.
  func inPieces(_ sizes: [Int], _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    try withUnsafeBytes { bytes in
      var (start, turn) = (0, 0)
      while start < bytes.count {
        let end = Swift.min(start + sizes[turn % sizes.count], bytes.count)
        try body(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        (start, turn) = (end, turn + 1)
      }
    }
  }

  /// Random bytes.
  static func random(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }
}
