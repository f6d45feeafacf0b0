/// An error of reading or expanding bytes.
package struct StreamError: Error, Hashable, Sendable {
  /// The kind of failure.
  package enum Code: Hashable, Sendable {
    /// The bytes exist but cannot be read: an I/O error, encryption, an unknown compression.
    case unreadable
    /// The bytes are damaged.
    case malformed
    /// The bytes expand beyond ``ExpansionLimit``, or there are too many members.
    case tooLarge
  }

  /// The kind.
  package let code: Code
  /// One readable sentence, without control characters. The subject "It" is the file or member.
  package let message: String

  /// Creates an error.
  package init(code: Code, message: String) { (self.code, self.message) = (code, message) }
}

/// A problem of a container that could be read nevertheless.
package struct StreamWarning: Hashable, Sendable {
  /// The kinds of problems.
  package enum Code: Hashable, Sendable {
    /// The bytes end before the container does.
    case truncated
    /// Bytes follow the end of the container.
    case trailingJunk
  }

  /// The kind.
  package let code: Code
  /// One readable sentence, without control characters.
  package let message: String

  /// Creates a warning.
  package init(code: Code, message: String) { (self.code, self.message) = (code, message) }
}
