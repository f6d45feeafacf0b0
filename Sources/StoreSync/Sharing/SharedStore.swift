import ByteStreams
import Foundation
import GeoStore

/// A store that shares its history with the stores of other devices, through a folder that any
/// program may carry: a cloud drive, a stick, a server.
///
/// Everything in the folder is encrypted. The first device makes the folder. Others are added by
/// their public key on a device that has joined, or join with the recovery key. The keys of this
/// device are kept next to the store, in a folder that only its owner may read.
///
/// ```swift
/// import StoreSync
///
/// let shared = SharedStore(store, folder: "/Volumes/Drive/roqua", deviceName: "Laptop")
/// do {
///   let result = try await shared.sync { progress in print(progress.phase) }
///   if let key = result.recoveryKey {
///     print("Keep on paper: \(key)")
///     try await shared.confirmRecoveryKey()
///   }
///   result.problems.forEach { print($0) }
/// } catch SharingError.notAMember(_, let publicKey) {
///   print("On another device: add \(publicKey)")
/// }
/// ```
///
/// All calls run on threads of their own, and stop soon after their task is canceled: the store is
/// then as before, or has what is new, and the next sync does the rest. Two syncs of one store do
/// not run at once, also not in two programs.
public struct SharedStore: Sendable {
  /// The store.
  package let store: Store
  /// The path of the sync folder, which must exist.
  package let folder: String
  /// The name of this device that people read on the others, cut to 200 bytes of UTF-8.
  package let deviceName: String

  /// Creates a description. Nothing is read or created.
  public init(_ store: Store, folder: String, deviceName: String) {
    (self.store, self.folder, self.deviceName) = (store, folder, deviceName)
  }

  /// Creates a description. Nothing is read or created.
  ///
  /// - Precondition: `folder` is a file URL.
  public init(_ store: Store, folder: URL, deviceName: String) {
    self.init(store, folder: folder.filePath, deviceName: deviceName)
  }

  /// Writes what is new in the store to the folder, and what is new in the folder to the store.
  /// Makes the folder if it is empty, or joins it.
  ///
  /// - Parameters:
  ///   - fingerprint: what another device shows, to be sure of the folder.
  ///   - recoveryKey: the recovery key, to join without another device.
  ///   - progress: called on a thread of the sync.
  /// - Throws: ``SharingError``, `CancellationError`, `DatabaseError`, and what the folder's file
  ///   system reports.
  /// - Complexity: O(sources + new fixes).
  @discardableResult
  public func sync(
    fingerprint: String? = nil, recoveryKey: String? = nil,
    progress: (@Sendable (SharingProgress) -> Void)? = nil
  ) async throws -> SharingResult {
    try await run(progress) {
      try $0.result(
        fingerprint: fingerprint, recoveryKey: recoveryKey, isPreview: false)
    }
  }

  /// Reports what a sync would do. Neither the store nor the folder changes.
  ///
  /// - Throws: as ``sync(fingerprint:recoveryKey:progress:)``, also if this device has not joined.
  public func preview() async throws -> SharingResult {
    try await run(nil) { try $0.result(fingerprint: nil, recoveryKey: nil, isPreview: true) }
  }

  /// Adds a device, which can then join the folder.
  ///
  /// - Parameters:
  ///   - publicKey: what ``SharingError/notAMember(path:publicKey:)`` has on that device, "age1…".
  ///   - name: its name.
  /// - Throws: ``SharingError/removedKey(path:)``, ``SharingError/nameTaken(path:name:)``,
  ///   ``SharingError/newerKeys(path:files:)``, and an error if the text is not a public key.
  public func add(publicKey: String, named name: String) async throws {
    _ = try await run(nil) {
      try $0.open().add(publicKey: publicKey, displayName: name, now: Self.now)
    }
  }

