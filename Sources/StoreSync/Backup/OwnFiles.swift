/// The folder without the manifests of other devices, so that a backup says what the store held
/// before it hears of them.
struct OwnFiles: SyncFiles {
  let files: any SyncFiles
  let device: DeviceName

  var currentKey: Digest { files.currentKey }

  func list() throws -> FileList {
    func isOwn(_ path: SyncPath) -> Bool {
      if case .manifest(let other, _) = path { other == device } else { true }
    }
    var list = try files.list()
    list.sizes = list.sizes.filter { isOwn($0.key) }
    list.awaited = list.awaited.filter(isOwn)
    return list
  }

  func payloads(of path: SyncPath) throws -> [[UInt8]] { try files.payloads(of: path) }

  func write(_ payload: [UInt8], to path: SyncPath) throws { try files.write(payload, to: path) }

  func writeCopy(_ payload: [UInt8], of path: SyncPath, by device: DeviceName) throws {
    try files.writeCopy(payload, of: path, by: device)
  }

  func payloadsOfAnyKey(of path: SyncPath) throws -> [[UInt8]] {
    try files.payloadsOfAnyKey(of: path)
  }

  func writeAll(_ next: () throws -> (path: SyncPath, payload: [UInt8])?) throws {
    try files.writeAll(next)
  }

  func remove(_ path: SyncPath) throws { try files.remove(path) }

  func fileSize(forPayload byteCount: Int) -> UInt64 { files.fileSize(forPayload: byteCount) }

  func name(ofSource sha256: String) -> SourceName { files.name(ofSource: sha256) }

  func name(ofPayload payload: [UInt8]) -> FileName { files.name(ofPayload: payload) }
}
