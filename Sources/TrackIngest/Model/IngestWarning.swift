/// Something odd in a file that was read all the same.
public struct IngestWarning: Hashable, Sendable {
  /// What kind of oddity; raw values are the names of the JSON report.
  public enum Code: String, CaseIterable, Sendable {
    /// The file ends before its structure does.
    case truncated
    /// The text is not well formed (a bare `&`, a tag closed by another name, an undeclared prefix …).
    case malformed
    /// Text after the end of the document.
    case trailingJunk
    /// Bytes that the stated encoding does not allow, or an encoding that the bytes belie.
    case encoding
    /// A time before 1970, more than a day ahead of now, or not a time: treated as no time.
    case impossibleTime
    /// A time earlier than the one before it: kept in file order.
    case timeBackwards
    /// Sentences or points that could not be read, left out and counted.
    case unreadable
    /// A longitude, date or other value that was repaired by a documented rule.
    case repaired
    /// Something that the file holds and Roqua does not take (a zip inside a zip, say).
    case leftOut
  }

  /// The kind.
  public let code: Code
  /// The line where it was first seen, counted from 1; nil where lines mean nothing.
  public let line: Int?
  /// One sentence for a person. Holds no control characters and no position.
  public let message: String

  /// A warning. `message` is used as given: callers pass text of their own, never bytes of the file unchecked.
  public init(code: Code, line: Int?, message: String) {
    self.code = code
    self.line = line
    self.message = message
  }
}

/// Why a file was refused as a whole.
public struct IngestError: Error, Hashable, Sendable {
  /// What kind of failure; raw values are the names of the JSON report.
  public enum Code: String, CaseIterable, Sendable {
    /// The file is not there.
    case notFound
    /// The file is there and cannot be read.
    case unreadable
    /// Not a format that Roqua reads.
    case unknownFormat
    /// No bytes at all, or only white space.
    case empty
    /// Begins as a known format and holds nothing certain.
    case malformed
    /// An encoding that cannot be decoded.
    case encoding
    /// Expands beyond the limit.
    case tooLarge
    /// The store would not take it.
    case store
  }

  /// The kind.
  public let code: Code
  /// The line where it was noticed, counted from 1; nil where lines mean nothing.
  public let line: Int?
  /// One sentence for a person, without control characters.
  public let message: String

  /// An error.
  public init(code: Code, line: Int? = nil, message: String) {
    self.code = code
    self.line = line
    self.message = message
  }
}
