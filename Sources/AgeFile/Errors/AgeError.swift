/// Why a file in the age format cannot be read or written. No case contains a key, a passphrase or
/// bytes of the contents.
package enum AgeError: Error, Equatable, Sendable {
  /// This program was built without a library for cryptography.
  case cryptographyUnavailable(needs: String)
  /// There is not enough memory to derive a key from a passphrase.
  case notEnoughMemory
  /// The text of a key is damaged.
  case keyDamaged(KeyTextProblem)
  /// A recipient's key is one of the few with which no secret can be agreed on.
  case recipientUnusable
  /// A file needs at least one recipient.
  case noRecipients

  /// The bytes do not begin like a file in the age format.
  case notAnAgeFile
  /// The file is in the age format, in its form as text.
  case armored
  /// The file is in a later version of the format.
  case unsupportedVersion
  /// The header breaks a rule of the format in a line, counted from 1.
  case headerDamaged(line: Int, problem: HeaderProblem)
  /// No key or passphrase opens the file.
  case noIdentityMatches
  /// The header was changed after it was written.
  case headerAuthenticationFailed
  /// A chunk of the payload, counted from 1, was changed after it was written. The last one may
  /// also be cut off. The chunks before it were intact.
  case payloadDamaged(chunk: Int, isLast: Bool)
  /// Bytes follow the end of the payload, after this many chunks.
  case trailingBytes(chunks: Int)
  /// The file ends too early: in its header, or after this many whole chunks.
  case truncated(Part)

  /// What is wrong with the text of a key.
  package enum KeyTextProblem: Equatable, Sendable {
    /// It does not begin as such a key does.
    case prefix(expected: String)
    /// A character, counted from 1, does not belong into a key.
    case character(position: Int)
    /// It has both upper and lower case.
    case mixedCase
    /// The checksum does not fit: a character is wrong, missing or swapped.
    case checksum
    /// It has another length.
    case length
  }

  /// Which rule a line of the header breaks.
  package enum HeaderProblem: Equatable, Sendable {
    /// The line ends with a carriage return.
    case carriageReturn
    /// The line begins neither a stanza nor the end of the header.
    case lineStart
    /// An argument is empty or has a character outside printable ASCII.
    case argument
    /// A line of base64 is too long, has another character, or is not the canonical encoding.
    case base64
    /// There is no stanza.
    case noStanzas
    /// A stanza of this type has too few or too many arguments, or an invalid one.
    case stanza(type: String)
    /// The wrapped key of a stanza has another length.
    case keyLength(type: String)
    /// A stanza for a passphrase is not alone.
    case passphraseNotAlone
    /// Deriving the key from the passphrase would take more memory than ``AgePassphrase`` accepts.
    case workFactor
    /// The sender's share of the secret is one with which no secret can be agreed on.
    case share
    /// The header is longer than ``AgeHeader/mostBytes``.
    case tooLong
  }

  /// Where a file ends too early.
  package enum Part: Equatable, Sendable {
    case header
    case payload(wholeChunks: Int)
  }
}

extension AgeError: CustomStringConvertible {
  /// One sentence: what happened, where, and what to do.
  package var description: String {
    switch self {
    case .cryptographyUnavailable(let needs):
      "This program was built without cryptography; build it with \(needs)."
    case .notEnoughMemory: "There is not enough memory to derive the key from the passphrase."
    case .keyDamaged(let problem): "This is not a valid key: \(problem)."
    case .recipientUnusable: "This recipient's key is weak and cannot be used."
    case .noRecipients: "A file needs at least one recipient."
    case .notAnAgeFile: "This is not a file in the age format."
    case .armored:
      "This age file is armored, that is, written as text; \"age -d\" can read it, Roqua cannot."
    case .unsupportedVersion: "This age file has a later version of the format than v1."
    case .headerDamaged(let line, let problem):
      "The header of this age file is damaged in line \(line): \(problem)."
    case .noIdentityMatches: "This age file was written for other keys or another passphrase."
    case .headerAuthenticationFailed:
      "The header of this age file was changed after it was written."
    case .payloadDamaged(let chunk, let isLast):
      isLast
        ? "This age file is damaged or cut off in its last chunk, number \(chunk)."
        : "This age file is damaged in chunk \(chunk)."
    case .trailingBytes(let chunks):
      "This age file has bytes after its end, which is after chunk \(chunks)."
    case .truncated(.header): "This age file is cut off in its header."
    case .truncated(.payload(let chunks)): "This age file is cut off after \(chunks) whole chunks."
    }
  }
}

extension AgeError.KeyTextProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .prefix(let expected): "it does not begin with \(expected)"
    case .character(let position): "character \(position) does not belong into a key"
    case .mixedCase: "it has both upper and lower case"
    case .checksum: "its checksum does not fit, so a character is wrong, missing or swapped"
    case .length: "it is too short or too long"
    }
  }
}

extension AgeError.HeaderProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .carriageReturn: "it ends with a carriage return"
    case .lineStart: "it begins neither a stanza nor the end of the header"
    case .argument: "an argument is empty or has a character outside printable ASCII"
    case .base64: "it is not canonical base64 of at most 64 characters"
    case .noStanzas: "there is no stanza before it"
    case .stanza(let type): "the arguments of this stanza of type \(type) are wrong"
    case .keyLength(let type): "the key in this stanza of type \(type) has another length"
    case .passphraseNotAlone: "a stanza for a passphrase must be the only one"
    case .workFactor: "the work factor of the passphrase is too high"
    case .share: "the sender's share is weak and cannot be used"
    case .tooLong: "the header is longer than \(AgeError.longestHeaderBytes) bytes"
    }
  }
}

extension AgeError {
  /// The most bytes of a header: space for about 10,000 recipients.
  package static let longestHeaderBytes = 1 << 20
}
