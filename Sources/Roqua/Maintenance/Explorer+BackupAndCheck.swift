import GeoStore
import SQLiteLayer

extension Explorer {
  /// Looks over the whole store: is the file sound, and do its tables agree? Changes nothing.
  ///
  /// - Parameter isQuick: Whether to look at the file and the form of its tables only.
  public func check(isQuick: Bool = false) throws -> StoreCheck {
    try store.check(isQuick: isQuick)
  }

  /// Puts right what can be put right of a store that was opened for it
  /// (``init(storePath:creating:isForRepair:)``).
  public func repair() throws -> MaintenanceReport {
    try store.repair()
  }

  /// Copies the store, as it is at this moment, into a file, while imports go on.
  ///
  /// - Parameters:
  ///   - path: Where to. A file that is there is left as it is, unless `isReplacing`.
  ///   - isReplacing: Whether a file that is there may be replaced.
  ///   - progress: Called with the pages that are copied, and all.
  /// - Returns: the bytes of the file.
  @discardableResult
  public func backup(
    to path: String, replacing isReplacing: Bool = false,
    progress: (_ pages: Int, _ of: Int) -> Void = { _, _ in }
  ) throws -> Int {
    try store.backup(to: path, replacing: isReplacing, progress: progress)
  }
}
