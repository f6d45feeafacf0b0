/// The result of reading a compressed or archived stream to its end.
package struct StreamEnding: Hashable, Sendable {
  /// Warnings about the container: truncated, followed by junk. The bytes passed on are good.
  package var warnings: [StreamWarning] = []
  /// The reason why the bytes passed on must be discarded: damaged, encrypted, too large. Nil if
  /// they are good.
  package var error: StreamError?

  /// Creates an ending; by default without warnings and errors.
  package init(warnings: [StreamWarning] = [], error: StreamError? = nil) {
    self.warnings = warnings
    self.error = error
  }

  static func damaged(_ message: String) -> StreamEnding {
    StreamEnding(error: StreamError(code: .malformed, message: message))
  }

  static func truncated(_ message: String) -> StreamEnding {
    StreamEnding(warnings: [StreamWarning(code: .truncated, message: message)])
  }
}
