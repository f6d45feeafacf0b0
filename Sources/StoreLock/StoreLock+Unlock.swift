import AgeFile
import ByteStreams
import Foundation
import GeoStore
import SQLiteLayer

extension StoreLock {
  /// Decrypts the store into a file that only its owner may read. The encrypted file stays.
  ///
  /// - Parameters:
  ///   - isInMemory: whether the file is in memory. The usual path is then a symbolic link to it.
  ///     A power cut, a restart or logging out loses what was changed since.
  ///   - progress: called with the number of bytes that were read, and how many there are.
  /// - Throws: ``LockError``, `AgeError` and `DatabaseError`. The store is then still locked.
  @discardableResult package func unlock(
    with passphrase: AgePassphrase, inMemory isInMemory: Bool = false,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> Outcome {
    try check(passphrase)
    switch try place.state() {
    case .missing: throw DatabaseError.missing(path: place.path)
    case .unlocked: throw LockError.unlocked(path: place.path, file: place.path)
    case .inMemory(let file): throw LockError.unlocked(path: place.path, file: file)
    case .locked: break
    }
    guard !place.isInMemoryOfOther else {
      throw LockError.unsuitable(path: place.path, reason: "its owner has it unlocked in memory")
    }
    let wasEmptied = place.isEmptied
    let held = try heldLockedFile()
    guard try place.state() == .locked else { throw LockError.inUse(path: place.path) }
    removeParts()
    // SQLite would take a log for that of the new file.
    guard StoreFile.hasNoLogs(place.path) else {
      throw LockError.stray(path: place.path + "-wal")
    }
    let folder =
      isInMemory
      ? try MemoryFolder.make(for: place.path, bytes: held.byteCount, in: memoryFolders) : nil
    let target = folder?.file ?? place.path
    do {
      let reader = SealedReader(file: held, path: place.lockedPath, passphrase: passphrase)
      try unpack(reader, to: target, isInMemory: isInMemory) { progress($0, held.byteCount) }
    } catch {
      // Only if it is empty.
      rmdir(target + StoreFile.syncFolder)
      folder?.removeLeftovers()
      throw error
    }
    FilePath.flush(folder: FilePath(place.path).folder)
    var status = stat()
    return Outcome(
      path: target, byteCount: stat(target, &status) == 0 ? Int(status.st_size) : 0,
      wasEmptied: wasEmptied)
  }

  private func unpack(
    _ reader: SealedReader, to target: String, isInMemory: Bool, _ progress: (Int) -> Void
  ) throws {
    try willChange(.decrypt)
    let unpacker = Unpacker(to: target, from: reader.path)
    // A link to memory that is gone: it says that something was lost, until the store is unlocked.
    var link: String?
    do {
      _ = try reader.read(progress: progress) { event in
        try Cancellation.current?.check()
        // Only the right passphrase comes here.
        if place.isLink {
          try willChange(.removeLink)
          link = try? FileManager.default.destinationOfSymbolicLink(atPath: place.path)
          try LockPlace.remove(place.path)
        }
        try unpacker.take(event)
      }
      try unpacker.place { file in
        guard file == .store else { return try willChange(.placeOther) }
        // A complete store in memory always has its link.
        if isInMemory {
          try willChange(.makeLink)
          guard symlink(target, place.path) == 0 else {
            throw LockError(FileFailure(path: place.path, code: errno))
          }
        }
        try willChange(.placeStore)
      }
    } catch {
      if let link { symlink(link, place.path) }
      throw error
    }
  }
}
