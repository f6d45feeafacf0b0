extension Store {
  /// The committed changes of the settings, including those of other processes, which are noticed
  /// as those in ``changes``. Listening starts with the first iteration.
  public var settingsChanges: SettingsChanges { SettingsChanges(of: self) }
}

/// The committed changes of a store's settings, by any process, in the order of their transactions.
///
/// A listener that is slow gets one change, from the settings that it knows to the latest ones. So
/// memory is bounded, and no listener delays a writer. Settings that are changed back meanwhile are
/// no change.
///
/// ```swift
/// let changes = explorer.settingsChanges
/// let observer = Task {
///   for await change in changes { print("settings changed: \(change.keys.map(\.rawValue))") }
/// }
/// ```
public struct SettingsChanges: AsyncSequence, Sendable {
  private let store: Store

  init(of store: Store) { self.store = store }

  /// Starts listening: the iterator returns changes committed from now on.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      listener: store.addListener(for: .settings), watcher: ForeignChanges(of: store))
  }

  /// An iterator that waits for changes of the settings.
  public struct Iterator: AsyncIteratorProtocol {
    let listener: StoreListeners.Listener
    let watcher: ForeignChanges

    /// Returns the next change; nil once the task is canceled.
    public mutating func next() async -> SettingsChange? {
      while let change = await listener.next() {
        if let settings = change.settings { return settings }
      }
      return nil
    }
  }
}

/// Follows a store's settings without waiting for changes, for code that asks now and then.
package final class SettingsFollower: Sendable {
  private let store: Store
  private let listener: StoreListeners.Listener

  /// Starts to follow the settings of a store.
  package init(of store: Store) {
    self.store = store
    listener = store.addListener(for: .settings)
  }

  /// Returns the settings if they changed since the last call, also by another process. While this
  /// process writes, a change by another one may be noticed only by a later call.
  ///
  /// - Complexity: two statements on the writing connection, some microseconds.
  package func changedSettings() -> StoreSettings? {
    store.lookForForeignChange()
    return listener.take()?.settings?.after
  }
}
