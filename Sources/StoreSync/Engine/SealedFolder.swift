import AgeFile

/// The files of a sync folder, encrypted.
// Unchecked: the listing only changes in `list()`, and nothing else runs during that.
package final class SealedFolder: SyncFiles, @unchecked Sendable {
  private let directory: any SyncDirectory
  private let keys: FolderKeys
  /// The bytes that the age format adds to a file, besides a tag for each chunk.
  private let overhead: Int
  /// What the folder contained when it was listed last.
  package private(set) var listing: FolderListing

  private static let chunkBytes = 65_536
  private static let tagBytes = 16

  /// Opens a folder.
  ///
  /// - Parameter listing: what it contains.
  /// - Throws: `AgeError.cryptographyUnavailable`.
  package init(
    _ directory: any SyncDirectory, keys: FolderKeys, listing: FolderListing
  ) throws(AgeError) {
    (self.directory, self.keys, self.listing) = (directory, keys, listing)
    let path = SyncPath.backup(FileName(number: 0))
    overhead =
      try keys.seal([], at: path).count - Envelope.paddedSize(Envelope.headBytes)
      - Self.tagBytes
  }

  package var currentKey: Digest { keys.currentKey }

  package func list() throws -> FileList {
    listing = try directory.listing()
    return FileList(listing)
  }

  package func payloads(of path: SyncPath) throws -> [[UInt8]] {
    try payloads(of: path, allowsOlderKeys: nil)
  }

  package func payloadsOfAnyKey(of path: SyncPath) throws -> [[UInt8]] {
    try payloads(of: path, allowsOlderKeys: true)
  }

  private func payloads(of path: SyncPath, allowsOlderKeys: Bool?) throws -> [[UInt8]] {
    var payloads: [[UInt8]] = []
    var problem: (any Error)?
    // Of the renamed copies, any may be a right one.
    let files = listing.files[path] ?? []
    for file in files {
      do {
        let payload = try keys.open(
          directory.read(path, name: file.name), at: path, allowsOlderKeys: allowsOlderKeys)
        // The others are equal to the right one.
        if files.count > 1, case .source(_, let name) = path, keys.fileName(of: payload) == name {
          return [payload]
        }
        payloads.append(payload)
      } catch {
        problem = problem ?? error
      }
    }
    guard !payloads.isEmpty else {
      throw problem ?? SyncDirectoryError.missing(path: path.description)
    }
    return payloads
  }

  package func write(_ payload: [UInt8], to path: SyncPath) throws {
    do {
      try directory.write(keys.seal(payload, at: path), to: path)
    } catch SyncDirectoryError.exists {
      // Encrypting twice gives other bytes. What is there is right if it can be read.
      let there = try? keys.open(directory.read(path), at: path)
      if there == payload { return }
      if there != nil, case .manifest = path { throw OtherManifest() }
      try directory.remove(path.name, in: path.folder)
      try directory.write(keys.seal(payload, at: path), to: path)
    }
  }

  package func writeCopy(
    _ payload: [UInt8], of path: SyncPath, by device: DeviceName
  ) throws {
    do {
      try directory.write(
        keys.seal(payload, at: path), to: path.copyName(by: device), in: path.folder)
    } catch SyncDirectoryError.exists {
      // Only this device writes it: it was written before.
    }
  }

  package func writeAll(_ next: () throws -> (path: SyncPath, payload: [UInt8])?) throws {
    let queue = WorkQueue()
    do {
      while let file = try next() {
        try queue.add { try self.write(file.payload, to: file.path) }
      }
    } catch {
      try? queue.finish()
      throw error
    }
    try queue.finish()
  }

  package func remove(_ path: SyncPath) throws {
    for file in listing.files[path] ?? [] { try directory.remove(file.name, in: path.folder) }
  }

  package func fileSize(forPayload byteCount: Int) -> UInt64 {
    let plain = Envelope.paddedSize(Envelope.headBytes + byteCount)
    let chunks = (plain + Self.chunkBytes - 1) / Self.chunkBytes
    return UInt64(overhead + plain + Self.tagBytes * chunks)
  }

  package func name(ofSource sha256: String) -> SourceName { keys.sourceName(sha256: sha256) }

  package func name(ofPayload payload: [UInt8]) -> FileName { keys.fileName(of: payload) }
}
