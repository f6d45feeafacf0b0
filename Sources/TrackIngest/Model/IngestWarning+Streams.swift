import ByteStreams

extension IngestError {
  /// Creates the error for a file whose bytes could not be read or expanded.
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
  /// Creates the warning for a problem with the container of a file.
  package init(_ warning: StreamWarning) {
    let code: Code =
      switch warning.code {
      case .truncated: .truncated
      case .trailingJunk: .trailingJunk
      }
    self.init(code: code, line: nil, message: warning.message)
  }
}
