import ByteStreams
import Foundation
import Geodesy

/// The profiles in a data folder.
///
/// Until the second profile is created, the folder has one store and no list of profiles, and
/// nothing here changes anything. From then on the file `profiles.json` lists the profiles. Every
/// change takes a lock, and ends with one replacement of that file: a program that is killed
/// leaves the old list or the new one, and whatever files are not where the list says are moved
/// there by the next program that uses the folder.
///
/// ```swift
/// import Profiles
///
/// func selectWork(inDataFolder path: String) throws {
///   let folder = ProfileFolder(path: path)
///   _ = try folder.create(named: "work")
///   _ = try folder.switch(to: "work")
///   let use = try folder.use()
///   print(use.profile?.name ?? "no profiles", use.storePath)
/// }
/// ```
public struct ProfileFolder: Sendable {
  /// The path of the data folder. It may be missing.
  public let path: String
  /// What the folder needs from outside.
  let hooks: ProfileHooks

  /// Creates a value for a data folder, which is not touched.
  public init(path: String, hooks: ProfileHooks = ProfileHooks()) {
    (self.path, self.hooks) = (path, hooks)
  }

  /// Creates a value for a data folder, which is not touched.
  ///
  /// - Precondition: `url` is a file URL.
  public init(url: URL, hooks: ProfileHooks = ProfileHooks()) {
    self.init(path: url.filePath, hooks: hooks)
  }

  // MARK: Paths

  /// The folder with the files of a profile. The first profile's is the data folder.
  package func folder(of profile: Profile) -> String {
    profile.isInDataFolder ? path : ownFolder(profile.id)
  }

  /// The path of the store of a profile. The file may be missing.
  public func storePath(of profile: Profile) -> String {
    FilePath(folder(of: profile)).appending(ProfileFiles.store)
  }

  /// The path of the store as long as there are no profiles.
  package var firstStorePath: String { file(ProfileFiles.store) }

  /// The size in bytes of the files of a profile.
  package func byteCount(of profile: Profile) -> Int {
    let place = FilePath(folder(of: profile))
    return ProfileFiles.names.reduce(0) { $0 + Self.byteCount(place.appending($1)) }
  }

  /// The time when a file of a profile was last changed; nil if it has no files.
  package func changedAt(_ profile: Profile) -> Timestamp? {
    let place = FilePath(folder(of: profile))
    return ProfileFiles.names.filter { !$0.hasSuffix("-shm") && !$0.hasSuffix(".serve") }
      .compactMap { Self.changedAt(place.appending($0)) }.max()
  }

  /// The path of a file in the data folder.
  func file(_ name: String) -> String { FilePath(path).appending(name) }

  /// The folder of a profile that is not in the data folder itself.
  func ownFolder(_ id: ProfileID) -> String {
    FilePath(file(ProfileFiles.folder)).appending(id.text)
  }

  /// The folder with the erased profiles.
  var erasedFolder: String {
    FilePath(file(ProfileFiles.folder)).appending(ProfileFiles.erased)
  }

  /// The folder of an erased profile.
  func erasedFolder(_ entry: ErasedProfile) -> String {
    FilePath(erasedFolder).appending(entry.folderName)
  }

  private static func byteCount(_ path: String) -> Int {
    var status = stat()
    guard lstat(path, &status) == 0 else { return 0 }
    guard status.st_mode & S_IFMT == S_IFDIR else { return Int(status.st_size) }
    return ProfileFiles.entries(of: path).reduce(0) {
      $0 + byteCount(FilePath(path).appending($1))
    }
  }

  private static func changedAt(_ path: String) -> Timestamp? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Timestamp(
      millisecondsSince1970: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }

  // MARK: The list

  /// The list of profiles; nil if there are no profiles.
  ///
  /// - Throws: ``ProfileError/damaged(path:reason:)``, also if the file is missing although there
  ///   are profiles, ``ProfileError/newerVersion(path:)`` and ``ProfileError/file(path:reason:)``.
  public func registry() throws(ProfileError) -> ProfileRegistry? {
    let path = file(ProfileFiles.list)
    guard let registry = try read(ProfileFiles.list) else {
      guard hasTraces else { return nil }
      throw .damaged(path: path, reason: "the file is missing, although there are profiles")
    }
    return registry
  }

  /// Whether there are profiles, judged by everything but the list.
  var hasTraces: Bool {
    ProfileFiles.exists(file(ProfileFiles.copy)) || ProfileFiles.exists(file(ProfileFiles.folder))
  }

  /// Reads a list from a file of the data folder; nil if there is no such file.
  func read(_ name: String) throws(ProfileError) -> ProfileRegistry? {
    let path = file(name)
    guard ProfileFiles.exists(path) else { return nil }
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try FilePath(path).contents()
    } catch {
      throw .file(path: path, reason: error.reason)
    }
    do throws(ProfileRegistry.ReadFailure) {
      return try ProfileRegistry(bytes: bytes)
    } catch {
      switch error {
      case .newerVersion: throw .newerVersion(path: path)
      case .damaged(let reason): throw .damaged(path: path, reason: reason)
      }
    }
  }

  /// Replaces the list, and then its copy.
  func write(_ registry: ProfileRegistry) throws(ProfileError) {
    let bytes = registry.bytes
    try replace(ProfileFiles.list, with: bytes)
    do throws(ProfileError) {
      try replace(ProfileFiles.copy, with: bytes)
    } catch {
      // The list counts, and it was replaced. The copy follows with the next change.
      guard case .file = error else { throw error }
    }
  }

  private func replace(_ name: String, with bytes: [UInt8]) throws(ProfileError) {
    try hooks.willChange()
    let path = file(name)
    do throws(OutputFailure) {
      let output = try OutputFile(path: path, replacing: true)
      _ = output.write(bytes)
      try output.finish()
    } catch {
      switch error {
      case .exists: throw .file(path: path, reason: "another file appeared in its place")
      case .failed(let failure): throw .file(path: path, reason: failure.reason)
      }
    }
  }

  /// Locks the data folder against changes by other processes, which wait.
  func lock(waiting waits: Bool = true) throws(ProfileError) -> FolderLock {
    let (_, code) = FilePath(path).makeFolders()
    guard code == 0 else {
      throw .file(path: path, reason: FileFailure(path: path, code: code).reason)
    }
    let file = file(ProfileFiles.lock)
    do throws(FolderLock.Failure) {
      return try FolderLock(file: file, waiting: waits)
    } catch {
      switch error {
      case .taken: throw .file(path: file, reason: "another process is changing the profiles")
      case .missing: throw .file(path: file, reason: "its folder is missing")
      case .failed(let reason): throw .file(path: file, reason: "cannot be locked: \(reason)")
      }
    }
  }

  /// Creates the folder of a profile, if it is missing.
  func makeFolder(of profile: Profile) throws(ProfileError) {
    let folder = folder(of: profile)
    guard !ProfileFiles.exists(folder) else { return }
    try hooks.willChange()
    let (_, code) = FilePath(folder).makeFolders()
    guard code == 0 else {
      throw .file(path: folder, reason: FileFailure(path: folder, code: code).reason)
    }
  }
}
