import Geocode
import GeoStore
import GridHash

/// What can go wrong with an ``Explorer``. The description is one line that says what to do.
public enum ExplorerError: Error, Sendable {
  /// The store's own error.
  case store(StoreError)
  /// The bundled places cannot be read.
  case places(GeocodeError)
  /// A file that was named cannot be read or written.
  case file(path: String, reason: String)
  /// A file that was named is no coverage, or a damaged one.
  case coverageFile(path: String, CoverageFormatError)
}

extension ExplorerError: CustomStringConvertible {
  /// One line for a person.
  public var description: String {
    switch self {
    case .store(let error): error.description
    case .places(let error): "the bundled places cannot be read (\(error)); install Roqua again"
    case .file(let path, let reason): "\(path): \(reason)"
    case .coverageFile(let path, let error): "\(path): \(error.explanation)"
    }
  }
}
