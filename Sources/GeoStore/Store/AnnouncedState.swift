import SQLiteLayer

/// The state of a store that its listeners know: what other connections commit later, and what the
/// settings are then, is announced as the difference from it.
struct AnnouncedState {
  /// What shows that another connection has written.
  private struct Foreign {
    /// `PRAGMA data_version` of the writing connection, which changes when another connection has
    /// written.
    let dataVersion: Int64
    /// The greatest number of any source.
    let lastSource: Int64

    /// What the writing connection sees; nil if it cannot be read.
    init?(_ writer: Connection) {
      guard let version = try? writer.integer("PRAGMA data_version"),
        let last = try? writer.integer("SELECT coalesce(max(id), 0) FROM sources"),
        last == 0 || StoredRange.rowID.contains(last)
      else { return nil }
      (dataVersion, lastSource) = (version, last)
    }
  }

  /// Nil before the first check.
  private var foreign: Foreign?
  /// Nil before the first listener.
  private var settings: StoreSettings?

  /// A state of which nothing is known.
  init() {}

  /// The state that a writing connection sees.
  init(seenBy writer: Connection) {
    foreign = Foreign(writer)
    settings = try? StoreSettings.read(from: writer)
  }

  /// Returns how the settings differ from those that the listeners know, and notes that they know
  /// them now.
  ///
  /// - Parameters:
  ///   - before: the settings to compare with if the listeners know none.
  ///   - hasNewListener: whether a first listener was added, who does not know them either.
  mutating func takeSettingsChange(
    to now: StoreSettings, from before: StoreSettings, hasNewListener: Bool
  ) -> SettingsChange? {
    let known = hasNewListener ? nil : settings
    settings = now
    let change = SettingsChange(from: known ?? before, to: now)
    return change.keys.isEmpty ? nil : change
  }

  /// Returns what other connections committed since the last call, and notes that the listeners
  /// know it now; nil if there was nothing.
  ///
  /// - Parameter hasNewListener: as in ``takeSettingsChange(to:from:hasNewListener:)``.
  mutating func takeForeignChange(
    seenBy writer: Connection, hasNewListener: Bool
  ) -> StoreChange? {
    guard let state = Foreign(writer) else { return nil }
    let before = foreign
    foreign = state
    guard let before, before.dataVersion != state.dataVersion else { return nil }
    var change = StoreChange()
    change.isIncomplete = true
    let added = max(0, state.lastSource - before.lastSource)
    if added <= StoreChange.maximumCount {
      change.sourcesChanged = Set(state.lastSource - added + 1..<state.lastSource + 1)
    }
    if let now = try? StoreSettings.read(from: writer) {
      change.settings = takeSettingsChange(to: now, from: now, hasNewListener: hasNewListener)
    }
    return change
  }
}
