import ByteStreams

/// What is in every file of a sync folder once it is decrypted: what kind of file it is, a code
/// that proves that a device of the folder wrote it for this path, the payload, and padding that
/// hides the payload's size.
package struct Envelope: Hashable, Sendable {
  /// The kind of a file.
  package enum Kind: UInt8, Sendable {
    case key = 1
    case manifest
    case source
    case backup
  }

  /// The version of the format.
  package static let version: UInt8 = 1
  /// The fewest bytes of an envelope.
  package static let fewestBytes = 512
  /// "RQSY", version, kind, code and length.
  package static let headBytes = 4 + 1 + 1 + HMACSHA256.byteCount + 8
  private static let magic = Array("RQSY".utf8)

  /// The kind of the file.
  package let kind: Kind
  /// The payload. Nothing of it may be believed before ``authenticate(_:key:)``.
  package let payload: [UInt8]
  private let code: [UInt8]

  /// The bytes of an envelope.
  ///
  /// - Parameter key: the folder's key for authentication.
  package static func bytes(of payload: [UInt8], at path: SyncPath, key: [UInt8]) -> [UInt8] {
    let size = paddedSize(headBytes + payload.count)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    bytes += magic
    bytes += [version, path.kind.rawValue]
    bytes += code(of: payload, at: path, key: key)
    bytes += UInt64(payload.count).bigEndianBytes.reversed()
    bytes += payload
    bytes += repeatElement(0, count: size - bytes.count)
    return bytes
  }

  /// Reads an envelope, without the test whether it is authentic.
  ///
  /// - Throws: ``SyncFormatError``.
  package init(_ bytes: [UInt8]) throws(SyncFormatError) {
    func error(_ problem: SyncFormatError.Problem, _ offset: Int) -> SyncFormatError {
      SyncFormatError(problem, in: "envelope", at: offset)
    }
    guard bytes.starts(with: Self.magic.prefix(bytes.count)) else { throw error(.notRoqua, 0) }
    guard bytes.count >= Self.headBytes else { throw error(.endsEarly, bytes.count) }
    guard bytes[4] == Self.version else { throw error(.unsupportedVersion(bytes[4]), 4) }
    guard let kind = Kind(rawValue: bytes[5]) else { throw error(.wrongKind(bytes[5]), 5) }
    let length = bytes[38..<46].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard length <= UInt64(bytes.count - Self.headBytes) else {
      throw error(.endsEarly, bytes.count)
    }
    let end = Self.headBytes + Int(length)
    guard bytes.count == Self.paddedSize(end), bytes[end...].allSatisfy({ $0 == 0 }) else {
      throw error(.badPadding, end)
    }
    self.kind = kind
    code = Array(bytes[6..<38])
    payload = Array(bytes[Self.headBytes..<end])
  }

  /// Checks that a device of the folder wrote the payload for this path.
  ///
  /// - Throws: ``SyncFormatError/Problem/wrongKind(_:)`` or
  ///   ``SyncFormatError/Problem/notAuthentic``.
  package func authenticate(_ path: SyncPath, key: [UInt8]) throws(SyncFormatError) {
    guard kind == path.kind else {
      throw SyncFormatError(.wrongKind(kind.rawValue), in: "envelope", at: 5)
    }
    guard HMACSHA256.areEqual(code, Self.code(of: payload, at: path, key: key)) else {
      throw SyncFormatError(.notAuthentic, in: "envelope", at: 6)
    }
  }

  /// HMAC-SHA-256 of the kind, the path, a zero and the payload.
  private static func code(of payload: [UInt8], at path: SyncPath, key: [UInt8]) -> [UInt8] {
    var code = HMACSHA256(key: key)
    code.update([path.kind.rawValue] + Array(path.description.utf8) + [0])
    code.update(payload)
    return code.finalize()
  }

  /// The size that a file of this size is padded to: Padmé, at least ``fewestBytes``. It hides all
  /// but the first few bits of a size, and adds at most 12 % to a larger one.
  ///
  /// - Source: K. Nikitin and others, "Reducing Metadata Leakage from Encrypted Files and
  ///   Communication with PURBs", PETS 2019, algorithm 1.
  package static func paddedSize(_ size: Int) -> Int { padme(max(size, fewestBytes)) }

  /// Padmé without a smallest size.
  ///
  /// - Precondition: `size` is at least 2.
  static func padme(_ size: Int) -> Int {
    // E = ⌊log₂ size⌋, S = ⌊log₂ E⌋ + 1: the last E - S bits become zero.
    let exponent = Int.bitWidth - 1 - size.leadingZeroBitCount
    let kept = Int.bitWidth - exponent.leadingZeroBitCount
    let mask = 1 << (exponent - kept) - 1
    return (size + mask) & ~mask
  }
}

extension SyncPath {
  /// The kind of the file.
  package var kind: Envelope.Kind {
    switch self {
    case .key: .key
    case .manifest: .manifest
    case .source: .source
    case .backup: .backup
    }
  }
}
