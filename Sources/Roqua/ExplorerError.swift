import GridHash

/// A file that an ``Explorer`` was given and cannot use. What goes wrong with the store itself is a
/// `DatabaseError` or a `StoreError`. The description is one line.
public enum ExplorerError: Error, Sendable {
  /// A file cannot be read or written.
  case file(path: String, reason: String)
  /// A file is not a coverage file, or is damaged.
  case coverageFile(path: String, CoverageFormatError)
}

extension ExplorerError: CustomStringConvertible {
  /// One line for a person.
  public var description: String {
    switch self {
    case .file(let path, let reason): "\(path): \(reason)"
    case .coverageFile(let path, let error): "\(path): \(error.explanation)"
    }
  }
}
