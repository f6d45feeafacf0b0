/// Why bytes of a sync folder cannot be believed. It contains nothing of what the bytes say.
package struct SyncFormatError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Problem: Hashable, Sendable {
    /// The bytes end too early.
    case endsEarly
    /// Bytes follow the end.
    case trailingBytes(Int)
    /// A number is written with more bytes than it needs.
    case longNumber
    /// A number is too large, not finite, or has no meaning.
    case outOfRange
    /// A text is not UTF-8, too long, or has characters that do not belong there.
    case badText
    /// An entry is not after the one before.
    case unsorted
    /// A byte that states what follows has an unknown value.
    case unknownTag(UInt8)
    /// The same thing could be written in another way, and must be.
    case notCanonical
    /// The bytes do not begin with "RQSY".
    case notRoqua
    /// The file has a later version of the format.
    case unsupportedVersion(UInt8)
    /// The file is of another kind than its folder says.
    case wrongKind(UInt8)
    /// The padding is not as it must be.
    case badPadding
    /// The authentication code does not fit: the file was changed, moved, or is of another folder.
    case notAuthentic
  }

  /// What is wrong.
  package var problem: Problem
  /// The part of the file, in words.
  package var part: String
  /// The position in the payload, or in the envelope if that is what is wrong.
  package var offset: Int

  /// Whether a later version of the format may have written the bytes.
  var isOfLaterVersion: Bool {
    if case .unsupportedVersion = problem { true } else { false }
  }

  /// Creates an error.
  package init(_ problem: Problem, in part: String, at offset: Int) {
    (self.problem, self.part, self.offset) = (problem, part, offset)
  }

  /// What happened and where: the end of a sentence that names the file.
  package var description: String {
    let reason =
      switch problem {
      case .endsEarly: "it ends too early"
      case .trailingBytes(let count): "\(count) bytes follow its end"
      case .longNumber: "a number has superfluous bytes"
      case .outOfRange: "a number is out of range"
      case .badText: "a text is damaged"
      case .unsorted: "entries are not in order"
      case .unknownTag(let tag): "the tag \(tag) is unknown"
      case .notCanonical: "it is not in its canonical form"
      case .notRoqua: "it is not a file of a sync folder"
      case .unsupportedVersion(let version): "it has version \(version) of the format"
      case .wrongKind(let kind): "it is a file of kind \(kind)"
      case .badPadding: "the padding is damaged"
      case .notAuthentic: "it was changed or moved, or belongs to another folder"
      }
    return "\(part), byte \(offset): \(reason)"
  }
}
