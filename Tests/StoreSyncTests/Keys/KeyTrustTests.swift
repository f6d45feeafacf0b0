import AgeFile
import TestSupport
import Testing

@testable import StoreSync

/// Who may write key files. The intruder is always device 9.
@Suite struct KeyTrustTests: KeyFileTests {
  /// A folder in which device 1 has added the devices 2 and 3, and removed 2.
  private struct Removed {
    var before: KeyRing
    var after: KeyRing
    var files: [KeyFolder.Candidate]
  }

  private func removed() throws -> Removed {
    let start = try founded()
    let before = try adding(2, 3, to: start)
    let after = removing(2, from: before, identity: 50)
    let files = [try file(start, by: 99), try file(before, 2), try file(after, 3)]
    return Removed(before: before, after: after, files: files)
  }

  @Test func `a removed device cannot add itself with a new key, whatever it writes`() throws {
    let folder = try removed()
    let added = try adding(9, to: folder.before)
    let forged = [
      try file(added, 4, by: 2), try file(added, 5, by: 9),
      try file(removing(2, from: added, identity: 51), 6, by: 9),
      try file(removing(3, from: added, identity: 51), 7, by: 9),
      try file(removing(1, from: added, identity: 51), 8, by: 9),
    ]
    let files = folder.files + forged
    for files in [files, files.reversed()] {
      for (device, known) in [
        (UInt8(1), folder.after), (3, folder.after), (3, folder.before), (1, folder.before),
      ] {
        let found = try self.folder(files, as: device, .known(known))
        #expect(found.ring == folder.after && !found.needsKeyFile)
        // Those that remove a device are not encrypted to it.
        let hidden = forged[device == 3 ? 3 : 4].path
        let reported = forged.filter { $0.path != hidden }
        #expect(untrusted(found) == Set(reported.map(\.path)))
      }
      // Who comes with the recovery key begins with what that key has written.
      let recovered = try self.folder(files, as: 99)
      #expect(recovered.ring == folder.after)
      #expect(untrusted(recovered) == Set(forged.map(\.path)))
    }
  }

  @Test func `who comes new is not fooled by a removed device that knows its public key`() throws {
    let folder = try removed()
    let welcome = try file(try adding(4, to: folder.after), 4)
    let forged = [
      try file(try adding(4, 9, to: folder.before), 5, by: 9),
      try file(try adding(4, 9, to: folder.before), 6, by: 2),
    ]
    let found = try self.folder(folder.files + [welcome] + forged, as: 4)
    #expect(found.ring == (try adding(4, to: folder.after)))
    #expect(untrusted(found) == Set(forged.map(\.path)))
    // If the forged file removes the others, nobody can know who is right.
    let worse = removing(1, 3, from: try adding(4, 9, to: folder.before), identity: 51)
    let unclear = try self.folder([welcome, try file(worse, 5, by: 9)], as: 4)
    #expect(unclear.ring == nil && untrusted(unclear).count == 2)
  }

  @Test func `a removed device that removes the others lets nobody in`() throws {
    let folder = try removed()
    let added = removing(1, from: try adding(9, to: folder.before), identity: 51)
    let files = folder.files + [try file(added, 4, by: 2)]
    // Those who know that it was removed do not care.
    #expect(try self.folder(files, as: 3, .known(folder.after)).ring == folder.after)
    // For those who hear of both at once, both are removed.
    for found in [
      try self.folder(files, as: 3, .known(folder.before)), try self.folder(files, as: 99),
    ] {
      let ring = try #require(found.ring)
      #expect(ring.removed == [key(1), key(2)] && ring.devices[key(9)] == nil)
      #expect(ring.current.generation == 3 && !added.identities.contains(ring.current))
      #expect(found.needsKeyFile && untrusted(found) == [files[3].path])
    }
  }

  @Test func `a device that removes itself is believed, and not what it writes afterwards`() throws
  {
    let both = try adding(2, to: try founded())
    let after = removing(2, from: both, identity: 50)
    let files = [
      try file(both), try file(after, 2, by: 2), try file(try adding(9, to: both), 3, by: 2),
    ]
    let found = try folder(files, as: 1, .known(both))
    #expect(found.ring == after && untrusted(found) == [files[2].path])
  }

