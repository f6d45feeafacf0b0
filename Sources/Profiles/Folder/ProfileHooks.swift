import Foundation
import Geodesy

/// What a ``ProfileFolder`` needs to know of stores, the clock and chance. Tests replace them.
///
/// ```swift
/// import Profiles
///
/// let openPath = store.path
/// var hooks = ProfileHooks()
/// hooks.reasonInUse = { $0 == openPath ? "this app has it open" : nil }
/// let folder = ProfileFolder(path: "/path/to/data", hooks: hooks)
/// print(try folder.remove("work").name)
/// ```
public struct ProfileHooks: Sendable {
  /// Returns why the store at a path cannot be moved, such as that another program has it open;
  /// nil if it can. The file may be missing.
  public var reasonInUse: @Sendable (_ storePath: String) -> String? = { _ in nil }
  /// Returns the identification in the store at a path; nil if it has none, or cannot be read.
  public var storeID: @Sendable (_ storePath: String) -> ProfileID? = { _ in nil }
  /// Returns the current time.
  package var now: @Sendable () -> Timestamp = {
    Timestamp(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000))
  }
  /// Returns the identification of a new profile.
  package var makeID: @Sendable () -> ProfileID = { ProfileID() }
  /// Called before each change on disk. If it throws, the change does not happen, and neither do
  /// those that would follow or undo it: a test ends the program there.
  package var willChange: @Sendable () throws(ProfileError) -> Void = {}

  /// Creates hooks for a program without stores.
  public init() {}
}
