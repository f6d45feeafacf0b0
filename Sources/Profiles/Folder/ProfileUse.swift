import ByteStreams

/// The use of the selected profile by this process. As long as it exists, no process erases the
/// profile.
///
/// Keep it for as long as the store is open:
///
/// ```swift
/// import Profiles
///
/// struct OpenProfile {
///   let use: ProfileUse
///   let explorer: Explorer
///   init(inDataFolder path: String) throws {
///     use = try ProfileFolder(path: path).use()
///     explorer = try Explorer(storePath: use.storePath, profileID: use.profile?.id.text)
///   }
/// }
/// ```
public final class ProfileUse: Sendable {
  /// The profile; nil if there are no profiles. Another one may have been selected since.
  public let profile: Profile?
  /// The path of its store; without profiles, the path of the store that there is. The file may be
  /// missing.
  public let storePath: String
  /// Nil if the system allows no lock, such as on a file system that is read-only.
  private let lock: FolderLock?

  init(profile: Profile?, storePath: String, lock: FolderLock?) {
    (self.profile, self.storePath, self.lock) = (profile, storePath, lock)
  }
}

extension ProfileFolder {
  /// Begins to use the selected profile, or the only store if there are no profiles.
  ///
  /// If there is something to bring in order, such as an erased profile whose time is over, this
  /// does it, unless another process is changing the profiles. Without profiles, nothing is
  /// created or changed.
  ///
  /// - Throws: ``ProfileError``, if the list cannot be read, or if the profile is being erased.
  public func use() throws(ProfileError) -> ProfileUse {
    var registry = try registry()
    if let registry, needsSweep(registry) { sweepIfFree() }
    // Another process may select another profile and erase this one before this one has the lock.
    for _ in 0..<8 {
      let profile = registry?.selected
      let attempt = lockShared(profile)
      let now = try self.registry()
      let isCurrent =
        now?.selectedID == profile?.id && now?.selected.isInDataFolder == profile?.isInDataFolder
      let storePath = profile.map(storePath(of:)) ?? firstStorePath
      switch attempt {
      case .taken where isCurrent:
        throw .file(path: storePath, reason: "another process is erasing this profile; try again")
      case .locked(let lock) where isCurrent && lock.isAt(FilePath(storePath).folder):
        return ProfileUse(profile: now?.selected, storePath: storePath, lock: lock)
      case .impossible where isCurrent:
        return ProfileUse(profile: now?.selected, storePath: storePath, lock: nil)
      default: registry = now
      }
    }
    throw .file(path: file(ProfileFiles.list), reason: "the selected profile changes all the time")
  }

  /// Deletes the erased profiles whose time is over, and completes what a killed program left to
  /// do. ``use()`` does the same, but reports no failure.
  ///
  /// - Throws: ``ProfileError``.
  package func tidy() throws(ProfileError) {
    guard let registry = try registry(), needsSweep(registry) else { return }
    let lock = try lock()
    if let registry = try self.registry() { _ = try swept(registry) }
    withExtendedLifetime(lock) {}
  }

  /// The outcome of an attempt to lock a profile together with other processes that use it.
  private enum Attempt {
    case locked(FolderLock)
    /// A process is erasing the profile.
    case taken
    /// There is no such lock on this file system, or the folder cannot be created.
    case impossible
  }

  private func lockShared(_ profile: Profile?) -> Attempt {
    if let profile { try? makeFolder(of: profile) }
    do throws(FolderLock.Failure) {
      let folder = profile.map(folder(of:)) ?? path
      return .locked(try FolderLock(folder: folder, shared: true))
    } catch {
      return error == .taken ? .taken : .impossible
    }
  }

  /// Brings the files in order, unless another process is changing the profiles. What cannot be
  /// done now is done later: it must not keep anybody from using a profile.
  private func sweepIfFree() {
    guard let lock = try? lock(waiting: false) else { return }
    if let registry = try? registry() { _ = try? swept(registry) }
    withExtendedLifetime(lock) {}
  }
}
