import GeoStore
import Roqua

/// What a person can do about an error of the libraries, in terms of the tool's commands and options.
enum ErrorAdvice {
  /// What follows the error's own line; empty where that says all there is to say.
  static func text(_ error: StoreError) -> String {
    switch error {
    case .fileExists: " (--force replaces it)"
    case .alteredSchema: "; see roqua check, and roqua check --repair"
    default: ""
    }
  }

  /// The same for errors of the explorer.
  static func text(_ error: ExplorerError) -> String {
    if case .store(let error) = error { text(error) } else { "" }
  }
}
