import GeoStore
import SQLiteLayer

extension Explorer {
  /// Does what the async form does, on the calling thread.
  package func check(isQuick: Bool = false) throws -> StoreCheck {
    try store.check(isQuick: isQuick)
  }

  /// Does what the async form does, on the calling thread.
  package func repair() throws -> MaintenanceReport {
    try store.repair()
  }

  /// Does what the async form does, on the calling thread.
  @discardableResult
  package func backup(
    to path: String, replacing isReplacing: Bool = false,
    progress: (_ pages: Int, _ of: Int) -> Void = { _, _ in }
  ) throws -> Int {
    try store.backup(to: path, replacing: isReplacing, progress: progress)
  }
}
