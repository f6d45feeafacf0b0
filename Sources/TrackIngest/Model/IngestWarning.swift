/// A problem in a file that could be read nevertheless.
///
/// ```swift
/// for file in try await explorer.importTracks(at: tracks).files {
///   for warning in file.track.warnings { print(file.path, warning.line ?? 0, warning.message) }
/// }
/// ```
public struct IngestWarning: Hashable, Sendable {
  /// The kinds of problems. Raw values are the names in the JSON report.
  public enum Code: String, CaseIterable, Sendable {
    /// The file ends before its structure does.
    case truncated
    /// The text is not well formed (a bare `&`, a missing end tag …), or a binary file is damaged
    /// (a wrong checksum or length, a message that cannot be read).
    case malformed
    /// Text after the end of the document.
    case trailingJunk
    /// Bytes that are invalid in the stated encoding, or contradict it.
    case encoding
    /// A time before 1970, more than a day in the future, or invalid: ignored.
    case impossibleTime
    /// A time earlier than the one before it: the order of the file is kept.
    case timeBackwards
    /// Sentences or points that could not be read: ignored and counted.
    case unreadable
    /// A longitude, date or other value that was repaired according to a documented rule.
    case repaired
    /// Contents that are not supported (a zip archive in a zip archive, for example).
    case leftOut
  }

  /// The kind.
  public let code: Code
  /// The line of the first occurrence, counted from 1; nil if no line applies.
  public let line: Int?
  /// One readable sentence, without control characters and coordinates.
  public let message: String

  /// Creates a warning. `message` is the caller's own text, never unchecked bytes of the file.
  package init(code: Code, line: Int?, message: String) {
    self.code = code
    self.line = line
    self.message = message
  }
}

/// The reason why a whole file was refused.
///
/// ```swift
/// for file in try await explorer.importTracks(at: tracks).files {
///   guard let error = file.track.error, error.code != .unknownFormat else { continue }
///   print(file.path, error.line ?? 0, error.message)
/// }
/// ```
public struct IngestError: Error, Hashable, Sendable {
  /// The kinds of failures. Raw values are the names in the JSON report.
  public enum Code: String, CaseIterable, Sendable {
    /// The file does not exist.
    case notFound
    /// The file exists and cannot be read.
    case unreadable
    /// Not a supported format.
    case unknownFormat
    /// No bytes, or only white space.
    case empty
    /// A known format, but damaged.
    case malformed
    /// An encoding that cannot be decoded.
    case encoding
    /// Expands beyond the limit.
    case tooLarge
    /// The store failed.
    case store
  }

  /// The kind.
  public let code: Code
  /// The line of the failure, counted from 1; nil if no line applies.
  public let line: Int?
  /// One readable sentence, without control characters.
  public let message: String

  /// The kind of a file that is known to hold tracks and cannot be read yet; nil for other errors.
  package let unsupported: UnsupportedKind?
  /// Whether the contents say so little that the name of the file may say more.
  package let isUncertain: Bool
  /// Whether the message also says what to do if the archive that the file is in has no tracks.
  package let isAdvice: Bool

  /// Creates an error.
  package init(
    code: Code, line: Int? = nil, message: String, unsupported: UnsupportedKind? = nil,
    isUncertain: Bool = false, isAdvice: Bool = false
  ) {
    self.code = code
    self.line = line
    self.message = message
    self.unsupported = unsupported
    self.isUncertain = isUncertain
    self.isAdvice = isAdvice
  }

  /// The error for a file of a kind that is not supported.
  package init(unsupported kind: UnsupportedKind) {
    self.init(
      code: .unknownFormat,
      message:
        "It is a \(kind.name) file, which is not supported yet"
        + "\(kind.advice.map { "; \($0)" } ?? "").",
      unsupported: kind)
  }
}
