import ByteStreams
import Foundation
import Geodesy

/// Bringing the files in order with the list: what a killed program left undone, and erased
/// profiles whose time is over.
extension ProfileFolder {
  /// Whether files are not where the list says, or an erased profile is to be deleted.
  /// Complexity: one or two system calls for each erased profile.
  func needsSweep(_ registry: ProfileRegistry) -> Bool {
    let now = registry.erased.isEmpty ? nil : hooks.now()
    return registry.erased.contains { entry in
      !entry.isMoved || entry.keptUntil <= (now ?? entry.keptUntil)
        || ProfileFiles.exists(ownFolder(entry.id))
        || ProfileFiles.exists(erasedFolder(entry) + ProfileFiles.deleting)
    }
  }

  /// Moves the files of erased profiles to where the list says, deletes those whose time is over,
  /// and returns the list without them. Call it under the lock.
  func swept(_ registry: ProfileRegistry) throws(ProfileError) -> ProfileRegistry {
    guard needsSweep(registry) else { return registry }
    var registry = registry
    for entry in registry.erased {
      let deleting = erasedFolder(entry) + ProfileFiles.deleting
      if !ProfileFiles.exists(deleting) {
        try moveAway(entry)
        if !entry.isMoved {
          registry.setMoved(entry.id)
          try write(registry)
        }
        guard entry.keptUntil <= hooks.now() else { continue }
        // From now on it cannot be recovered, because only a part of it may be left.
        if ProfileFiles.exists(erasedFolder(entry)) {
          try move(erasedFolder(entry), to: deleting)
        }
      }
      try delete(deleting)
      registry.dropErased(entry.id)
      try write(registry)
    }
    return registry
  }

  /// Moves whatever files of an erased profile are still at its place.
  func moveAway(_ entry: ErasedProfile) throws(ProfileError) {
    let (own, target) = (ownFolder(entry.id), erasedFolder(entry))
    if ProfileFiles.exists(own) {
      if !ProfileFiles.exists(target) {
        try makeErasedFolder()
        try move(own, to: target)
      } else {
        // A process that had read an older list created the folder again. If it is not empty,
        // another program wrote into it, and its files stay.
        try hooks.willChange()
        ProfileFiles.removeEmptyFolder(own)
      }
    }
    guard entry.profile.isInDataFolder, !entry.isMoved else { return }
    for name in ProfileFiles.names where ProfileFiles.exists(file(name)) {
      try makeErasedFolder()
      if !ProfileFiles.exists(target) {
        try hooks.willChange()
        let (_, code) = FilePath(target).makeFolders()
        try check(code, target)
      }
      try move(file(name), to: FilePath(target).appending(name))
    }
  }

  /// Moves the files of a profile back to where they were before ``moveAway(_:)``.
  func moveBack(_ entry: ErasedProfile) throws(ProfileError) {
    let source = erasedFolder(entry)
    guard ProfileFiles.exists(source) else { return }
    guard entry.profile.isInDataFolder else { return try move(source, to: ownFolder(entry.id)) }
    for name in ProfileFiles.entries(of: source) {
      try move(FilePath(source).appending(name), to: file(name))
    }
    try delete(source)
  }

  /// Moves a file or folder durably. It never replaces another one.
  func move(_ source: String, to target: String) throws(ProfileError) {
    guard !ProfileFiles.exists(target) else {
      throw .file(path: source, reason: "cannot be moved: \(target) exists")
    }
    try hooks.willChange()
    let code = ProfileFiles.move(source, to: target)
    guard code == 0 else {
      throw .file(
        path: source, reason: "cannot be moved: \(FileFailure(path: source, code: code).reason)")
    }
  }

  private func delete(_ path: String) throws(ProfileError) {
    guard ProfileFiles.exists(path) else { return }
    try hooks.willChange()
    let code = ProfileFiles.delete(path)
    guard code == 0 else {
      throw .file(
        path: path, reason: "cannot be deleted: \(FileFailure(path: path, code: code).reason)")
    }
  }

  private func makeErasedFolder() throws(ProfileError) {
    guard !ProfileFiles.exists(erasedFolder) else { return }
    try hooks.willChange()
    let (_, code) = FilePath(erasedFolder).makeFolders()
    try check(code, erasedFolder)
  }

  private func check(_ code: Int32, _ path: String) throws(ProfileError) {
    guard code == 0 else {
      throw .file(path: path, reason: FileFailure(path: path, code: code).reason)
    }
  }
}
