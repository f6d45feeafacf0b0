import AgeFile
import Foundation
import TestSupport
import Testing

@testable import GeoStore
@testable import StoreSync

/// What a device can do that was removed from a folder and can still write into it, and somebody
/// who has a recovery key that was replaced.
@Suite(.enabled(if: Age.isAvailable)) struct RemovedDeviceTests {
  private let devices: SharingDevices

  init() throws { devices = try SharingDevices() }

  private func write(
    _ ring: KeyRing, _ number: UInt64, by secret: SecretKey
  ) throws -> SyncPath {
    let file = try KeyFile.make(ring, number: number, writer: secret, sealing: AgeSealing())
    try LocalSyncDirectory(path: devices.path("")).write(file.bytes, to: file.path)
    return file.path
  }

  private func identity(of name: String) throws -> FolderIdentity {
    try #require(try devices.home(of: name).ring()).current
  }

  @Test func `a removed device cannot come back with a new key`() throws {
    let (a, c) = (try devices.store("a"), try devices.store("c"))
    try devices.add(100, to: a, as: "1", seed: 1)
    do {
      let first = try devices.join("a")
      _ = try first.sync(a, now: SharingDevices.now)
      _ = try devices.join("b", addedBy: first)
      _ = try devices.join("c", addedBy: first).sync(c, now: SharingDevices.now)
      #expect(try devices.join("b").newerKeyFiles.isEmpty)
      try first.remove("b")
    }
    #expect(try !devices.join("b").newerKeyFiles.isEmpty)
    // All that b knows, and a new key pair.
    let ring = try #require(try devices.home(of: "b").ring())
    let intruder = SecretKey.random()
    let sealing = AgeSealing()
    let added = try ring.adding(
      sealing.publicKey(of: intruder), displayName: "b again", atMilliseconds: 1, sealing: sealing)
    let forged = [
      try write(added, 20, by: devices.home(of: "b").deviceKey()),
      try write(added, 21, by: intruder),
    ]
    for (name, store) in [("c", c), ("a", a)] {
      try devices.add(100, to: store, as: name == "a" ? "2" : "3", seed: 2)
      let folder = try devices.join(name)
      #expect(folder.keyProblems.map(\.error) == [.untrustedWriter, .untrustedWriter])
      #expect(Set(folder.keyProblems.map(\.path)) == Set(forged))
      #expect(Set(folder.devices.map(\.displayName)) == ["a", "c"])
      _ = try folder.sync(store, now: SharingDevices.now)
    }
    #expect(try identity(of: "a") == identity(of: "c"))
    // The intruder reads what b could read, and nothing that was written later.
    try DeviceKeyFile.write(intruder, to: homePath(of: "x") + "/device.key")
    let x = try devices.store("x")
    let folder = try devices.join("x")
    let report = try folder.sync(x, now: SharingDevices.now)
    #expect(report.changes.sourcesAdded <= 1 && !report.unreadable.isEmpty)
    #expect(try identity(of: "x") != identity(of: "a"))
    let joined = try #require(try devices.home(of: "x").ring())
    #expect(try !joined.identities.contains(identity(of: "a")))
    // Nor after everybody has read what it wrote.
    for (name, store) in [("a", a), ("c", c)] {
      let again = try devices.join(name)
      _ = try again.sync(store, now: SharingDevices.now)
      #expect(again.devices.count == 2)
    }
    #expect(try a.read { try $0.sources().count } == 3)
    #expect(try SharedContents(a).differences(from: SharedContents(c)) == [])
  }

  private func homePath(of name: String) throws -> String {
    let path = devices.home(of: name).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  @Test func `a recovery key that was replaced is refused, and the new one works`() throws {
    let old: String
    let new: String
    do {
      let first = try devices.join("a")
      old = try #require(first.recoveryKey)
      try first.confirmRecoveryKey()
      try first.replaceRecoveryKey()
      new = try #require(first.recoveryKey)
    }
    #expect(throws: SharingError.recoveryKeyReplaced(path: "shared")) {
      try devices.join("b", recoveryKey: old)
    }
    // Bytes that nobody can read say nothing about who was removed.
    let garbage = FileManager.default.createFile(
      atPath: devices.path("keys/000900-0000000000000001.age"),
      contents: Data(repeating: 7, count: 800))
    #expect(garbage)
    // The program ended before the new key had written its own key file.
    let names = try devices.names(in: "keys")
    try FileManager.default.removeItem(atPath: devices.path("keys/" + names[names.count - 2]))
    do {
      let first = try devices.join("a")
      #expect(first.recoveryKey == new)
    }
    let written = try devices.names(in: "keys")
    #expect(written.count == names.count && written != names)
    do { _ = try devices.join("a") }
    #expect(try devices.names(in: "keys") == written)
    let joined = try devices.join("c", recoveryKey: new)
    #expect(Set(joined.devices.map(\.displayName)) == ["a", "c"])
    #expect(Set(try devices.join("a").devices.map(\.displayName)) == ["a", "c"])
  }

  @Test func `a device that was added by a recovery key is believed, and may remove others`() throws
  {
    let key: String
    do {
      let first = try devices.join("a")
      key = try #require(first.recoveryKey)
      _ = try devices.join("b", addedBy: first)
    }
    do { try devices.join("c", recoveryKey: key).remove("a") }
    let second = try devices.join("b")
    #expect(second.keyProblems == [] && second.newerKeyFiles.isEmpty)
    #expect(Set(second.devices.map(\.displayName)) == ["b", "c"])
    #expect(try !devices.join("a").newerKeyFiles.isEmpty)
    #expect(try identity(of: "b") == identity(of: "c"))
    #expect(try identity(of: "a") != identity(of: "c"))
  }

  @Test func `a new device does not choose between key files that contradict each other`() throws {
    let key: String
    do {
      _ = try devices.join("a")
      do {
        _ = try devices.join("d")
        key = ""
      } catch SharingError.notAMember(_, let text) {
        key = text
      }
      let first = try devices.join("a")
      _ = try devices.join("b", addedBy: first)
      let ring = try #require(try devices.home(of: "b").ring())
      try first.remove("b")
      try first.add(publicKey: key, displayName: "d", now: SharingDevices.now)
      // The removed device knows the public key of the new one, and writes it a world of its own.
      let sealing = AgeSealing()
      let intruder = SecretKey.random()
      var forged = try ring.adding(
        sealing.publicKey(of: intruder), displayName: "x", atMilliseconds: 1, sealing: sealing)
      forged = try forged.adding(
        PublicKey(text: key), displayName: "d", atMilliseconds: 1, sealing: sealing)
      forged.remove(
        try PublicKey(text: first.publicKeyText()), replacingIdentityBy: .random())
      let path = try write(forged, 20, by: intruder)
      #expect(throws: SharingError.contradictory(path: "shared")) { try devices.join("d") }
      try FileManager.default.removeItem(atPath: devices.path("\(path)"))
    }
    #expect(Set(try devices.join("d").devices.map(\.displayName)) == ["a", "d"])
  }
}
