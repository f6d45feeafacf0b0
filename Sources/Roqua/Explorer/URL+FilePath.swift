import Foundation

extension URL {
  /// The path of a file URL, without percent encoding.
  var filePath: String {
    precondition(isFileURL, "a store, track or output is a file, not \(self)")
    return path(percentEncoded: false)
  }
}
