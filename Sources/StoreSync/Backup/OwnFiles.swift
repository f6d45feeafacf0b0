/// The folder without the manifests of other devices, so that a backup says what the store held
/// before it hears of them.
struct OwnFiles: SyncFiles {
  let files: any SyncFiles
  let device: DeviceName

  func list() throws -> [SyncPath: UInt64] {
    try files.list().filter { path, _ in
      if case .manifest(let other, _) = path { other == device } else { true }
    }
  }

  var isAwaitingBackup: Bool { files.isAwaitingBackup }

  func payload(of path: SyncPath) throws -> [UInt8] { try files.payload(of: path) }

  func write(_ payload: [UInt8], to path: SyncPath) throws { try files.write(payload, to: path) }

  func remove(_ path: SyncPath) throws { try files.remove(path) }

  func fileSize(forPayload byteCount: Int) -> UInt64 { files.fileSize(forPayload: byteCount) }

  func name(ofSource sha256: String) -> SourceName { files.name(ofSource: sha256) }

  func name(ofPayload payload: [UInt8]) -> FileName { files.name(ofPayload: payload) }
}
