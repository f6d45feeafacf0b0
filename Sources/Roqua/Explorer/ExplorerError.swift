import GridHash

/// An error about a file that was given to an ``Explorer``. Errors of the store itself are
/// `DatabaseError` and `StoreError`. The description is one line.
///
/// ```swift
/// do {
///   let file = try CoverageFile(url: URL(filePath: "friend.coverage"))
///   print(try await explorer.importCoverage(file).cellsAdded)
/// } catch ExplorerError.coverageFile(let path, let error) {
///   print("\(path) is not a coverage file that can be read: \(error)")
/// }
/// ```
public enum ExplorerError: Error, Sendable {
  /// A file cannot be read or written.
  case file(path: String, reason: String)
  /// A file is not a coverage file, or is damaged.
  case coverageFile(path: String, CoverageFormatError)
}

extension ExplorerError: CustomStringConvertible {
  /// A description of one line.
  public var description: String {
    switch self {
    case .file(let path, let reason): "\(path): \(reason)"
    case .coverageFile(let path, let error): "\(path): \(error.explanation)"
    }
  }
}
