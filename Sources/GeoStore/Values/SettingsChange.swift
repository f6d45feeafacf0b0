/// The settings of a store before and after a change.
///
/// ```swift
/// for await change in explorer.settingsChanges where change.keys.contains(.units) {
///   print("units are \(change.after.units) now")
/// }
/// ```
public struct SettingsChange: Hashable, Sendable {
  /// The settings before.
  public let before: StoreSettings
  /// The settings after.
  public let after: StoreSettings

  /// Creates a change.
  package init(from before: StoreSettings, to after: StoreSettings) {
    (self.before, self.after) = (before, after)
  }

  /// The settings whose value differs, or that are set on one side only: a recording and a text for
  /// people may treat a default differently from the same value set by a person.
  public var keys: Set<SettingKey> {
    Set(
      SettingKey.allCases.filter {
        before[$0] != after[$0] || before.isSet($0) != after.isSet($0)
      })
  }

  /// Returns this change followed by a later one; nil if the later one undoes it.
  func followed(by later: SettingsChange) -> SettingsChange? {
    let both = SettingsChange(from: before, to: later.after)
    return both.keys.isEmpty ? nil : both
  }
}

extension Optional<SettingsChange> {
  /// Adds a later change.
  mutating func merge(_ later: SettingsChange?) {
    guard let later else { return }
    self = map { $0.followed(by: later) } ?? later
  }
}
