/// The questions before a profile is left or removed: what happens to its data, and what to do
/// about data that was not synced. Which answers there are is decided here; how they are asked is
/// the program's business.
///
/// ```swift
/// import Profiles
///
/// var leaving = ProfileLeaving(profileName: "work")
/// leaving.unsyncedSources = { 3 }
/// leaving.warn = { print("\($0) sources are not synced") }
/// print(try leaving.disposal(nil) == .keep)
/// ```
package struct ProfileLeaving {
  /// A question.
  package enum Question: Hashable, Sendable {
    /// Whether to keep the data of the profile on this machine, or to erase it.
    case disposal(profile: String)
    /// Whether to sync this number of sources first.
    case sync(profile: String, sources: Int)
  }

  /// An answer. Those that do not fit the question cannot be given.
  package enum Answer: Hashable, Sendable {
    /// Keep the data.
    case keep
    /// Erase the data.
    case erase
    /// Sync first.
    case sync
    /// Go on without syncing.
    case goOn
    /// Change nothing.
    case cancel
  }

  /// The name of the profile.
  package let profileName: String
  /// Returns the number of sources that are on no other device and in no sync folder; nil if the
  /// profile is not synced.
  package var unsyncedSources: () throws -> Int? = { nil }
  /// Syncs the profile; nil if that is not possible here.
  package var sync: (() throws -> Void)?
  /// Asks a person; nil if there is nobody to ask.
  package var ask: ((Question) -> Answer)?
  /// Called with the number of sources that are not synced, before anything happens.
  package var warn: (Int) -> Void = { _ in }

  /// Creates the questions about a profile.
  package init(profileName: String) { self.profileName = profileName }

  /// Decides what happens to the data.
  ///
  /// - Without an instruction and with nobody to ask, the data is kept.
  /// - If sources are not synced, `warn` is called. A person is asked whether to sync them first.
  /// - With nobody to ask, data that was not synced is not deleted at once.
  ///
  /// - Parameter requested: the instruction; nil for none.
  /// - Throws: ``ProfileError/canceled``, ``ProfileError/unsynced(name:sources:)``, and whatever
  ///   `unsyncedSources` and `sync` throw.
  package func disposal(_ requested: ProfileDisposal?) throws -> ProfileDisposal {
    if let sources = try unsyncedSources(), sources > 0 {
      warn(sources)
      if let ask {
        if let sync {
          switch ask(.sync(profile: profileName, sources: sources)) {
          case .sync: try sync()
          case .goOn: break
          case .keep, .erase, .cancel: throw ProfileError.canceled
          }
        }
      } else if requested == .eraseNow {
        throw ProfileError.unsynced(name: profileName, sources: sources)
      }
    }
    if let requested { return requested }
    guard let ask else { return .keep }
    switch ask(.disposal(profile: profileName)) {
    case .keep: return .keep
    case .erase: return .erase
    case .sync, .goOn, .cancel: throw ProfileError.canceled
    }
  }
}
