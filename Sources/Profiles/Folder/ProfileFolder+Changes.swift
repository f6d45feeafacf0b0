import ByteStreams

/// What happens to the data of a profile that is left or removed.
///
/// ```swift
/// import Profiles
///
/// let folder = ProfileFolder(path: "/path/to/data")
/// let change = try folder.switch(to: "home", leaving: .erase)
/// if change.left != change.selected {
///   print("\(change.left.name) can be recovered for 24 hours")
/// }
/// ```
public enum ProfileDisposal: Hashable, Sendable {
  /// It stays on this machine.
  case keep
  /// It is erased, and can be recovered for 24 hours.
  case erase
  /// It is deleted at once.
  case eraseNow

  /// How long it can be recovered.
  var recoverySeconds: Int { self == .eraseNow ? 0 : ProfileRegistry.recoverySeconds }
}

extension ProfileFolder {
  /// Returns the list as it is, or as it would be if a profile were created now: the store that is
  /// there becomes the first profile.
  ///
  /// - Throws: ``ProfileError``, as ``registry()`` does.
  public func registryOrFirst() throws(ProfileError) -> ProfileRegistry {
    if let registry = try registry() { return registry }
    return ProfileRegistry(
      first: Profile(
        id: hooks.storeID(firstStorePath) ?? hooks.makeID(), name: ProfileRegistry.firstName,
        createdAt: hooks.now(), isInDataFolder: true))
  }

  /// Runs `body` with the list under the lock, after it was brought in order, and stores what it
  /// has become. Nothing is stored if nothing changed.
  ///
  /// It runs twice: what fails or changes nothing before the lock creates no file for the lock.
  func change<T>(
    _ body: (inout ProfileRegistry) throws(ProfileError) -> T
  ) throws(ProfileError) -> T {
    let known = try registryOrFirst()
    var trial = known
    let outcome = try body(&trial)
    if trial == known { return outcome }
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    let before = try swept(try registryOrFirst())
    var registry = before
    let result = try body(&registry)
    if registry != before { try write(registry) }
    return result
  }

  /// Creates a profile. The store that was there before there were profiles becomes the first one,
  /// named "default"; its file stays where it is.
  ///
  /// - Parameters:
  ///   - name: its name; white space at its ends is removed.
  ///   - isSelecting: whether to select it.
  /// - Throws: ``ProfileError``; nothing is changed then.
  public func create(
    named name: String, selecting isSelecting: Bool = false
  ) throws(ProfileError) -> Profile {
    let profile = try change { (registry) throws(ProfileError) in
      let profile = try registry.create(named: name, id: hooks.makeID(), at: hooks.now())
      if isSelecting { registry.select(profile.id) }
      return profile
    }
    // If this fails, whoever uses the profile first creates it.
    do throws(ProfileError) {
      try makeFolder(of: profile)
    } catch {
      guard case .file = error else { throw error }
    }
    return profile
  }

  /// Gives a profile another name.
  ///
  /// - Throws: ``ProfileError``; nothing is changed then.
  public func rename(_ selector: String, to name: String) throws(ProfileError) -> Profile {
    try change { (registry) throws(ProfileError) in try registry.rename(selector, to: name) }
  }

  /// Selects a profile: commands and apps that start from now on use its store. Programs that run
  /// keep the store that they opened.
  ///
  /// - Parameters:
  ///   - selector: its name, or at least eight leading digits of its id.
  ///   - expected: the profile that is to be left; nil for whichever is selected. If somebody was
  ///     asked about a profile, no other one may be erased.
  ///   - disposal: what happens to the profile that is left. Nothing happens to it if it is the
  ///     selected one already.
  /// - Returns: the profile that was left, and the selected one. They are equal if it was selected.
  /// - Throws: ``ProfileError``; nothing is changed then, except that files which cannot be deleted
  ///   now are deleted by the next program that uses profiles.
  public func `switch`(
    to selector: String, from expected: ProfileID? = nil, leaving disposal: ProfileDisposal = .keep
  ) throws(ProfileError) -> (left: Profile, selected: Profile) {
    let known = try registryOrFirst()
    let target = try known.profile(selector)
    if target.id == known.selectedID { return (target, target) }
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    let before = try swept(try registryOrFirst())
    let (left, selected) = (before.selected, try before.profile(selector))
    guard left.id != selected.id else { return (left, selected) }
    guard expected == nil || expected == left.id else {
      throw .selectionChanged(name: left.name)
    }
    var registry = before
    registry.select(selected.id)
    if disposal == .keep {
      try write(registry)
    } else {
      try erase(left, disposal, from: registry, before: before)
    }
    return (left, selected)
  }

