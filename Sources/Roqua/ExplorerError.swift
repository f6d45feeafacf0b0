import Geocode
import GeoStore

/// What can go wrong with an ``Explorer``. The description is one line that says what to do.
public enum ExplorerError: Error, Sendable {
  /// The store's own error.
  case store(StoreError)
  /// The bundled places cannot be read.
  case places(GeocodeError)
}

extension ExplorerError: CustomStringConvertible {
  /// One line for a person.
  public var description: String {
    switch self {
    case .store(let error): error.description
    case .places(let error): "the bundled places cannot be read (\(error)); install Roqua again"
    }
  }
}