  @Test func `a founder that was removed cannot add itself through the recovery key`() throws {
    let start = try founded()
    let both = try adding(2, to: start)
    let after = removing(1, from: both, identity: 50)
    var files = [try file(start, by: 99), try file(both, 2), try file(after, 3, by: 2)]
    #expect(try folder(files, as: 99).ring == after)
    files.append(try file(try adding(9, to: both), 4, by: 1))
    let found = try folder(files, as: 99)
    #expect(found.ring == after && untrusted(found) == [files[3].path])
    // What it wrote before is in the file of the other one, so nothing is reported.
    #expect(untrusted(try folder(Array(files.dropLast()), as: 2, .known(after))).isEmpty)
  }

  @Test func `a stranger with the public keys is reported and ignored`() throws {
    let own = try adding(2, to: try founded())
    let start = try file(own, 1)
    let stranger = KeyRing(
      folderSecret: .random(), identities: [FolderIdentity(generation: 1, secret: secret(60))],
      devices: own.devices, recovery: own.recovery)
    let foreign = try file(stranger, 2, by: 9)
    let found = try folder([start, foreign], as: 2, .known(own))
    #expect(found.ring == own && found.problems.count == 1)
    // It claims to be another device, and cannot compute the code.
    let ring = try adding(9, to: own)
    let keys = try FolderKeys(ring, sealing: sealing)
    let codes = try ring.recipients.map {
      try WriterCode.make(ring, number: 3, writer: secret(9), recipient: $0, sealing: sealing)
    }
    let payload = KeyFilePayload(ring: ring, writer: key(1), codes: codes).bytes
    let path = SyncPath.key(number: 3, keys.fileName(of: payload))
    let lie = KeyFolder.Candidate(
      path: path, bytes: try keys.seal(payload, at: path, to: ring.recipients))
    let lied = try folder([start, lie], as: 2, .known(own))
    let error = SyncFormatError(.notAuthentic, in: "writer", at: ring.payload.count)
    #expect(lied.ring == own && lied.problems == [.init(path: path, error: .notValid(error))])
    // Nor for a file that is encrypted to a device and does not have it.
    let hidden = try KeyFile.make(own, number: 4, writer: secret(1), sealing: sealing)
    let opened = try sealing.open(hidden.bytes, with: [secret(1)])
    let other = try sealing.seal(opened, to: [key(7)])
    #expect(throws: SyncFileError.self) {
      try KeyFile(other, at: hidden.path, with: [secret(7)], sealing: sealing)
    }
    // A weak key as the writer.
    let zero = try #require(PublicKey(bytes: [UInt8](repeating: 0, count: 32)))
    let weak = KeyFilePayload(ring: ring, writer: zero, codes: codes).bytes
    let weakPath = SyncPath.key(number: 5, keys.fileName(of: weak))
    let weakFile = KeyFolder.Candidate(
      path: weakPath, bytes: try keys.seal(weak, at: weakPath, to: ring.recipients))
    #expect(try folder([weakFile], as: 2).ring == nil)
  }

  @Test func `an old key file that is put back, also under a new number, changes nothing`() throws {
    let folder = try removed()
    for old in folder.files {
      let found = try self.folder([folder.files[2], old], as: 3, .known(folder.after))
      #expect(found.ring == folder.after && untrusted(found).isEmpty)
    }
    // Whoever writes what is known already says nothing new.
    let copy = try file(folder.after, 5, by: 9)
    let same = try self.folder(folder.files + [copy], as: 3, .known(folder.after))
    #expect(same.ring == folder.after && untrusted(same).isEmpty && !same.needsKeyFile)
    // But it does not take the place of a file that others believe.
    #expect(try self.folder([copy], as: 3, .known(folder.after)).needsKeyFile)
    // The removed device can make the code of the envelope for another number, not the writer's.
    let keys = try FolderKeys(folder.before, sealing: sealing)
    let opened = try sealing.open(folder.files[1].bytes, with: [secret(2)])
    let payload = try keys.payload(of: opened, at: folder.files[1].path)
    let path = SyncPath.key(number: 900, keys.fileName(of: payload))
    let again = KeyFolder.Candidate(
      path: path, bytes: try keys.seal(payload, at: path, to: folder.before.recipients))
    let found = try self.folder(folder.files + [again], as: 1, .known(folder.after))
    #expect(found.ring == folder.after && found.problems.map(\.path) == [path])
  }

  @Test func `two devices that add others at the same time are both believed`() throws {
    let start = try adding(2, to: try founded())
    let (one, two) = (try adding(3, to: start), try adding(4, to: start))
    var files = [try file(start), try file(one, 2, by: 1), try file(two, 2, by: 2)]
    let joined = try folder(files, as: 1, .known(one))
    let ring = try #require(joined.ring)
    #expect(Set(ring.members.keys) == [key(1), key(2), key(3), key(4)] && joined.needsKeyFile)
    #expect(try folder(files, as: 2, .known(two)).ring == ring)
    #expect(try folder(files, as: 3).ring == one)
    files.append(try file(ring, 3, by: 2))
    for device: UInt8 in 1...4 {
      let found = try folder(files, as: device)
      #expect(found.ring == ring && !found.needsKeyFile && untrusted(found).isEmpty)
    }
  }

  @Test func `a device that another one added is believed once that is known`() throws {
    let start = try adding(2, to: try founded())
    let first = try file(try adding(3, to: start), 2, by: 2)
    let second = try file(try adding(4, 3, to: start), 3, by: 3)
    let early = try folder([second], as: 1, .known(start))
    #expect(early.ring == start && untrusted(early) == [second.path])
    for files in [[first, second], [second, first]] {
      let found = try folder(files, as: 1, .known(start))
      #expect(found.ring == (try adding(3, 4, to: start)) && untrusted(found).isEmpty)
    }
  }

  @Test func `who cannot know the writer of the newest file gets one from a device that it knows`()
    throws
  {
    let start = try adding(2, to: try founded())
    // Device 2 does not know of 3 when it adds 4, and 4 joins what both say.
    let (one, two) = (try adding(3, to: start), try adding(4, to: start))
    let all = one.joined(with: two)
    var files = [
      try file(start), try file(one, 2, by: 1), try file(two, 2, by: 2), try file(all, 3, by: 4),
    ]
    #expect(try folder(files, as: 3, .known(one)).ring == one)
    #expect(try !folder(files, as: 4, .known(two)).needsKeyFile)
    #expect(try folder(files, as: 1, .known(one)).needsKeyFile)
    files.append(try file(all, 4, by: 1))
    for (device, known) in [(UInt8(1), one), (2, two), (3, one), (4, two)] {
      let found = try folder(files, as: device, .known(known))
      #expect(found.ring == all && !found.needsKeyFile && untrusted(found).isEmpty)
    }
  }

  @Test func `a recovery key that was replaced cannot add a device`() throws {
    let start = try founded()
    let both = try adding(2, to: start)
    var after = both
    after.replaceRecovery(by: key(98), replacingIdentityBy: secret(50))
    let files = [
      try file(start, by: 99), try file(both, 2), try file(after, 3), try file(after, 4, by: 98),
    ]
    let added = try adding(9, to: both)
    var later = added
    later.replaceRecovery(by: key(97), replacingIdentityBy: secret(51))
    later.replaceRecovery(by: key(99), replacingIdentityBy: secret(52))
    let forged = [try file(added, 5, by: 99), try file(later, 6, by: 99)]
    for (device, known) in [(UInt8(1), after), (2, both), (2, after), (1, start)] {
      let found = try folder(files + forged, as: device, .known(known))
      #expect(found.ring == after && untrusted(found) == Set(forged.map(\.path)))
    }
    #expect(try folder(files + forged, as: 98).ring == after)
    // The owner of the old key learns that there is something newer.
    #expect(try !folder(files, as: 99).newerFiles.isEmpty)
    #expect(try folder(files, as: 98).newerFiles.isEmpty)
    let garbage = KeyFolder.Candidate(
      path: .key(number: 900, FileName(number: 1)), bytes: [UInt8](repeating: 7, count: 712))
    #expect(try folder(files + [garbage], as: 98).newerFiles.isEmpty)
  }

  @Test func `a device that joined with the recovery key may remove another`() throws {
    let start = try adding(2, to: try founded())
    let joined = try adding(5, to: start)
    let after = removing(1, from: joined, identity: 50)
    let files = [
      try file(start, by: 99), try file(joined, 2, by: 99), try file(after, 3, by: 5),
    ]
    let found = try folder(files, as: 2, .known(start))
    #expect(found.ring == after && untrusted(found).isEmpty)
    // The removed one learns that there is something newer, and cannot read it.
    let removed = try folder(files, as: 1, .known(start))
    #expect(removed.ring == joined && removed.newerFiles == [files[2].path])
  }

  @Test(arguments: Seeds.sample(300))
  func `the order of the files does not matter, and reading again adds nothing`(seed: UInt64) throws
  {
    var random = SplitMix64(seed: seed)
    let known = try founded()
    var rings = [known]
    let files = (0..<Int.random(in: 1...9, using: &random)).map { number in
      var ring = rings.randomElement(using: &random) ?? known
      let device = UInt8.random(in: 1...5, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: ring = removing(device, from: ring, identity: 100 + UInt8(number))
      case 1:
        let next = 90 + UInt8(number)
        ring.replaceRecovery(by: key(next), replacingIdentityBy: secret(100 + UInt8(number)))
      default: ring = (try? adding(device, to: ring)) ?? ring
      }
      rings.append(ring)
      let writer =
        Bool.random(using: &random) ? ring.recovery.key : key(.random(in: 1...5, using: &random))
      return KeyFile(ring: ring, writer: writer)
    }
    let shuffled = files.shuffled(using: &random)
    let belief = KeyTrust(files).belief(from: known)
    let other = KeyTrust(shuffled).belief(from: known)
    #expect(belief.ring == other.ring)
    #expect(Set(belief.accepted.map { files[$0] }) == Set(other.accepted.map { shuffled[$0] }))
    #expect(KeyTrust(files).belief(from: belief.ring).ring == belief.ring)
    // Every device and recovery key comes from a file whose writer another one vouches for.
    let whole = belief.accepted.map { files[$0] }
    for file in whole {
      #expect(
        known.devices[file.writer] != nil || known.recovery.key == file.writer
          || whole.contains {
            $0 != file
              && ($0.ring.devices[file.writer] != nil || $0.ring.recovery.key == file.writer)
          })
    }
    let named = whole.reduce(Set(known.devices.keys)) { $0.union($1.ring.devices.keys) }
    #expect(Set(belief.ring.devices.keys) == named)
    let own = KeyTrust(files).belief(of: [key(1)])
    #expect(own?.ring == KeyTrust(shuffled).belief(of: [key(1)])?.ring)
    #expect(
      KeyTrust(files).belief(of: [key(200)])?.ring
        == KeyTrust(shuffled).belief(of: [key(200)])?.ring)
  }

  /// The value was computed with Python's `hmac` and `hashlib`.
  @Test func `the code of a writer is the one that another implementation computes`() throws {
    let ring = KeyRing(
      folderSecret: secret(0x11),
      identities: [FolderIdentity(generation: 1, secret: secret(0x22))], devices: [:],
      recovery: RecoveryRecipient(number: 1, key: key(99)))
    let code = try WriterCode.make(
      ring, number: 300, writer: secret(7), recipient: key(99), sealing: sealing)
    #expect(
      code.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        == "6feb1ef343eb572079a53797a9ce626d7961222fd19743e8fa711fda125476af")
    for (number, writer, reader) in [
      (UInt64(300), UInt8(7), UInt8(99)), (301, 7, 99), (300, 8, 99),
    ] {
      let isRight = try WriterCode.isRight(
        code, ring, number: number, writer: key(writer), recipient: secret(reader),
        sealing: sealing)
      #expect(isRight == (number == 300 && writer == 7))
    }
  }
}
