import ByteStreams

extension IngestError {
  /// The reason to refuse a file whose bytes could not be read or expanded.
  package init(_ error: StreamError) {
    let code: Code =
      switch error.code {
      case .unreadable: .unreadable
      case .malformed: .malformed
      case .tooLarge: .tooLarge
      }
    self.init(code: code, message: error.message)
  }
}

extension IngestWarning {
  /// The warning for an oddity of the container that a file came in.
  package init(_ warning: StreamWarning) {
    let code: Code =
      switch warning.code {
      case .truncated: .truncated
      case .trailingJunk: .trailingJunk
      }
    self.init(code: code, line: nil, message: warning.message)
  }
}
