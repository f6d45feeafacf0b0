import ByteStreams
import Geodesy

/// What a repair of the list of profiles found.
///
/// ```swift
/// import Profiles
///
/// let folder = ProfileFolder(path: "/path/to/data")
/// if let repair = try folder.repair(), repair.isChanged {
///   print("selected:", repair.registry.selected.name)
/// }
/// ```
public struct ProfileRepair: Hashable, Sendable {
  /// Where the list came from.
  package enum Origin: Hashable, Sendable {
    /// The list itself was readable.
    case list
    /// The copy of the list.
    case copy
    /// Only the folders of the profiles: their names were lost.
    case folders
  }

  /// Where the list came from.
  package let origin: Origin
  /// The profiles whose files were found, and which the list did not have.
  package let found: [Profile]
  /// The list after the repair.
  public let registry: ProfileRegistry
  /// Whether anything was changed.
  public let isChanged: Bool
}

extension ProfileFolder {
  /// Restores a damaged or missing list of profiles: from its copy, else from the folders of the
  /// profiles. Profiles that the list does not have are added with a name made of their id. The
  /// damaged file is kept as `profiles.damaged.json`.
  ///
  /// The names, and which profile is selected, are known only if the list or its copy is readable;
  /// otherwise the first profile is selected if its store exists, else the one with the smallest
  /// id.
  ///
  /// - Returns: what was found; nil if there are no profiles.
  /// - Throws: ``ProfileError/newerVersion(path:)``, ``ProfileError/file(path:reason:)``.
  /// - Complexity: O(profiles).
  public func repair() throws(ProfileError) -> ProfileRepair? {
    guard ProfileFiles.exists(file(ProfileFiles.list)) || hasTraces else { return nil }
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    let list = try readIfWhole(ProfileFiles.list)
    let copy = try readIfWhole(ProfileFiles.copy)
    let origin: ProfileRepair.Origin = list != nil ? .list : copy != nil ? .copy : .folders
    let (registry, found) = completed(list ?? copy)
    let isChanged = registry != list || registry != copy
    if isChanged {
      if list == nil, ProfileFiles.exists(file(ProfileFiles.list)) {
        let kept = file(ProfileFiles.damaged)
        if ProfileFiles.exists(kept) { _ = ProfileFiles.delete(kept) }
        // Restoring the list is worth more than keeping the damaged one.
        try? move(file(ProfileFiles.list), to: kept)
      }
      try write(registry)
    }
    return ProfileRepair(
      origin: origin, found: found, registry: try swept(registry), isChanged: isChanged)
  }

  /// A list that is readable; nil if it is damaged or missing.
  ///
  /// - Throws: ``ProfileError/newerVersion(path:)``, ``ProfileError/file(path:reason:)``.
  private func readIfWhole(_ name: String) throws(ProfileError) -> ProfileRegistry? {
    do throws(ProfileError) {
      return try read(name)
    } catch {
      guard case .damaged = error else { throw error }
      return nil
    }
  }

  /// A list with all profiles that have files, and those of them that were added.
  private func completed(_ known: ProfileRegistry?) -> (ProfileRegistry, found: [Profile]) {
    let time = hooks.now()
    var found: [Profile] = []
    var registry = known
    func add(_ profile: Profile) {
      found.append(profile)
      if registry == nil {
        registry = ProfileRegistry(first: profile)
      } else {
        registry?.adopt(profile)
      }
    }
    if known == nil, ProfileFiles.exists(firstStorePath) {
      let id = hooks.storeID(firstStorePath) ?? hooks.makeID()
      add(
        Profile(
          id: ProfileFiles.exists(ownFolder(id)) ? hooks.makeID() : id,
          name: ProfileRegistry.firstName, createdAt: time, isInDataFolder: true))
    }
    let listed = Set((known?.profiles.map(\.id) ?? []) + (known?.erased.map(\.id) ?? []))
    for name in ProfileFiles.entries(of: file(ProfileFiles.folder)) {
      guard let id = ProfileID(name), !listed.contains(id), isNotEmpty(ownFolder(id)) else {
        continue
      }
      let name = "recovered-\(id.text.prefix(ProfileRegistry.fewestDigits))"
      add(Profile(id: id, name: registry?.unusedName(name) ?? name, createdAt: time))
    }
    var whole =
      registry
      ?? ProfileRegistry(
        first: Profile(
          id: hooks.makeID(), name: ProfileRegistry.firstName, createdAt: time,
          isInDataFolder: true))
    for entry in unlistedErased(except: Set((whole.profiles.map(\.id)) + whole.erased.map(\.id))) {
      whole.adopt(entry)
    }
    return (whole, found)
  }

  /// The erased profiles whose files are there, and which no list has: they can be recovered for 24
  /// hours from now on. Of several with the same id, the one that was erased last.
  private func unlistedErased(except listed: Set<ProfileID>) -> [ErasedProfile] {
    var latest: [ProfileID: ErasedProfile] = [:]
    for name in ProfileFiles.entries(of: erasedFolder) {
      let parts = name.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 2, let id = ProfileID(String(parts[0])), !listed.contains(id),
        let milliseconds = Int64(parts[1])
      else { continue }
      let erasedAt = Timestamp(millisecondsSince1970: milliseconds)
      guard latest[id].map({ $0.erasedAt < erasedAt }) ?? true, erasedAt.iso8601.count >= 20 else {
        continue
      }
      let kept = hooks.now().millisecondsSince1970 + Int64(ProfileRegistry.recoverySeconds) * 1_000
      latest[id] = ErasedProfile(
        profile: Profile(
          id: id, name: "recovered-\(id.text.prefix(ProfileRegistry.fewestDigits))",
          createdAt: erasedAt),
        erasedAt: erasedAt,
        keptUntil: max(erasedAt, Timestamp(millisecondsSince1970: kept)), isMoved: true)
    }
    return latest.values.sorted { $0.id.text < $1.id.text }
  }

  private func isNotEmpty(_ folder: String) -> Bool { !ProfileFiles.entries(of: folder).isEmpty }
}
