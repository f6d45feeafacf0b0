import AgeFile
import ByteStreams
import Foundation
import SQLiteLayer

/// Keeps a store encrypted while it is not in use.
///
/// A locked store `STORE` is the one file `STORE.age`, a tar archive in the age format, which its
/// passphrase opens: `age -d STORE.age | tar -x` does so without this program. It also holds the
/// inbox and the tokens of the home server, and the keys of `roqua sync`, which would open the
/// sync folder. While the store is unlocked, `STORE.age` stays with its older state, so that at any
/// moment one of the two is whole.
///
/// A process that locks or unlocks holds the lock (`flock`) of the encrypted file, and while it
/// locks, SQLite's exclusive lock of the store.
///
/// ```swift
/// import StoreLock
///
/// let lock = StoreLock(path: "/path/to/history.sqlite")
/// if try lock.isLocked {
///   try await lock.unlock(passphrase: "correct horse battery staple")
/// }
/// let explorer = try Explorer(storePath: "/path/to/history.sqlite")
/// print(try await explorer.statistics().cells)
/// ```
public struct StoreLock: Sendable {
  /// Where the store is.
  package let place: LockPlace
  /// How long it takes to try a passphrase; see `AgePassphrase`.
  package var workFactor = AgePassphrase.defaultWorkFactor
  /// The folders of the system in memory, in the order in which they are tried.
  package var memoryFolders: [String]
  /// Called before each change on disk. If it throws, the change does not happen, and neither do
  /// those that would follow: a test ends the program there.
  package var willChange: @Sendable (Step) throws -> Void = { _ in }

  /// A change on disk.
  package enum Step: String, CaseIterable, Sendable {
    case encrypt, placeLocked, readBack, removeLogs, removeStore, removeOther, removeMemory
    case removeLink, decrypt, placeOther, makeLink, placeStore
  }

  /// What locking or unlocking did.
  package struct Outcome: Hashable, Sendable {
    /// The encrypted file, or the store.
    package let path: String
    /// The number of its bytes.
    package let byteCount: Int
    /// Whether the store was locked before, and only what a killed program left was removed.
    package var isCompletion = false
    /// Whether the store had been unlocked into memory, which was emptied since: what was added
    /// and not locked is lost.
    package var wasEmptied = false
  }

  /// The lock of a store.
  ///
  /// - Parameter runtimeFolder: `$XDG_RUNTIME_DIR`; nil if it is not set.
  package init(path: String, runtimeFolder: String?) {
    place = LockPlace(path: path)
    memoryFolders = MemoryFolder.parents(runtimeFolder: runtimeFolder)
  }

  /// Whether the store is locked, and a program that was killed left files of it unencrypted.
  ///
  /// Removes parts of files that such a program wrote.
  package func hasLeftovers() throws -> Bool {
    guard try place.state() == .locked else { return false }
    // Another process that is at work has the lock, and uses them.
    let held = try HeldFile(path: place.lockedPath, ofStore: place.path)
    defer { withExtendedLifetime(held) {} }
    removeParts()
    return try !StoreFile.others(of: place.path).isEmpty
  }

  /// Removes parts of unencrypted files that a killed program left.
  func removeParts() {
    for file in [StoreFile.store, .inbox, .tokens] {
      PartialFile.removeAbandoned(of: file.path(of: place.path))
    }
    let sync = place.path + StoreFile.syncFolder
    for name in PartialFile.names(in: sync) where PartialFile.isPartial(name) {
      unlink(FilePath(sync).appending(name))
    }
    rmdir(sync)  // if it is empty
    for folder in MemoryFolder.all(of: place.path, in: memoryFolders) { folder.removeLeftovers() }
  }

  /// Checks that a passphrase can be used.
  func check(_ passphrase: AgePassphrase) throws {
    guard AgePassphrase.areAvailable else {
      throw AgeError.cryptographyUnavailable(needs: Self.needs)
    }
    guard !passphrase.isEmpty else { throw LockError.emptyPassphrase }
  }

  /// What a program without passphrases needs.
  package static let needs = "libsodium (the package trait Sync), for passphrases"

  /// The encrypted file, held against others.
  ///
  /// - Throws: ``LockError/inUse(path:)``.
  func heldLockedFile() throws(LockError) -> HeldFile {
    guard let held = try HeldFile(path: place.lockedPath, ofStore: place.path),
      held.isAtItsPath
    else { throw .inUse(path: place.path) }
    return held
  }
}
