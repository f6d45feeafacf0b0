/// How the reading of a compressed or archived stream ended.
public struct StreamEnding: Hashable, Sendable {
  /// Oddities of the container: cut off, followed by junk. What was handed out stands.
  public var warnings: [IngestWarning] = []
  /// Why nothing of the stream should be kept: damaged, encrypted, too large. Nil where what was handed out is
  /// certain.
  public var error: IngestError?

  /// It ended well, or as said.
  public init(warnings: [IngestWarning] = [], error: IngestError? = nil) {
    self.warnings = warnings
    self.error = error
  }

  static func damaged(_ message: String) -> StreamEnding {
    StreamEnding(error: IngestError(code: .malformed, message: message))
  }

  static func truncated(_ message: String) -> StreamEnding {
    StreamEnding(warnings: [IngestWarning(code: .truncated, line: nil, message: message)])
  }
}
