import Geodesy

/// A profile: a store, settings and keys of its own.
///
/// ```swift
/// import Profiles
///
/// let folder = ProfileFolder(path: "/path/to/data")
/// if let reason = Profile.reasonToRefuse(name: "work") {
///   print("Choose another name: \(reason).")
/// } else {
///   let profile = try folder.create(named: "work")
///   print(profile.name, folder.storePath(of: profile))
/// }
/// ```
public struct Profile: Hashable, Sendable, Identifiable {
  /// Its identification, which never changes.
  public let id: ProfileID
  /// Its name, unique among the profiles.
  public internal(set) var name: String
  /// The time when it was created. For the first profile, this is when the second was created,
  /// because there were no profiles before.
  public let createdAt: Timestamp
  /// Whether its files are in the data folder itself, where they were before there were profiles.
  /// Other profiles have a folder of their own.
  package internal(set) var isInDataFolder: Bool

  /// Returns why a text cannot be the name of a profile; nil if it can. White space at its ends
  /// does not matter.
  public static func reasonToRefuse(name: String) -> String? {
    do throws(ProfileError) {
      _ = try ProfileName.checked(name)
    } catch {
      if case .invalidName(_, let reason) = error { return reason }
    }
    return nil
  }

  /// Creates a profile with a name that ``ProfileName`` accepts.
  init(id: ProfileID, name: String, createdAt: Timestamp, isInDataFolder: Bool = false) {
    (self.id, self.name) = (id, name)
    (self.createdAt, self.isInDataFolder) = (createdAt, isInDataFolder)
  }
}

/// A profile that was erased, and can be recovered for a while.
///
/// ```swift
/// import Profiles
///
/// let folder = ProfileFolder(path: "/path/to/data")
/// for entry in try folder.registry()?.erased ?? [] {
///   print("\(entry.profile.name) can be recovered until \(entry.keptUntil.iso8601)")
/// }
/// print(try folder.recover("work").name)
/// ```
public struct ErasedProfile: Hashable, Sendable, Identifiable {
  /// The profile as it was.
  public let profile: Profile
  /// The time when it was erased.
  public let erasedAt: Timestamp
  /// The time until which it can be recovered. Its files are deleted by the first use of profiles
  /// after that.
  public let keptUntil: Timestamp
  /// Whether all its files are in its folder of erased profiles. False only if the program ended
  /// while it moved them.
  var isMoved: Bool

  /// The identification of the profile.
  public var id: ProfileID { profile.id }
  /// The name of its folder of erased profiles.
  var folderName: String { "\(profile.id.text)-\(erasedAt.millisecondsSince1970)" }
}
