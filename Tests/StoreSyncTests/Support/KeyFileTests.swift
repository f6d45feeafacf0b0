import AgeFile
import TestSupport
import Testing

@testable import StoreSync

/// Devices with numbers, whose keys follow from these. 99 is the recovery key.
protocol KeyFileTests {}

extension KeyFileTests {
  var sealing: TransparentSealing { TransparentSealing() }

  func secret(_ number: UInt8) -> SecretKey { RandomState.secret(number) }
  func key(_ number: UInt8) -> PublicKey { sealing.publicKey(of: secret(number)) }

  func founded(by device: UInt8 = 1, recovery: UInt8 = 99) throws -> KeyRing {
    try .founding(
      device: key(device), displayName: "Device \(device)", recovery: key(recovery),
      atMilliseconds: 5, sealing: sealing)
  }

  /// The key ring with more devices.
  func adding(_ devices: UInt8..., to ring: KeyRing) throws -> KeyRing {
    var ring = ring
    for device in devices {
      ring = try ring.adding(
        key(device), displayName: "Device \(device)", atMilliseconds: 6, sealing: sealing)
    }
    return ring
  }

  /// The key ring without a device, and with an identity that has the number of the step.
  func removing(_ devices: UInt8..., from ring: KeyRing, identity: UInt8) -> KeyRing {
    var ring = ring
    for device in devices { ring.remove(key(device), replacingIdentityBy: secret(identity)) }
    return ring
  }

  func file(
    _ ring: KeyRing, _ number: UInt64 = 1, by writer: UInt8 = 1
  ) throws -> KeyFolder.Candidate {
    let (path, bytes) = try KeyFile.make(
      ring, number: number, writer: secret(writer), sealing: sealing)
    return .init(path: path, bytes: bytes)
  }

  func folder(
    _ files: [KeyFolder.Candidate], as device: UInt8, _ trust: KeyFolder.Trust = .first
  ) throws -> KeyFolder {
    try KeyFolder(files, with: [secret(device)], trust: trust, sealing: sealing)
  }

  /// The paths of the files whose writers were not believed.
  func untrusted(_ folder: KeyFolder) -> Set<SyncPath> {
    Set(folder.problems.filter { $0.error == .untrustedWriter }.map(\.path))
  }
}
