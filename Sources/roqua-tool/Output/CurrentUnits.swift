import GeoStore
import Roqua
import Synchronization

/// The units in which this process writes for people: those of the store that it uses.
enum CurrentUnits {
  private struct State {
    var open: (@Sendable () throws -> Explorer)?
    var system: UnitSystem?
  }

  private static let state = Mutex(State())

  /// Takes the units of this store from now on. Its settings are read when a text needs them.
  ///
  /// This does not keep the store open, because SQLite removes the files next to it only when the
  /// last connection closes. Text that is printed later opens it again.
  static func use(_ explorer: Explorer, at path: String) {
    use { [weak explorer] in
      try explorer ?? Explorer(storePath: path, creating: false, savesMemory: true)
    }
  }

  /// The same for a store that may not exist, or cannot be read: units are metric then.
  static func use(_ open: @escaping @Sendable () throws -> Explorer) {
    state.withLock { $0 = State(open: open) }
  }

  /// The units.
  static var system: UnitSystem {
    let (known, open) = state.withLock { ($0.system, $0.open) }
    if let known { return known }
    // Not under the lock: opening a store takes its units.
    let system = (try? open?().settings().units) ?? .metric
    state.withLock { $0.system = system }
    return system
  }
}