  /// Erases a profile. If it is the only one, a new and empty one is created and selected.
  ///
  /// The files are moved to the folder of erased profiles, from which ``recover(_:named:)`` brings
  /// them back for 24 hours. Deleting removes the files; it does not overwrite their bytes.
  ///
  /// - Parameters:
  ///   - selector: its name, or at least eight leading digits of its id. With `now`, also that of
  ///     an erased profile that can still be recovered.
  ///   - now: whether to delete the files at once.
  /// - Throws: ``ProfileError/isSelected(name:)`` if the profile is selected and there are others,
  ///   ``ProfileError/inUse(name:reason:)`` if another process has it open, and other
  ///   ``ProfileError``. Nothing is changed then, except that files which cannot be deleted now are
  ///   deleted by the next program that uses profiles.
  public func remove(_ selector: String, now: Bool = false) throws(ProfileError) -> Profile {
    let known = try registryOrFirst()
    do throws(ProfileError) {
      _ = try known.profile(selector)
    } catch {
      guard now, (try? known.erasedProfile(selector)) != nil else { throw error }
    }
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    let before = try swept(try registryOrFirst())
    let profile: Profile
    do throws(ProfileError) {
      profile = try before.profile(selector)
    } catch {
      guard now, case .noSuchProfile = error, let entry = try? before.erasedProfile(selector) else {
        throw error
      }
      var registry = before
      registry.expireErased(entry.id)
      try write(registry)
      _ = try swept(registry)
      return entry.profile
    }
    try erase(profile, now ? .eraseNow : .erase, from: before, before: before)
    return profile
  }

  /// Makes an erased profile one of the profiles again. It is not selected.
  ///
  /// - Parameters:
  ///   - selector: its name, or at least eight leading digits of its id.
  ///   - name: its new name; nil for the one that it had.
  /// - Throws: ``ProfileError``; nothing is changed then.
  public func recover(_ selector: String, named name: String? = nil) throws(ProfileError)
    -> Profile
  {
    _ = try registryOrFirst().erasedProfile(selector)
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    let before = try swept(try registryOrFirst())
    let entry = try before.erasedProfile(selector)
    var registry = before
    let profile = try registry.recover(entry.id, named: name)
    let (source, target) = (erasedFolder(entry), ownFolder(entry.id))
    let hasFiles = ProfileFiles.exists(source)
    if hasFiles { try move(source, to: target) }
    do throws(ProfileError) {
      try write(registry)
    } catch {
      if hasFiles { try? move(target, to: source) }
      throw error
    }
    return profile
  }

  /// Stores a list without a profile, and moves the files of the profile away. If they cannot be
  /// moved, everything is as it was.
  ///
  /// - Parameters:
  ///   - registry: the list that still has the profile.
  ///   - before: the stored list.
  private func erase(
    _ profile: Profile, _ disposal: ProfileDisposal, from registry: ProfileRegistry,
    before: ProfileRegistry
  ) throws(ProfileError) {
    var after = registry
    let entry = try after.erase(
      profile.id, at: hooks.now(), keptFor: disposal.recoverySeconds, replacement: hooks.makeID())
    try checkIsNotLinked(profile)
    // No process begins to use the profile while this one has the lock.
    let lock = try lockUnused(profile)
    defer { withExtendedLifetime(lock) {} }
    try write(after)
    do throws(ProfileError) {
      try moveAway(entry)
      after.setMoved(entry.id)
      try write(after)
    } catch {
      do throws(ProfileError) {
        try moveBack(entry)
        try write(before)
      } catch {
        // The next program completes the change.
      }
      throw error
    }
    _ = try swept(after)
  }

  /// Checks that moving the files of a profile moves its data.
  private func checkIsNotLinked(_ profile: Profile) throws(ProfileError) {
    let folder = folder(of: profile)
    let own = profile.isInDataFolder ? [] : [folder]
    let files = ProfileFiles.names.map { FilePath(folder).appending($0) }
    if let path = (own + files).first(where: ProfileFiles.isLink) {
      // A store that is in memory can be locked first.
      if let reason = hooks.reasonInUse(storePath(of: profile)) {
        throw .inUse(name: profile.name, reason: reason)
      }
      throw .linked(name: profile.name, path: path)
    }
  }

  /// Locks a profile that no process uses.
  ///
  /// - Throws: ``ProfileError/inUse(name:reason:)``.
  private func lockUnused(_ profile: Profile) throws(ProfileError) -> FolderLock? {
    let lock: FolderLock?
    do throws(FolderLock.Failure) {
      lock = try FolderLock(folder: folder(of: profile), shared: false)
    } catch {
      switch error {
      case .taken: throw .inUse(name: profile.name, reason: nil)
      // Nothing is there, or this file system has no such locks.
      case .missing, .failed: lock = nil
      }
    }
    if let reason = hooks.reasonInUse(storePath(of: profile)) {
      throw .inUse(name: profile.name, reason: reason)
    }
    return lock
  }
}
