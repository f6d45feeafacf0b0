/// How the reading of a compressed or archived stream ended.
package struct StreamEnding: Hashable, Sendable {
  /// Oddities of the container: cut off, followed by junk. The bytes handed out are good.
  package var warnings: [StreamWarning] = []
  /// Why the bytes handed out must be discarded: damaged, encrypted, too large. Nil where they are
  /// good.
  package var error: StreamError?

  /// An ending; by default without warnings and errors.
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
