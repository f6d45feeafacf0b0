import AgeFile

/// The files of a sync folder, encrypted.
package final class SealedFolder: SyncFiles {
  private let directory: any SyncDirectory
  private let keys: FolderKeys
  /// The bytes that the age format adds to a file, besides a tag for each chunk.
  private let overhead: Int
  /// What the folder contained when it was listed last.
  package private(set) var listing: FolderListing

  private static let chunkBytes = 65_536
  private static let tagBytes = 16
  /// The most bytes of a file that are read: far more than a source of a million fixes has.
  private static let mostBytes = 1 << 30

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

  package func list() throws -> [SyncPath: UInt64] {
    listing = try directory.listing()
    var sizes: [SyncPath: UInt64] = [:]
    for (path, files) in listing.files {
      sizes[path] = files.first.map { UInt64($0.byteCount) }
    }
    return sizes
  }

  package var isAwaitingBackup: Bool { listing.awaited.keys.contains { $0.kind == .backup } }

  package func payload(of path: SyncPath) throws -> [UInt8] {
    var problem: (any Error)?
    // Of the renamed copies, any may be the right one.
    for file in listing.files[path] ?? [] {
      do {
        return try keys.open(
          directory.read(file.name, in: path.folder, limit: Self.mostBytes), at: path)
      } catch {
        problem = problem ?? error
      }
    }
    throw problem ?? SyncDirectoryError.missing(path: path.description)
  }

  package func write(_ payload: [UInt8], to path: SyncPath) throws {
    do {
      try directory.write(keys.seal(payload, at: path), to: path)
    } catch SyncDirectoryError.exists {
      // Encrypting twice gives other bytes. What is there is right if it can be read.
      if let there = try? self.payload(of: path), there == payload { return }
      try directory.remove(path.name, in: path.folder)
      try directory.write(keys.seal(payload, at: path), to: path)
    }
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
