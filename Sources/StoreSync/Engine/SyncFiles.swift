/// The files of a sync folder as the engine sees them: payloads under paths, decrypted and
/// authenticated.
package protocol SyncFiles {
  /// Returns the files that are there, with their sizes in bytes.
  func list() throws -> [SyncPath: UInt64]
  /// Whether the folder had a backup that was not there yet when it was listed last.
  var isAwaitingBackup: Bool { get }
  /// Returns the payload of a file.
  ///
  /// - Throws: any error; the file is then not believed.
  func payload(of path: SyncPath) throws -> [UInt8]
  /// Writes a file, whole or not at all.
  func write(_ payload: [UInt8], to path: SyncPath) throws
  /// Removes a file; does nothing if it is gone.
  func remove(_ path: SyncPath) throws
  /// Returns the size of the file for a payload of so many bytes.
  func fileSize(forPayload byteCount: Int) -> UInt64
  /// Returns the name of a source, given its SHA-256 as 64 lowercase hexadecimal digits.
  func name(ofSource sha256: String) -> SourceName
  /// Returns the name of a file with a payload.
  func name(ofPayload payload: [UInt8]) -> FileName
}

extension SyncFiles {
  /// The file for a payload.
  func reference(to payload: [UInt8]) -> FileReference {
    FileReference(name: name(ofPayload: payload), byteCount: fileSize(forPayload: payload.count))
  }
}
