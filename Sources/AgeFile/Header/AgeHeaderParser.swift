/// Reads a header that arrives in pieces. Strict: what this accepts,
/// ``AgeHeader/bytes(_:fileKey:)`` would write again in the same bytes.
struct AgeHeaderParser {
  private var bytes: [UInt8] = []
  private var lineStart = 0
  private var line = 1
  private var stanzas: [AgeStanza] = []
  /// The arguments and the body of the stanza that is being read.
  private var arguments: [String]?
  private var body: [UInt8] = []

  /// The bytes that a file of this format begins with, whatever its version.
  private static let magic = Array("age-encryption.org/".utf8)
  private static let armor = Array("-----BEGIN AGE ENCRYPTED FILE-----".utf8)
  /// Where the beginning of an armored file ends, with white space before it.
  private static let mostBytesOfArmorStart = 128

  /// Takes bytes up to the end of the header.
  ///
  /// - Returns: the header when it is complete, and how many of the bytes belong to it; all of them
  ///   while it is not.
  /// - Throws: ``AgeError`` if the header breaks a rule.
  mutating func append(_ piece: UnsafeRawBufferPointer) throws(AgeError) -> (
    header: AgeHeader?, count: Int
  ) {
    var count = 0
    while count < piece.count {
      let rest = UnsafeRawBufferPointer(rebasing: piece[count...])
      let end = rest.firstIndex(of: 0x0a)
      // Of a line without an end, no more than fits is kept.
      let room = AgeError.longestHeaderBytes - bytes.count
      let taken = min(end.map { $0 + 1 } ?? rest.count, room)
      bytes.append(contentsOf: rest[..<taken])
      count += taken
      if line == 1 { try checkStart() }
      guard taken < room else { throw .headerDamaged(line: line, problem: .tooLong) }
      guard end != nil else { break }
      if let header = try endLine() { return (header, count) }
    }
    return (nil, count)
  }

  /// The error of a file that ends here.
  func unexpectedEnd() -> AgeError {
    bytes.starts(with: Self.magic) ? .truncated(.header) : .notAnAgeFile
  }

  /// Reports a file of another format without waiting for the end of its first line.
  private func checkStart() throws(AgeError) {
    if bytes.starts(with: Self.magic.prefix(bytes.count)) { return }
    // The same number of bytes always decides, so that the size of the pieces makes no difference.
    let start = bytes.prefix(Self.mostBytesOfArmorStart)
    let text = start.drop { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
    if text.starts(with: Self.armor) { throw .armored }
    guard Self.armor.starts(with: text), start.count < Self.mostBytesOfArmorStart else {
      throw .notAnAgeFile
    }
  }

  /// Reads the line that just ended.
  private mutating func endLine() throws(AgeError) -> AgeHeader? {
    // White space before an armored file: its first line follows.
    if line == 1, !bytes.starts(with: Self.magic) { return nil }
    let text = bytes[lineStart..<bytes.count - 1]
    let start = lineStart
    if text.last == 0x0d { throw .headerDamaged(line: line, problem: .carriageReturn) }
    if line == 1 {
      guard text.elementsEqual(AgeHeader.versionLine.utf8) else { throw .unsupportedVersion }
    } else if arguments != nil {
      try endBodyLine(text)
    } else if text.starts(with: "-> ".utf8) {
      arguments = try Self.arguments(text.dropFirst(3), line: line)
      body = []
    } else if text.starts(with: "---".utf8) {
      return try end(text, markEnd: start + 3)
    } else {
      throw .headerDamaged(line: line, problem: .lineStart)
    }
    lineStart = bytes.count
    line += 1
    return nil
  }

  /// The type and arguments of a stanza, separated by single spaces.
  private static func arguments(_ text: ArraySlice<UInt8>, line: Int) throws(AgeError) -> [String] {
    let parts = text.split(separator: 0x20, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x21...0x7e).contains($0) } }) else {
      throw .headerDamaged(line: line, problem: .argument)
    }
    return parts.map { String(decoding: $0, as: UTF8.self) }
  }

  private mutating func endBodyLine(_ text: ArraySlice<UInt8>) throws(AgeError) {
    guard text.count <= AgeStanza.lineCharacters, let decoded = UnpaddedBase64.decode(text) else {
      throw .headerDamaged(line: line, problem: .base64)
    }
    body += decoded
    guard text.count < AgeStanza.lineCharacters, let complete = arguments else { return }
    let stanza = AgeStanza(arguments: complete, body: body)
    arguments = nil
    try check(stanza)
    stanzas.append(stanza)
  }

  /// Checks a stanza of a type that the format defines, also if nothing here could open it.
  private func check(_ stanza: AgeStanza) throws(AgeError) {
    // The line of the stanza's type: the body ends in the line that is read now.
    let first = line - stanza.body.count / AgeStanza.lineBytes - 1
    _ = try X25519Wrapping(stanza, line: first)
    _ = try ScryptWrapping(stanza, line: first)
    let isForPassphrase = stanza.type == ScryptWrapping.type
    if !stanzas.isEmpty, isForPassphrase || stanzas.last?.type == ScryptWrapping.type {
      throw .headerDamaged(line: first, problem: .passphraseNotAlone)
    }
  }

  /// Reads the last line, "--- CODE".
  private func end(_ text: ArraySlice<UInt8>, markEnd: Int) throws(AgeError) -> AgeHeader {
    guard text.dropFirst(3).first == 0x20, let code = UnpaddedBase64.decode(text.dropFirst(4)),
      code.count == 32
    else { throw .headerDamaged(line: line, problem: .base64) }
    guard !stanzas.isEmpty else { throw .headerDamaged(line: line, problem: .noStanzas) }
    return AgeHeader(stanzas: stanzas, code: code, authenticated: Array(bytes[..<markEnd]))
  }
}
