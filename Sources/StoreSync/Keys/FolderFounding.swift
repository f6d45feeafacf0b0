import AgeFile
import ByteStreams

extension KeyRing {
  /// Makes the keys of a new folder, with one device.
  ///
  /// - Parameters:
  ///   - device: the public key of the device that makes the folder.
  ///   - displayName: the device's name for people.
  ///   - recovery: the public key of the recovery key.
  /// - Throws: `AgeError.cryptographyUnavailable`.
  package static func founding(
    device: PublicKey, displayName: String, recovery: PublicKey, atMilliseconds now: Int64,
    sealing: any Sealing
  ) throws(AgeError) -> KeyRing {
    let ring = KeyRing(
      folderSecret: .random(), identities: [FolderIdentity(generation: 1, secret: .random())],
      devices: [:], recovery: RecoveryRecipient(number: 1, key: recovery))
    return try ring.adding(
      device, displayName: displayName, atMilliseconds: now, sealing: sealing)
  }

  /// The key ring with one more device, whose name in the folder follows from its key.
  ///
  /// - Throws: `AgeError.cryptographyUnavailable`.
  package func adding(
    _ device: PublicKey, displayName: String, atMilliseconds now: Int64, sealing: any Sealing
  ) throws(AgeError) -> KeyRing {
    let keys = try FolderKeys(self, sealing: sealing)
    var ring = self
    ring.add(
      MemberDevice(
        addedMilliseconds: now, name: keys.deviceName(of: device), displayName: displayName),
      key: device)
    return ring
  }

  /// The key ring with one more identity, which is derived from all others, so that every device
  /// that knows them all makes the same one.
  func combiningIdentities() -> KeyRing {
    let secrets = identities.sorted().flatMap(\.secret.bytes)
    let derived = HKDFSHA256.key(from: secrets, info: Array("roqua-sync identity".utf8))
    guard let secret = SecretKey(bytes: derived) else { preconditionFailure("32 bytes") }
    var ring = self
    ring.add(FolderIdentity(generation: current.generation + 1, secret: secret))
    return ring
  }
}
