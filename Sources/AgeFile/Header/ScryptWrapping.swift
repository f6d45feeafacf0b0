/// A file key that is wrapped with a passphrase.
///
/// - Source: C2SP age v1, "scrypt recipient stanza".
struct ScryptWrapping {
  static let type = "scrypt"
  static let saltBytes = 16

  private let salt: [UInt8]
  private let workFactor: Int
  private let body: [UInt8]

  /// Reads a stanza; nil if it is of another type.
  ///
  /// - Throws: ``AgeError/headerDamaged(line:problem:)`` if it breaks a rule, or if deriving the
  ///   key would take too long.
  init?(_ stanza: AgeStanza, line: Int) throws(AgeError) {
    guard stanza.type == Self.type else { return nil }
    guard stanza.arguments.count == 3,
      let salt = UnpaddedBase64.decode(Array(stanza.arguments[1].utf8)),
      salt.count == Self.saltBytes,
      stanza.arguments[2].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      stanza.arguments[2].utf8.first != 0x30
    else { throw .headerDamaged(line: line, problem: .stanza(type: Self.type)) }
    guard let workFactor = Int(stanza.arguments[2]),
      AgePassphrase.workFactors.contains(workFactor)
    else { throw .headerDamaged(line: line, problem: .workFactor) }
    guard stanza.body.count == AgeHeader.fileKeyBytes + Primitives.tagBytes else {
      throw .headerDamaged(line: line, problem: .keyLength(type: Self.type))
    }
    self.salt = salt
    self.workFactor = workFactor
    body = stanza.body
  }

  /// Wraps a file key with a passphrase.
  static func wrap(_ fileKey: [UInt8], with passphrase: AgePassphrase, workFactor: Int)
    throws(AgeError) -> AgeStanza
  {
    let salt = try Primitives.randomBytes(saltBytes)
    let key = try passphrase.wrappingKey(salt: salt, workFactor: workFactor)
    let argument = String(decoding: UnpaddedBase64.encode(salt), as: UTF8.self)
    return AgeStanza(
      arguments: [type, argument, String(workFactor)],
      body: try Primitives.seal(fileKey, key: key))
  }

  /// Returns the file key; nil if the passphrase is another one.
  func unwrap(_ passphrase: AgePassphrase) throws(AgeError) -> [UInt8]? {
    let key = try passphrase.wrappingKey(salt: salt, workFactor: workFactor)
    return try Primitives.open(body, key: key)
  }
}
