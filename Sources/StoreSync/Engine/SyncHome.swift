import ByteStreams
import Foundation

/// What a device keeps next to its store, in a folder that only its owner may read: its own key,
/// and the keys of the sync folder.
package struct SyncHome: Sendable {
  /// The path of the folder.
  package let path: String

  /// The folder of a store: next to the file, also if the path is a symbolic link to it.
  package init(storePath: String) { path = FilePath(storePath).resolved + "-sync" }

  /// The name of the file with the key of the device.
  static let deviceKeyName = "device.key"

  private var keyPath: String { path + "/" + Self.deviceKeyName }
  private var ringPath: String { path + "/folder.keys" }
  private var recoveryPath: String { path + "/recovery.key" }
  private var pathPath: String { path + "/folder.path" }

  /// Keeps other syncs of the store out while the lock is alive; nil if one is running.
  ///
  /// - Throws: ``DeviceKeyFile/Problem``.
  func lock() throws -> Lock? {
    try make()
    let descriptor = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let reason = FileFailure(path: path, code: errno).reason
      throw DeviceKeyFile.Problem.failed(path: path, reason: reason)
    }
    let lock = Lock(descriptor: descriptor)
    let code = FileLock.take(descriptor)
    guard code == 0 || code == EWOULDBLOCK else {
      let reason = FileFailure(path: path, code: code).reason
      throw DeviceKeyFile.Problem.failed(path: path, reason: "locking it failed: \(reason)")
    }
    return code == 0 ? lock : nil
  }

  /// A lock, which ends with its owner.
  final class Lock: Sendable {
    private let descriptor: Int32
    init(descriptor: Int32) { self.descriptor = descriptor }
    deinit { FileLock.release(descriptor) }
  }

  private func make() throws {
    // On a new device, the store and its folder are missing.
    let (_, code) = FilePath(FilePath(path).folder).makeFolders()
    guard code == 0, mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw DeviceKeyFile.Problem.failed(
        path: path, reason: FileFailure(path: path, code: code == 0 ? errno : code).reason)
    }
    // What is in it is for nobody else.
    chmod(path, 0o700)
  }

  /// Returns the key of this device, which is made if there is none.
  ///
  /// - Throws: ``DeviceKeyFile/Problem``.
  package func deviceKey() throws -> SecretKey {
    do throws(DeviceKeyFile.Problem) {
      return try DeviceKeyFile.read(keyPath).key
    } catch {
      guard case .missing = error else { throw error }
    }
    try make()
    let secret = SecretKey.random()
    try DeviceKeyFile.write(secret, to: keyPath)
    return secret
  }

  /// Returns the path of the sync folder that was used last; nil if there is none.
  ///
  /// - Throws: ``DeviceKeyFile/Problem``.
  package func folderPath() throws -> String? {
    guard let bytes = try contents(of: pathPath), !bytes.isEmpty else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the bytes of a file; nil if it does not exist.
  private func contents(of path: String) throws(DeviceKeyFile.Problem) -> [UInt8]? {
    if access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR { return nil }
    do throws(FileFailure) {
      return try FilePath(path).contents()
    } catch {
      throw .failed(path: path, reason: error.reason)
    }
  }

  /// Keeps the path of the sync folder, for the next time.
  package func keep(folderPath: String) throws {
    guard try self.folderPath() != folderPath else { return }
    try write(Array(folderPath.utf8), to: pathPath)
  }

  /// Returns the keys of the sync folder; nil if the device has not joined one.
  ///
  /// - Throws: ``SyncFormatError`` if the file is damaged, ``DeviceKeyFile/Problem``.
  package func ring() throws -> KeyRing? {
    try contents(of: ringPath).map { try KeyRing(payload: $0) }
  }

  /// The recovery key of a folder that this device made, if nobody has confirmed that it was shown.
  func recoveryKey() -> String? {
    guard let bytes = try? FilePath(recoveryPath).contents(), !bytes.isEmpty else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Keeps a recovery key until it was shown; nil removes it.
  func keep(recoveryKey: String?) throws {
    if let recoveryKey { return try write(Array(recoveryKey.utf8), to: recoveryPath) }
    guard unlink(recoveryPath) == 0 || errno == ENOENT else {
      let reason = FileFailure(path: recoveryPath, code: errno).reason
      throw DeviceKeyFile.Problem.failed(path: recoveryPath, reason: reason)
    }
  }

  /// Keeps the keys of the sync folder.
  package func keep(_ ring: KeyRing) throws {
    guard try self.ring() != ring else { return }
    try write(ring.payload, to: ringPath)
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    let file = try OutputFile(path: path, replacing: true)
    _ = file.write(bytes)
    try file.finish()
  }
}