  /// Removes a device that was lost: it keeps what it has read, and reads nothing that is written
  /// from now on. What it has sent to the folder until now is taken over first.
  ///
  /// - Parameters:
  ///   - device: its name, or its code.
  ///   - isForced: whether to remove it even if what it last sent has not arrived.
  /// - Throws: ``SharingError/noSuchDevice(path:name:)``, ``SharingError/notRead(path:device:)``,
  ///   ``SharingError/severalDevices(path:name:codes:)``, ``SharingError/newerKeys(path:files:)``.
  public func remove(_ device: String, isForced: Bool = false) async throws {
    try await run(nil) { shared in
      let folder = try shared.open()
      if !isForced { try folder.checkMayChangeKeys() }
      let report = try folder.sync(shared.store, now: Self.now)
      try folder.remove(device, after: isForced ? nil : report)
      _ = try folder.sync(shared.store, now: Self.now)
    }
  }

  /// Says that a person has kept the recovery key. From then on no device stores it.
  ///
  /// - Throws: as ``sync(fingerprint:recoveryKey:progress:)``.
  public func confirmRecoveryKey() async throws {
    try await run(nil) { try $0.open().confirmRecoveryKey() }
  }

  /// Makes a new recovery key in place of one that was lost, and returns it.
  ///
  /// - Throws: as ``sync(fingerprint:recoveryKey:progress:)``.
  public func replaceRecoveryKey() async throws -> String {
    try await run(nil) { shared in
      let folder = try shared.open()
      try folder.replaceRecoveryKey()
      _ = try folder.sync(shared.store, now: Self.now)
      return folder.recoveryKey ?? ""
    }
  }

  func open(
    fingerprint: String? = nil, recoveryKey: String? = nil, isReadOnly: Bool = false
  ) throws -> SyncFolder {
    try Self.open(
      folder, ofStoreAt: store.path, deviceName: deviceName, fingerprint: fingerprint,
      recoveryKey: recoveryKey, isReadOnly: isReadOnly)
  }

  static func open(
    _ folder: String, ofStoreAt storePath: String, deviceName: String,
    fingerprint: String? = nil, recoveryKey: String? = nil, isReadOnly: Bool = false
  ) throws -> SyncFolder {
    try SyncFolder(
      LocalSyncDirectory(path: folder), path: folder, home: SyncHome(storePath: storePath),
      displayName: deviceName, fingerprint: fingerprint, recoveryKey: recoveryKey, now: now,
      isReadOnly: isReadOnly)
  }

  private func result(
    fingerprint: String?, recoveryKey: String?, isPreview: Bool
  ) throws -> SharingResult {
    let folder = try open(
      fingerprint: fingerprint, recoveryKey: recoveryKey, isReadOnly: isPreview)
    let report =
      isPreview
      ? try folder.sync(store, now: Self.now, isDryRun: true)
      : try folder.syncAndCleanUp(store, now: Self.now)
    return SharingResult(
      changes: report.changes, filesWritten: report.filesWritten,
      problems: folder.problems(of: report),
      devices: folder.sharingDevices(report), fingerprint: folder.fingerprint,
      recoveryKey: folder.recoveryKey)
  }

  /// Runs blocking work on a thread of its own.
  func run<T: Sendable>(
    _ progress: (@Sendable (SharingProgress) -> Void)?,
    _ body: @escaping @Sendable (SharedStore) throws -> T
  ) async throws -> T {
    try await Self.run(progress) { try body(self) }
  }

  static func run<T: Sendable>(
    _ progress: (@Sendable (SharingProgress) -> Void)?,
    _ body: @escaping @Sendable () throws -> T
  ) async throws -> T {
    try await Store.onThread { _ in
      let meter = WorkMeter { progress?(SharingProgress($0)) }
      return try WorkMeter.$current.withValue(meter) { try body() }
    }
  }

  static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}

extension SharingProgress {
  fileprivate init(_ reading: WorkMeter.Reading) {
    phase =
      switch reading.phase {
      case .readingFiles: .readingFiles
      case .writingFiles: .writingFiles
      default: .changingStore
      }
    fraction = reading.total.map { $0 > 0 ? min(1, Double(reading.done) / Double($0)) : 1 }
  }
}
