import AgeFile
import ByteStreams
import Foundation
import GeoStore
import SQLiteLayer

extension StoreLock {
  /// Encrypts the store, reads the encrypted file back, and only then removes the store.
  ///
  /// If the store is locked already, and a killed program left files of it unencrypted, those are
  /// removed if the encrypted file holds the same bytes.
  ///
  /// - Parameter progress: called with the number of bytes that are encrypted, and how many there
  ///   are.
  /// - Throws: ``LockError``, `AgeError` and `DatabaseError`. The store is then as it was, except
  ///   that ``LockError/notRemoved(path:reason:)`` leaves both.
  @discardableResult package func lock(
    with passphrase: AgePassphrase, progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> Outcome {
    try check(passphrase)
    switch try place.state() {
    case .missing: throw DatabaseError.missing(path: place.path)
    case .locked: return try complete(with: passphrase)
    case .unlocked: return try lock(place.path, with: passphrase, progress)
    case .inMemory(let file): return try lock(file, with: passphrase, progress)
    }
  }

  /// A file to encrypt.
  private struct Content {
    let file: StoreFile
    let byteCount: Int
    /// Nil for a file that is not a database.
    let database: ClosedDatabase?
    /// Returns bytes from an offset on.
    let bytes: (Int) throws -> [UInt8]
  }

  private func lock(
    _ store: String, with passphrase: AgePassphrase, _ progress: (Int, Int) -> Void
  ) throws -> Outcome {
    let older = try HeldFile(path: place.lockedPath, ofStore: place.path)
    let sync = store + StoreFile.syncFolder
    if let name = PartialFile.names(in: sync).sorted().last(where: StoreFile.isReplaced) {
      throw LockError.keepsReplaced(path: FilePath(sync).appending(name))
    }
    let syncLock = try HeldFile(
      path: FilePath(sync).appending(StoreFile.syncLock), ofStore: place.path)
    defer { withExtendedLifetime((older, syncLock)) {} }
    var contents = [try content(.store, of: store)]
    for file in try StoreFile.others(of: store) { contents.append(try content(file, of: store)) }
    try willChange(.encrypt)
    let writer = try SealedWriter(path: place.lockedPath, with: passphrase, workFactor: workFactor)
    try write(contents, to: writer, progress)
    let digest = try writer.complete()
    // The writer holds the lock of the new file until the end.
    defer { withExtendedLifetime(writer) {} }
    // Before it replaces an older one.
    let byteCount = try readBack(writer.partialPath, digest, with: passphrase)
    try willChange(.placeLocked)
    try writer.place()
    try remove(contents, of: store)
    return Outcome(path: place.lockedPath, byteCount: byteCount)
  }

  private func content(_ file: StoreFile, of store: String) throws -> Content {
    let path = file.path(of: store)
    // An inbox that was never used is an empty file.
    if file == .store || file.isDatabase && DatabaseFile.isDatabase(path: path) {
      let database = try ClosedDatabase(path: path)
      return Content(
        file: file, byteCount: database.byteCount, database: database, bytes: database.bytes)
    }
    do throws(FileFailure) {
      let bytes = try FilePath(path).contents()
      return Content(file: file, byteCount: bytes.count, database: nil) { Array(bytes[$0...]) }
    } catch {
      throw LockError(error)
    }
  }

  private func write(
    _ contents: [Content], to writer: SealedWriter, _ progress: (Int, Int) -> Void
  ) throws {
    let total = contents.reduce(0) { $0 + $1.byteCount }
    let now = Int(Date().timeIntervalSince1970)
    var done = 0
    for content in contents {
      try writer.append(
        TarHeader(name: content.file.name, size: content.byteCount, seconds: now).block)
      var offset = 0
      while offset < content.byteCount {
        try Cancellation.current?.check()
        let bytes = try content.bytes(offset)
        guard !bytes.isEmpty else {
          throw LockError.file(path: place.path, reason: "it became shorter while it was read")
        }
        try writer.append(bytes)
        offset += bytes.count
        progress(done + offset, total)
      }
      done += content.byteCount
      let padding = TarHeader.paddingBytes(after: content.byteCount)
      try writer.append([UInt8](repeating: 0, count: padding))
    }
    try writer.append(TarHeader.end)
  }

  /// Decrypts the new encrypted file, and compares its contents. Returns the number of its bytes.
  private func readBack(
    _ path: String, _ digest: [UInt8], with passphrase: AgePassphrase
  ) throws -> Int {
    try willChange(.readBack)
    do {
      // Without a lock of its own: the writer has it.
      guard let file = try HeldFile(reading: path) else {
        throw LockError.file(path: place.lockedPath, reason: "it does not exist")
      }
      file.forgetCached()
      let reader = SealedReader(file: file, path: place.lockedPath, passphrase: passphrase)
      guard try reader.read(to: { _ in try Cancellation.current?.check() }) == digest else {
        throw LockError.file(path: place.lockedPath, reason: "its contents differ")
      }
      return file.byteCount
    } catch let error as CancellationError {
      throw error
    } catch {
      throw LockError.notReadBack(path: place.lockedPath, reason: "\(error)")
    }
  }

  /// Removes what was encrypted: the store first, because without it the encrypted file counts.
  private func remove(_ contents: [Content], of store: String) throws {
    try willChange(.removeLogs)
    try ClosedDatabase.removeLogs(of: store)
    for content in contents {
      let path = content.file.path(of: store)
      try willChange(content.file == .store ? .removeStore : .removeOther)
      if content.database != nil { try ClosedDatabase.removeLogs(of: path) }
      try LockPlace.remove(path)
      if content.file == .store { FilePath.flush(folder: FilePath(path).folder) }
    }
    try removeEmptySyncFolder(of: store)
    PartialFile.removeAbandoned(of: place.path)
    if store != place.path {
      try willChange(.removeMemory)
      MemoryFolder(path: FilePath(store).folder).removeLeftovers()
      try willChange(.removeLink)
      try LockPlace.remove(place.path)
    }
    FilePath.flush(folder: FilePath(place.path).folder)
  }

  /// Removes the folder with the keys of sync, if nothing that matters is in it.
  private func removeEmptySyncFolder(of store: String) throws(LockError) {
    let folder = store + StoreFile.syncFolder
    for name in PartialFile.names(in: folder)
    where name == StoreFile.syncLock || PartialFile.isPartial(name) {
      try LockPlace.remove(FilePath(folder).appending(name))
    }
    rmdir(folder)
  }

  /// Removes what a killed program left of a store that is locked.
  private func complete(with passphrase: AgePassphrase) throws -> Outcome {
    let held = try heldLockedFile()
    guard try place.state() == .locked else { throw LockError.inUse(path: place.path) }
    removeParts()
    let others = try StoreFile.others(of: place.path)
    guard !others.isEmpty else { throw LockError.locked(path: place.path) }
    var (digests, name, hash) = ([String: [UInt8]](), "", SHA256())
    let reader = SealedReader(file: held, path: place.lockedPath, passphrase: passphrase)
    _ = try reader.read { event in
      switch event {
      case .member(let header): (name, hash) = (header.name, SHA256())
      case .bytes(let bytes): hash.update(bytes)
      case .endOfMember: digests[name] = hash.finalize()
      }
    }
    for other in others {
      let path = other.path(of: place.path)
      guard let digest = digests[other.name], try StoreFile.digest(of: path) == digest,
        StoreFile.hasNoLogs(path)
      else { throw LockError.stray(path: path) }
    }
    for other in others {
      let path = other.path(of: place.path)
      try willChange(.removeOther)
      if other.isDatabase { try ClosedDatabase.removeLogs(of: path) }
      try LockPlace.remove(path)
    }
    try removeEmptySyncFolder(of: place.path)
    FilePath.flush(folder: FilePath(place.path).folder)
    return Outcome(path: place.lockedPath, byteCount: held.byteCount, isCompletion: true)
  }
}
