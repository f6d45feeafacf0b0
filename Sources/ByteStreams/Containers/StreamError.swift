/// Why bytes could not be read or expanded.
package struct StreamError: Error, Hashable, Sendable {
  /// The kind of failure.
  package enum Code: Hashable, Sendable {
    /// The bytes are there and cannot be read: an I/O error, encrypted, an unknown compression.
    case unreadable
    /// Damaged.
    case malformed
    /// Expands beyond ``ExpansionLimit``, or has too many members.
    case tooLarge
  }

  /// The kind.
  package let code: Code
  /// One sentence for a person, without control characters. The subject "It" is the file or member.
  package let message: String

  /// An error.
  package init(code: Code, message: String) { (self.code, self.message) = (code, message) }
}

/// Something odd about a container that was read all the same.
package struct StreamWarning: Hashable, Sendable {
  /// The kind of oddity.
  package enum Code: Hashable, Sendable {
    /// The bytes end before the container does.
    case truncated
    /// Bytes follow the end of the container.
    case trailingJunk
  }

  /// The kind.
  package let code: Code
  /// One sentence for a person, without control characters.
  package let message: String

  /// A warning.
  package init(code: Code, message: String) { (self.code, self.message) = (code, message) }
}
