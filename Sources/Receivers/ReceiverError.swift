import Foundation

/// Why a receiver cannot be read: one sentence part, without a full stop.
package struct ReceiverError: Error, Hashable, CustomStringConvertible {
  /// What happened.
  package let description: String
  /// True if another attempt cannot help, such as a path that is a folder.
  package var isFinal = false

  /// True if nothing has the path.
  package var isMissing = false

  /// Creates an error.
  package init(_ description: String, isFinal: Bool = false) {
    (self.description, self.isFinal) = (description, isFinal)
  }

  /// An error of the system.
  init(_ action: String, errno code: Int32) {
    self.init("\(action): \(String(cString: strerror(code)))")
  }
}
