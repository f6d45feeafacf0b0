import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// Listening to changes of the settings.
@Suite(.timeLimit(.minutes(60))) struct SettingsChangeTests {
  private let folder: TemporaryFolder
  private let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try Store(path: folder.file("s.sqlite"), creating: true)
  }

  /// Writes without `async`, as the calls between two looks of a listener must.
  private func write<T>(
    by other: Store? = nil, _ body: (WriteSession) throws -> T
  ) throws -> T {
    try (other ?? store).write(body)
  }

  private func set(_ key: SettingKey, _ value: Double, by other: Store? = nil) throws {
    try write(by: other) { session in try session.set(key, to: value) }
  }

  private func reset(_ key: SettingKey) throws {
    try write { session in try session.reset(key) }
  }

  private func settings() throws -> StoreSettings { try store.read { $0.settings } }

  @Test func `every listener gets each change, with the settings before and after`() async throws {
    var listeners = (0..<3).map { _ in store.settingsChanges.makeAsyncIterator() }
    var known = try settings()
    for (key, value) in [(SettingKey.visitGapMinutes, 45.0), (.units, 1), (.visitGapMinutes, 20)] {
      try set(key, value)
      let now = try settings()
      for index in listeners.indices {
        let change = try #require(await listeners[index].next())
        #expect(change.before == known && change.after == now && change.keys == [key])
      }
      known = now
    }
    try reset(.units)
    let change = try #require(await listeners[0].next())
    #expect(change.keys == [.units] && !change.after.isSet(.units))
  }

  @Test func `setting a default is a change, and setting the same value again is not`()
    async throws
  {
    var listener = store.settingsChanges.makeAsyncIterator()
    try set(.percentageDecimals, SettingKey.percentageDecimals.defaultValue)
    #expect(await listener.next()?.keys == [.percentageDecimals])
    try set(.percentageDecimals, SettingKey.percentageDecimals.defaultValue)
    try set(.units, 1)
    #expect(await listener.next()?.keys == [.units])
  }

  @Test func `a slow listener gets one change, to the latest settings`() async throws {
    var listener = store.settingsChanges.makeAsyncIterator()
    for index in 0..<200 {
      try set(.trackingDistanceMeters, Double(index))
      try set(.maximumAccuracyMeters, Double(index + 1))
    }
    // Changed and changed back: no change for somebody who did not look meanwhile.
    try set(.units, 1)
    try reset(.units)
    let change = try #require(await listener.next())
    #expect(change.before == StoreSettings())
    #expect(try change.after == settings())
    #expect(change.keys == [.trackingDistanceMeters, .maximumAccuracyMeters])
    try set(.colorScheme, 2)
    #expect(await listener.next()?.keys == [.colorScheme])
  }

  @Test func `a change that is not stored is not announced`() async throws {
    struct Failure: Error {}
    var listener = store.settingsChanges.makeAsyncIterator()
    #expect(throws: Failure.self) {
      try write { session in
        try session.set(.visitGapMinutes, to: 3)
        throw Failure()
      }
    }
    try write { session in
      try session.set(.visitGapMinutes, to: 4)
      session.cancel()
    }
    try write { session in
      try session.set(.colorTheme, to: 1)
      try? session.attempt {
        try session.set(.visitGapMinutes, to: 5)
        throw Failure()
      }
    }
    let change = try #require(await listener.next())
    #expect(change.keys == [.colorTheme] && change.before == StoreSettings())
  }

  @Test func `a listener that begins during a transaction gets its change`() async throws {
    var listener = try write { session in
      try session.set(.visitGapMinutes, to: 5)
      let listener = store.settingsChanges.makeAsyncIterator()
      try session.set(.units, to: 1)
      return listener
    }
    let change = try #require(await listener.next())
    #expect(change.before == StoreSettings())
    #expect(try change.after == settings())
  }

  @Test func `a listener to all changes hears of settings, and one to settings of nothing else`()
    async throws
  {
    var settingsOnly = store.settingsChanges.makeAsyncIterator()
    try write { session in
      #expect(session.change == nil, "details are collected for nobody")
    }
    var all = store.changes.makeAsyncIterator()
    try store.add([], as: "a")
    #expect(await all.next()?.settings == nil)
    try set(.units, 1)
    let change = try #require(await all.next())
    #expect(change.settings?.keys == [.units] && !change.isIncomplete && change.areas.isEmpty)
    #expect(await settingsOnly.next() == change.settings)
    try set(.visitGapMinutes, 3)
    let rebuilt = try #require(await all.next())
    #expect(rebuilt.settings?.keys == [.visitGapMinutes] && rebuilt.isIncomplete)
  }

  @Test func `changes by another connection are noticed`() async throws {
    let other = try Store(path: store.path, creating: false)
    var listener = store.settingsChanges.makeAsyncIterator()
    try set(.visitGapMinutes, 45, by: other)
    let change = try #require(await listener.next())
    #expect(change.keys == [.visitGapMinutes] && change.before == StoreSettings())
    // Before the next check, this connection changes another setting.
    try set(.units, 1, by: other)
    try set(.colorTheme, 2)
    let both = try #require(await listener.next())
    #expect(both.keys == [.units, .colorTheme] && both.before == change.after)
    #expect(try both.after == settings())
  }

  @Test func `a follower sees a change of any connection at once, and only once`() throws {
    let other = try Store(path: store.path, creating: false)
    let follower = SettingsFollower(of: store)
    #expect(follower.changedSettings() == nil)
    try set(.maximumAccuracyMeters, 10, by: other)
    #expect(follower.changedSettings()?.maximumAccuracyMeters == 10)
    #expect(follower.changedSettings() == nil)
    try set(.maximumAccuracyMeters, 20)
    try store.add([], as: "a")
    #expect(follower.changedSettings()?.maximumAccuracyMeters == 20)
    #expect(follower.changedSettings() == nil)
    try set(.maximumAccuracyMeters, 20, by: other)
    #expect(follower.changedSettings() == nil)
  }

  @Test(arguments: Seeds.sample(8))
  func `what a listener hears adds up to the settings, whoever changes them`(seed: UInt64)
    async throws
  {
    var random = SplitMix64(seed: seed)
    let other = try Store(path: store.path, creating: false)
    // Of several connections, those that come later may see what was before them.
    try set(.units, 1)
    var listener = store.settingsChanges.makeAsyncIterator()
    var known = try settings()
    for _ in 0..<60 {
      let writer = Bool.random(using: &random) ? store : other
      try write(by: writer) { session in
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let key = SettingKey.allCases.randomElement(using: &random) ?? .units
          if Bool.random(using: &random) {
            try session.set(key, to: key.range.lowerBound.rounded(.up))
          } else {
            try session.reset(key)
          }
        }
        if Int.random(in: 0..<6, using: &random) == 0 { session.cancel() }
      }
      if Int.random(in: 0..<4, using: &random) == 0 { store.lookForForeignChange() }
      if Int.random(in: 0..<3, using: &random) == 0, let pending = listener.listener.take() {
        let change = try #require(pending.settings)
        #expect(change.before == known && !change.keys.isEmpty)
        known = change.after
      }
    }
    store.lookForForeignChange()
    if let change = listener.listener.take()?.settings {
      #expect(change.before == known)
      known = change.after
    }
    #expect(try known == settings())
    try set(.visitGapMinutes, 77)
    #expect(await listener.next()?.keys == [.visitGapMinutes])
  }

  @Test func `a listener ends with its task`() async throws {
    let store = store
    let listener = Task {
      var count = 0
      for await _ in store.settingsChanges { count += 1 }
      return count
    }
    listener.cancel()
    #expect(await listener.value == 0)
    try set(.units, 1)
  }
}
