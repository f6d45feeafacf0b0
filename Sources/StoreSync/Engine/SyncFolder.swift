import AgeFile
import GeoStore

/// A sync folder that a device has joined.
///
/// The first device makes the folder and gets a recovery key. Another one is added by its public
/// key on a device that has joined, or joins with the recovery key.
package final class SyncFolder {
  /// The secret key with which the folder can be opened if all devices are lost; nil if it was
  /// shown before (``confirmRecoveryKey()``), or another device made the folder.
  package private(set) var recoveryKey: String?
  /// Whether the device joined a folder of others with this call.
  package let hasJoined: Bool
  /// Key files that were not believed.
  package let keyProblems: [KeyFolder.Problem]
  /// The paths in the folder of newer key files that are not for this device: it was removed, or
  /// the other devices have not seen each other's changes yet.
  package let newerKeyFiles: [String]
  private let path: String
  private let isReadOnly: Bool
  private let directory: any SyncDirectory
  let home: SyncHome
  private let sealing: any Sealing
  private let secret: SecretKey
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
  ///   - isReadOnly: whether nothing is written into the folder: it is only looked at.
  ///   - mayBeEmptied: whether a folder that this device has used before, and that has no keys any
  ///     more, is filled again. It may be the mount point of a disk that is not connected.
  /// - Throws: ``SharingError``, ``SyncDirectoryError``, `AgeError`.
  package init(
    _ directory: any SyncDirectory, path: String, home: SyncHome, displayName: String,
    fingerprint: String? = nil, recoveryKey: String? = nil, now: Int64, isReadOnly: Bool = false,
    mayBeEmptied: Bool = true, sealing: any Sealing = AgeSealing()
  ) throws {
    (self.directory, self.path, self.home, self.sealing) = (directory, path, home, sealing)
    self.isReadOnly = isReadOnly
    let listing = try directory.listing()
    guard let lock = try home.lock() else { throw SharingError.busy(path: path) }
    self.lock = lock
    let displayName = PresentZone.cut(displayName, toBytes: TextLimit.displayName)
    secret = try home.deviceKey()
    publicKey = try sealing.publicKey(of: secret)
    var candidates: [KeyFolder.Candidate] = []
    for keyPath in listing.keys {
      for file in listing.files[keyPath] ?? [] {
        // One that cannot be read does not keep the device from the others.
        let bytes = (try? directory.read(file.name, in: keyPath.folder, limit: 1 << 24)) ?? []
        candidates.append(KeyFolder.Candidate(path: keyPath, bytes: bytes))
      }
    }
    let recoverySecret = try recoveryKey.map { try SecretKey(text: $0) }
    let secrets = [secret] + (recoverySecret.map { [$0] } ?? [])
    let known = try home.ring()
    // In a folder that this device knows, a removed device may have put the file.
    guard known != nil && !listing.keys.isEmpty || !listing.unknown.contains(SyncHome.deviceKeyName)
    else { throw SharingError.keyFolder(path: path) }
    guard mayBeEmptied || known == nil || !listing.keys.isEmpty else {
      throw SharingError.emptied(path: path)
    }
    hasJoined = known == nil && !listing.keys.isEmpty
    let trust: KeyFolder.Trust =
      known.map { .known($0) } ?? fingerprint.map { .fingerprint($0) } ?? .first
    let found = try KeyFolder(candidates, with: secrets, trust: trust, sealing: sealing)
    // Key files from before this device was added are not for it.
    keyProblems = found.problems.filter { $0.error != .notForThisDevice }
    nextNumber = found.nextNumber
    newerKeyFiles = known == nil ? [] : found.newerFiles.map(\.description)
    if let ring = found.ring {
      if known != nil, !candidates.isEmpty, Self.isOfOthers(found, candidates, listing, ring) {
        throw SharingError.otherFolder(path: path)
      }
      self.ring = ring
      self.recoveryKey = try Self.unseenRecoveryKey(in: home, of: ring, sealing)
      keys = try FolderKeys(ring, sealing: sealing)
      if let fingerprint, !Fingerprint.matches(fingerprint, keys.fingerprint) {
        throw SharingError.otherFingerprint(path: path)
      }
      guard !ring.removed.contains(publicKey) else { throw SharingError.removed(path: path) }
      if ring.members[publicKey] == nil {
        guard let recoverySecret else {
          throw SharingError.notAMember(path: path, publicKey: try publicKey.text())
        }
        guard try sealing.publicKey(of: recoverySecret) == ring.recovery.key,
          found.newerFiles.isEmpty
        else {
          throw SharingError.recoveryKeyReplaced(path: path)
        }
        self.ring = try ring.adding(
          publicKey, displayName: displayName, atMilliseconds: now, sealing: sealing)
        // Nobody knows this device yet.
        try writeKeys(as: recoverySecret)
      } else if found.needsKeyFile {
        try writeKeys()
      }
      // The program ended before the new recovery key had written its key file.
      if let unseen = self.recoveryKey, !found.writers.contains(ring.recovery.key) {
        try writeKeys(as: SecretKey(text: unseen))
      }
    } else {
      guard found.fingerprints.isEmpty else {
        throw SharingError.severalFolders(path: path, fingerprints: found.fingerprints)
      }
      guard candidates.isEmpty, listing.files.isEmpty, listing.awaited.isEmpty else {
        let isOther = found.problems.contains { problem in
          if case .foreign = problem.error { true } else { false }
        }
        if isOther { throw SharingError.otherFingerprint(path: path) }
        if found.problems.contains(where: { $0.error == .untrustedWriter }) {
          throw SharingError.contradictory(path: path)
        }
        guard recoveryKey == nil else { throw SharingError.otherRecoveryKey(path: path) }
        throw SharingError.notAMember(path: path, publicKey: try publicKey.text())
      }
      guard fingerprint == nil, recoveryKey == nil, !isReadOnly else {
        throw SharingError.empty(path: path)
      }
      let recovery = SecretKey.random()
      self.recoveryKey = try recovery.text()
      // The program may end before it is shown.
      try home.keep(recoveryKey: recovery.text())
      ring = try KeyRing.founding(
        device: publicKey, displayName: displayName,
        recovery: try sealing.publicKey(of: recovery), atMilliseconds: now, sealing: sealing)
      keys = try FolderKeys(ring, sealing: sealing)
      // A device that joins with the recovery key believes what that key has written.
      try writeKeys(as: recovery)
      try directory.writeAbout()
    }
    try home.keep(ring)
  }

  /// Whether a folder is not the one that this device knows: no key file is for this device, and no
  /// manifest is of a device that it knows.
  private static func isOfOthers(
    _ found: KeyFolder, _ candidates: [KeyFolder.Candidate], _ listing: FolderListing,
    _ ring: KeyRing
  ) -> Bool {
    let isForOthers = found.problems.allSatisfy { problem in
      switch problem.error {
      case .foreign, .notForThisDevice: true
      default: false
      }
    }
    let known = Set(ring.devices.values.map(\.name))
    return isForOthers && found.problems.count == candidates.count
      && listing.manifests.keys.allSatisfy { !known.contains($0) }
  }

  /// The recovery key that was not shown yet, if it is still the one that counts.
  private static func unseenRecoveryKey(
    in home: SyncHome, of ring: KeyRing, _ sealing: any Sealing
  ) throws -> String? {
    guard let text = home.recoveryKey(), let key = try? SecretKey(text: text),
      try sealing.publicKey(of: key) == ring.recovery.key
    else { return nil }
    return text
  }

  /// Says that a person has seen ``recoveryKey``. From then on it is not stored anywhere.
  package func confirmRecoveryKey() throws {
    try home.keep(recoveryKey: nil)
    recoveryKey = nil
  }

  /// Checks that this device may change who belongs to the folder: the others would not believe one
  /// that was removed, and would name what it writes at each sync.
  ///
  /// - Throws: ``SharingError/newerKeys(path:files:)``.
  package func checkMayChangeKeys() throws(SharingError) {
    guard newerKeyFiles.isEmpty else { throw .newerKeys(path: path, files: newerKeyFiles) }
  }

  /// Makes a new ``recoveryKey`` in place of one that was lost. Everything that is written from now
  /// on is encrypted to a new key, which whoever has the old one does not get.
  ///
  /// - Throws: ``SharingError/newerKeys(path:files:)``.
  package func replaceRecoveryKey() throws {
    try checkMayChangeKeys()
    let recovery = SecretKey.random()
    recoveryKey = try recovery.text()
    try home.keep(recoveryKey: recoveryKey)
    ring.replaceRecovery(by: try sealing.publicKey(of: recovery), replacingIdentityBy: .random())
    // The others believe this device, and whoever joins with the new key believes that key.
    try writeKeys()
    try writeKeys(as: recovery)
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
  /// - Returns: nil, or the name of the device if it was added before; then nothing changes.
  /// - Throws: `AgeError.keyDamaged` if the text is not a public key;
  ///   ``SharingError/removedKey(path:)``, ``SharingError/nameTaken(path:name:)``,
  ///   ``SharingError/newerKeys(path:files:)``.
  @discardableResult
  package func add(publicKey text: String, displayName: String, now: Int64) throws -> String? {
    try checkMayChangeKeys()
    let key = try PublicKey(text: text)
    guard !ring.removed.contains(key) else { throw SharingError.removedKey(path: path) }
    if let known = ring.members[key] { return known.displayName }
    let name = PresentZone.cut(displayName, toBytes: TextLimit.displayName)
    guard !ring.members.values.contains(where: { $0.displayName == name }) else {
      throw SharingError.nameTaken(path: path, name: name)
    }
    ring = try ring.adding(key, displayName: name, atMilliseconds: now, sealing: sealing)
    try writeKeys()
    try home.keep(ring)
    return nil
  }

  /// Removes a device that was lost. It keeps what it has read; everything that is written from now
  /// on is encrypted to a new key, which it does not get.
  ///
  /// - Parameter selector: the name of the device in the folder, or its name for people.
  /// - Parameter report: the last sync; if it could not read what the device sent, the
  ///   device is not removed. Nil to remove it in any case.
  /// - Throws: ``SharingError/noSuchDevice(path:name:)``, ``SharingError/notRead(path:device:)``,
  ///   ``SharingError/severalDevices(path:name:codes:)``, ``SharingError/newerKeys(path:files:)``.
  package func remove(_ selector: String, after report: SyncReport? = nil) throws {
    // In any case also means: whatever key files somebody put there.
    if report != nil { try checkMayChangeKeys() }
    let found = ring.members.filter { $1.displayName == selector || "\($1.name)" == selector }
    guard found.count < 2 else {
      throw SharingError.severalDevices(
        path: path, name: selector, codes: found.values.map { "\($0.name)" }.sorted())
    }
    guard let key = found.keys.first else {
      throw SharingError.noSuchDevice(path: path, name: selector)
    }
    if let report, let name = ring.members[key]?.name {
      let unread = Set(report.unreadable.keys).union(report.pending.map(\.path))
      let isUnread = unread.contains { path in
        if case .manifest(name, _) = path { true } else { false }
      }
      guard !isUnread else { throw SharingError.notRead(path: path, device: selector) }
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
  ) throws -> SyncReport {
    let files = try sealed()
    let report = try SyncRun(store, with: files, now: now).run(
      as: (device, displayName), isDryRun: isDryRun)
    if !isDryRun { removeLeftovers(files.listing, report) }
    return report
  }

  /// The name of this device for people.
  package var displayName: String { ring.members[publicKey]?.displayName ?? "" }

  /// The files of the folder, which are not listed yet.
  ///
  /// - Throws: `AgeError.cryptographyUnavailable`.
  func sealed() throws -> SealedFolder {
    try SealedFolder(directory, keys: keys, listing: FolderListing([:]))
  }

  /// Removes files that were never completed, because a program ended while it wrote them.
  /// So are the manifests of devices that were removed, which say nothing any more.
  private func removeLeftovers(_ listing: FolderListing, _ report: SyncReport) {
    // By the clock of the folder: that of this device may be wrong.
    let files = listing.files.values.joined().map(\.modifiedMilliseconds)
    let newest = (files + listing.partials.map(\.modifiedMilliseconds)).max() ?? 0
    // Another device may remove them too.
    for file in listing.partials
    where newest - file.modifiedMilliseconds > Self.leftoverMilliseconds {
      try? directory.remove(file.name, in: file.folder)
    }
    let removed = Set(ring.devices.filter { ring.removed.contains($0.key) }.map(\.value.name))
    guard !removed.isEmpty else { return }
    for (path, files) in listing.files {
      guard case .manifest(let device, let counter) = path, removed.contains(device),
        counter <= report.read[device] ?? 0
      else { continue }
      for file in files { try? directory.remove(file.name, in: path.folder) }
    }
  }

  /// The age from which an incomplete file is a leftover: ten minutes. A file that is being written
  /// changes all the time.
  private static let leftoverMilliseconds: Int64 = 600_000

  /// Writes the key ring.
  ///
  /// - Parameter writer: a recovery key, if not the key of this device.
  private func writeKeys(as writer: SecretKey? = nil) throws {
    keys = try FolderKeys(ring, sealing: sealing)
    guard !isReadOnly else { return }
    let file = try KeyFile.make(
      ring, number: nextNumber, writer: writer ?? secret, sealing: sealing)
    try directory.write(file.bytes, to: file.path)
    nextNumber += 1
  }
}
