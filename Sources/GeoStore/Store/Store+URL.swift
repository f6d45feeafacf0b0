import ByteStreams
import Foundation
import SQLiteLayer

extension Store {
  /// Opens the store in a file (``init(path:creating:options:)``).
  ///
  /// ```swift
  /// let store = try Store(url: URL(filePath: "/path/to/history.roqua"), creating: true)
  /// ```
  ///
  /// - Precondition: `url` is a file URL.
  /// - Throws: `DatabaseError`.
  public convenience init(
    url: URL, creating: Bool, options: StoreOptions = StoreOptions()
  ) throws(DatabaseError) {
    try self.init(path: url.filePath, creating: creating, options: options)
  }
}
