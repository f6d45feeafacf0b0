import GeoStore
import SQLiteLayer

extension Explorer {
  /// Checks the integrity of the store's file and whether its tables agree. Changes nothing.
  ///
  /// - Parameter isQuick: true to check only the file and the structure of its tables.
  public func check(isQuick: Bool = false) throws -> StoreCheck {
    try store.check(isQuick: isQuick)
  }

  /// Repairs what can be repaired in a store that was opened with `isForRepair`
  /// (``init(storePath:creating:isForRepair:savesMemory:durability:profileID:)``).
  public func repair() throws -> MaintenanceReport {
    try store.repair()
  }

  /// Copies the current state of the store to a file while imports continue.
  ///
  /// - Parameters:
  ///   - path: the path of the copy. An existing file is left alone, unless `isReplacing`.
  ///   - isReplacing: true to replace an existing file.
  ///   - progress: called with the number of pages copied and their total.
  /// - Returns: the size of the file in bytes.
  @discardableResult
  public func backup(
    to path: String, replacing isReplacing: Bool = false,
    progress: (_ pages: Int, _ of: Int) -> Void = { _, _ in }
  ) throws -> Int {
    try store.backup(to: path, replacing: isReplacing, progress: progress)
  }
}
