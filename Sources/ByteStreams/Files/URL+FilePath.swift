import Foundation

extension URL {
  /// The path of a file URL, without percent encoding. A URL of any other kind is a programming
  /// error.
  package var filePath: String {
    precondition(isFileURL, "a store, track, folder or output is a file, not \(self)")
    return path(percentEncoded: false)
  }
}
