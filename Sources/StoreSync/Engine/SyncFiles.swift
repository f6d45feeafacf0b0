/// The files of a sync folder as the engine sees them: payloads under paths, decrypted and
/// authenticated.
package protocol SyncFiles {
  /// The digest of the key to which files are encrypted now. It changes when a device is removed.
  var currentKey: Digest { get }
  /// Returns the files that are there.
  func list() throws -> FileList
  /// Returns the payloads of all files of a path that can be believed: one, except where a program
  /// kept several under other names.
  ///
  /// - Throws: any error if there is none.
  func payloads(of path: SyncPath) throws -> [[UInt8]]
  /// Returns the payloads of all files of a path, also if they are encrypted to a key of before.
  func payloadsOfAnyKey(of path: SyncPath) throws -> [[UInt8]]
  /// Writes a file, whole or not at all. A file that is there and has other contents is replaced if
  /// it is a source file.
  ///
  /// - Throws: ``OtherManifest`` if it is a manifest.
  func write(_ payload: [UInt8], to path: SyncPath) throws
  /// Writes a copy of a file that a device found damaged, under a name that only this device
  /// writes (``SyncPath/copyName(by:)``).
  func writeCopy(_ payload: [UInt8], of path: SyncPath, by device: DeviceName) throws
  /// Writes files, several at a time, until `next` returns nil.
  func writeAll(_ next: () throws -> (path: SyncPath, payload: [UInt8])?) throws
  /// Removes a file; does nothing if it is gone.
  func remove(_ path: SyncPath) throws
  /// Returns the size of the file for a payload of `byteCount` bytes.
  func fileSize(forPayload byteCount: Int) -> UInt64
  /// Returns the name of a source, given its SHA-256 as 64 lowercase hexadecimal digits.
  func name(ofSource sha256: String) -> SourceName
  /// Returns the name of a file with a payload.
  func name(ofPayload payload: [UInt8]) -> FileName
}

/// The manifest of this number was written by another store that has the keys of this device.
package struct OtherManifest: Error {
  /// Creates the error.
  package init() {}
}

extension SyncFiles {
  /// Returns the payload of a file.
  ///
  /// - Throws: any error; the file is then not believed.
  func payload(of path: SyncPath) throws -> [UInt8] { try payloads(of: path)[0] }

  package func payloadsOfAnyKey(of path: SyncPath) throws -> [[UInt8]] {
    try payloads(of: path)
  }

  /// Writes files one after the other.
  package func writeAll(_ next: () throws -> (path: SyncPath, payload: [UInt8])?) throws {
    while let file = try next() { try write(file.payload, to: file.path) }
  }

  /// The file for a payload.
  func reference(to payload: [UInt8]) -> FileReference {
    FileReference(name: name(ofPayload: payload), byteCount: fileSize(forPayload: payload.count))
  }
}
