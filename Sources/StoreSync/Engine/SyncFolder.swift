import AgeFile
import GeoStore

/// A sync folder that a device has joined.
///
/// The first device makes the folder and gets a recovery key. Another one is added by its public
/// key on a device that has joined, or joins with the recovery key.
package final class SyncFolder {
  /// Why a device cannot use a folder.
  package enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder belongs to other devices, and none of its key files is for this one.
    case notAMember(path: String, publicKey: String)
    /// The device was removed from the folder.
    case removed(path: String)
    /// The folder has key files of several folders.
    case severalFolders(path: String, fingerprints: [String])
    /// The folder is another one than the device knows, or than the fingerprint says.
    case otherFolder(path: String)
    /// Another sync of the store is running.
    case busy(path: String)
    /// A fingerprint or a recovery key was stated, and the folder has no keys.
    case empty(path: String)
    /// The device was removed before: a removed key is never added again.
    case removedKey(path: String)
    /// There is no such device.
    case noSuchDevice(path: String, name: String)

    /// What happened and what to do, in plain words.
    package var description: String {
      switch self {
      case .notAMember(let path, let publicKey):
        "\(path): this folder belongs to other devices, which must add this one by its public key "
          + publicKey
      case .removed(let path): "\(path): this device was removed from the folder"
      case .severalFolders(let path, let fingerprints):
        "\(path): it has the keys of several folders (\(fingerprints.joined(separator: ", "))); "
          + "state the fingerprint of the right one"
      case .otherFolder(let path): "\(path): this is not the folder that this device knows"
      case .busy(let path): "\(path): another sync of this store is running"
      case .empty(let path):
        "\(path): it has no keys; perhaps its files are not there yet"
      case .removedKey(let path):
        "\(path): a device with this key was removed; the device needs a new key"
      case .noSuchDevice(let path, let name):
        "\(path): it has no device \(name), or several of that name"
      }
    }
  }

  /// The secret key with which the folder can be opened if all devices are lost; nil if the folder
  /// was not made by this call. It is not stored anywhere.
  package let recoveryKey: String?
  /// Whether the device joined a folder of others with this call.
  package let hasJoined: Bool
  /// Key files that were not believed.
  package let keyProblems: [KeyFolder.Problem]
  private let path: String
  private let directory: any SyncDirectory
  let home: SyncHome
  private let sealing: any Sealing
  private let publicKey: PublicKey
  private var ring: KeyRing
  private var keys: FolderKeys
  private var nextNumber: UInt64
  private let lock: SyncHome.Lock

  /// Joins a folder, or makes it if it is empty.
  ///
  /// - Parameters:
  ///   - path: the folder, for messages.
  ///   - displayName: the name of this device for people.
  ///   - fingerprint: the fingerprint of the folder, if a person stated it.
  ///   - recoveryKey: the recovery key, to join without another device.
  ///   - now: the time in milliseconds since 1970.
  /// - Throws: ``Refusal``, ``SyncDirectoryError``, `AgeError`.
  package init(
    _ directory: any SyncDirectory, path: String, home: SyncHome, displayName: String,
    fingerprint: String? = nil, recoveryKey: String? = nil, now: Int64,
    sealing: any Sealing = AgeSealing()
  ) throws {
    (self.directory, self.path, self.home, self.sealing) = (directory, path, home, sealing)
    let listing = try directory.listing()
    guard let lock = try home.lock() else { throw Refusal.busy(path: path) }
    self.lock = lock
    let displayName = PresentZone.cut(displayName, toBytes: TextLimit.displayName)
    let secret = try home.deviceKey()
    publicKey = try sealing.publicKey(of: secret)
    var candidates: [KeyFolder.Candidate] = []
    for keyPath in listing.keys {
      for file in listing.files[keyPath] ?? [] {
        // One that cannot be read does not keep the device from the others.
        let bytes = (try? directory.read(file.name, in: keyPath.folder, limit: 1 << 24)) ?? []
        candidates.append(KeyFolder.Candidate(path: keyPath, bytes: bytes))
      }
    }
    var secrets = [secret]
    if let recoveryKey { secrets.append(try SecretKey(text: recoveryKey)) }
    let known = try home.ring()
    hasJoined = known == nil && !listing.keys.isEmpty
    let trust: KeyFolder.Trust =
      known.map { .known($0) } ?? fingerprint.map { .fingerprint($0) } ?? .first
    let found = try KeyFolder(candidates, with: secrets, trust: trust, sealing: sealing)
    // Key files from before this device was added are not for it.
    keyProblems = found.problems.filter { $0.error != .notForThisDevice }
    nextNumber = found.nextNumber
    if let ring = found.ring {
      if known != nil, !candidates.isEmpty,
        found.problems.count == candidates.count,
        found.problems.allSatisfy({ if case .foreign = $0.error { true } else { false } })
      {
        throw Refusal.otherFolder(path: path)
      }
      (self.ring, self.recoveryKey) = (ring, nil)
      keys = try FolderKeys(ring, sealing: sealing)
      if let fingerprint, !Fingerprint.matches(fingerprint, keys.fingerprint) {
        throw Refusal.otherFolder(path: path)
      }
      guard !ring.removed.contains(publicKey) else { throw Refusal.removed(path: path) }
      if ring.members[publicKey] == nil {
        // With the recovery key.
        self.ring = try ring.adding(
          publicKey, displayName: displayName, atMilliseconds: now, sealing: sealing)
        try writeKeys()
      } else if found.needsKeyFile {
        try writeKeys()
      }
    } else {
      guard found.fingerprints.isEmpty else {
        throw Refusal.severalFolders(path: path, fingerprints: found.fingerprints)
      }
      guard candidates.isEmpty, listing.files.isEmpty, listing.awaited.isEmpty else {
        let isOther = found.problems.contains { problem in
          if case .foreign = problem.error { true } else { false }
        }
        if isOther { throw Refusal.otherFolder(path: path) }
        throw Refusal.notAMember(path: path, publicKey: try publicKey.text())
      }
      guard fingerprint == nil, recoveryKey == nil else { throw Refusal.empty(path: path) }
      let recovery = SecretKey.random()
      self.recoveryKey = try recovery.text()
      ring = try KeyRing.founding(
        device: publicKey, displayName: displayName,
        recovery: try sealing.publicKey(of: recovery), atMilliseconds: now, sealing: sealing)
      keys = try FolderKeys(ring, sealing: sealing)
      try writeKeys()
      try directory.writeAbout()
    }
    try home.keep(ring)
  }

  /// The fingerprint of the folder, for people to compare.
  package var fingerprint: String { keys.fingerprint }

  /// The devices of the folder.
  package var devices: [MemberDevice] { ring.members.values.sorted() }

  /// The public key of this device.
  ///
  /// - Throws: never for a key that was made here.
  package func publicKeyText() throws -> String { try publicKey.text() }

  /// The name of this device in the folder.
  package var device: DeviceName { keys.deviceName(of: publicKey) }

  /// Adds a device.
  ///
  /// - Throws: `AgeError.keyDamaged` if the text is not a public key;
  ///   ``Refusal/removedKey(path:)``.
  package func add(publicKey text: String, displayName: String, now: Int64) throws {
    let key = try PublicKey(text: text)
    guard !ring.removed.contains(key) else { throw Refusal.removedKey(path: path) }
    ring = try ring.adding(
      key, displayName: PresentZone.cut(displayName, toBytes: TextLimit.displayName),
      atMilliseconds: now, sealing: sealing)
    try writeKeys()
    try home.keep(ring)
  }

  /// Removes a device that was lost. It keeps what it has read; everything that is written from now
  /// on is encrypted to a new key, which it does not get.
  ///
  /// - Parameter selector: the name of the device in the folder, or its name for people.
  /// - Throws: ``Refusal/noSuchDevice(path:name:)``.
  package func remove(_ selector: String) throws {
    let found = ring.members.filter { $1.displayName == selector || "\($1.name)" == selector }
    guard found.count == 1, let key = found.keys.first else {
      throw Refusal.noSuchDevice(path: path, name: selector)
    }
    ring.remove(key, replacingIdentityBy: .random())
    try writeKeys()
    try home.keep(ring)
  }

  /// Syncs a store once.
  ///
  /// - Parameter isDryRun: whether to only report what would happen.
  /// - Throws: as ``SyncRun/run(as:isDryRun:)``.
  package func sync(
    _ store: Store, now: Int64, isDryRun: Bool = false
  ) throws -> SyncRun.Report {
    try SyncRun(store, with: sealed(), now: now).run(
      as: (device, displayName), isDryRun: isDryRun)
  }

  /// The name of this device for people.
  package var displayName: String { ring.members[publicKey]?.displayName ?? "" }

  /// The files of the folder, which are not listed yet.
  ///
  /// - Throws: `AgeError.cryptographyUnavailable`.
  func sealed() throws -> SealedFolder {
    try SealedFolder(directory, keys: keys, listing: FolderListing([:]))
  }

  private func writeKeys() throws {
    keys = try FolderKeys(ring, sealing: sealing)
    let file = try KeyFile.make(ring, number: nextNumber, sealing: sealing)
    try directory.write(file.bytes, to: file.path)
    nextNumber += 1
  }
}
