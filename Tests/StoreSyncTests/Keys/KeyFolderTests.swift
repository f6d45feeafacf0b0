import AgeFile
import StoreSync
import Testing
import TestSupport

@Suite struct KeyFolderTests: KeyFileTests {
  @Test(arguments: Seeds.sample(300))
  func `key rings are joined in any order, and removing wins`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let rings = (0..<3).map { _ in RandomState.keyRing(using: &random) }
    let (a, b, c) = (rings[0], rings[1], rings[2])
    #expect(a.joined(with: b) == b.joined(with: a))
    #expect(a.joined(with: b).joined(with: c) == a.joined(with: b.joined(with: c)))
    #expect(a.joined(with: a) == a)
    let all = a.joined(with: b)
    #expect(all.identities == a.identities.union(b.identities))
    #expect(Set(all.devices.keys) == Set(a.devices.keys).union(b.devices.keys))
    #expect(all.removed == a.removed.union(b.removed))
    #expect(all.members.keys.allSatisfy { !a.removed.contains($0) && !b.removed.contains($0) })
    let generations = all.identities.map(\.generation)
    #expect(all.current.generation == generations.max())
    #expect(
      all.identities.allSatisfy {
        $0.generation < all.current.generation || $0.secret >= all.current.secret
      })
    #expect(all.recovery.number == max(a.recovery.number, b.recovery.number))
  }

  @Test func `each device and the recovery key open a key file, and nobody else`() throws {
    let ring = try founded().adding(
      key(2), displayName: "Phone", atMilliseconds: 6, sealing: sealing)
    let file = try file(ring)
    for device: UInt8 in [1, 2, 99] {
      let folder = try folder([file], as: device)
      #expect(folder.ring == ring && folder.problems.isEmpty && !folder.needsKeyFile)
      #expect(folder.nextNumber == 2)
    }
    let outsider = try folder([file], as: 3)
    #expect(outsider.ring == nil)
    #expect(outsider.problems.map(\.error) == [.notForThisDevice])
  }

  @Test func `a removed device reads nothing that is written afterwards`() throws {
    let both = try founded().adding(
      key(2), displayName: "Phone", atMilliseconds: 6, sealing: sealing)
    var ring = both
    ring.remove(key(2), replacingIdentityBy: secret(50))
    let files = [try file(both), try file(ring, 2)]
    #expect(try folder([files[1]], as: 1).ring == ring)
    let removed = try folder(files, as: 2)
    #expect(removed.ring == both)
    #expect(removed.problems.map(\.error) == [.notForThisDevice])
    let path = SyncPath.manifest(DeviceName(number: 1), counter: 1)
    let written = try FolderKeys(ring, sealing: sealing).seal([1], at: path)
    #expect(throws: SyncFileError.notForThisDevice) {
      try FolderKeys(both, sealing: sealing).open(written, at: path)
    }
    // An old key file that somebody puts back changes nothing.
    #expect(try folder(files.reversed(), as: 1, .known(ring)).ring == ring)
    #expect(try folder([files[0]], as: 1, .known(ring)).ring == ring)
    #expect(try folder([files[0]], as: 1, .known(ring)).needsKeyFile)
    // A device that was added again with the same key stays removed.
    let again = try ring.adding(key(2), displayName: "x", atMilliseconds: 7, sealing: sealing)
    #expect(again.members.keys.sorted() == [key(1)])
  }

  @Test func `a new recovery key replaces the old one for what is written afterwards`() throws {
    var ring = try founded()
    let old = try file(ring)
    ring.replaceRecovery(by: key(98), replacingIdentityBy: secret(51))
    let new = try file(ring, 2)
    #expect(try folder([new], as: 98).ring == ring)
    #expect(try folder([new], as: 99).ring == nil)
    #expect(try folder([old, new], as: 1).ring == ring)
  }

  @Test func `key files that two devices wrote at once are joined and written as one`() throws {
    let start = try adding(2, 4, to: try founded())
    let one = try start.adding(key(3), displayName: "Pi", atMilliseconds: 7, sealing: sealing)
    var two = start
    two.remove(key(2), replacingIdentityBy: secret(60))
    var files = [try file(start), try file(one, 2, by: 4), try file(two, 2)]
    // The device that was added cannot read the file of the other one yet.
    #expect(try folder(files, as: 3).ring == one)
    let joined = try folder(files, as: 1)
    #expect(joined.needsKeyFile && joined.nextNumber == 3)
    let ring = try #require(joined.ring)
    #expect(Set(ring.members.keys) == [key(1), key(3), key(4)])
    files.append(try file(ring, joined.nextNumber, by: 1))
    for device: UInt8 in [1, 3, 4] {
      let folder = try folder(files, as: device)
      #expect(folder.ring == ring && !folder.needsKeyFile)
    }
  }

  @Test func `two devices that remove each other at once do not read on`() throws {
    var start = try founded()
    for number: UInt8 in [2, 3] {
      start = try start.adding(key(number), displayName: "", atMilliseconds: 6, sealing: sealing)
    }
    var (one, two) = (start, start)
    one.remove(key(2), replacingIdentityBy: secret(70))
    two.remove(key(1), replacingIdentityBy: secret(71))
    let files = [try file(start), try file(one, 2), try file(two, 2, by: 2)]
    let rings = try [files, files.reversed()].map { try folder($0, as: 3, .known(start)).ring }
    let ring = try #require(rings[0])
    #expect(rings[1] == ring, "all devices derive the same identity")
    #expect(ring.current.generation == 3)
    #expect(!one.identities.contains(ring.current) && !two.identities.contains(ring.current))
    let last = try file(ring, 3, by: 3)
    #expect(try folder([last], as: 3).ring == ring)
    for device: UInt8 in [1, 2] {
      let found = try folder(files + [last], as: device)
      #expect(found.ring?.identities.contains(ring.current) == false)
    }
  }

  @Test func `a key file of another folder is reported and ignored, whatever its number`() throws {
    let own = try founded()
    let foreign = try founded(by: 7).adding(
      key(1), displayName: "me", atMilliseconds: 0, sealing: sealing)
    let files = [try file(foreign, 900, by: 7), try file(own, 1)]
    let name = try FolderKeys(foreign, sealing: sealing).fingerprint
    let known = try folder(files, as: 1, .known(own))
    #expect(known.ring == own && !known.needsKeyFile)
    #expect(
      known.problems == [.init(path: files[0].path, error: .foreign(fingerprint: name))])
    // A device that knows no folder does not choose one of two by itself.
    let unsure = try folder(files, as: 1)
    #expect(unsure.ring == nil)
    let ownName = try FolderKeys(own, sealing: sealing).fingerprint
    #expect(unsure.fingerprints == [name, ownName].sorted())
    #expect(try folder(files, as: 1, .fingerprint(ownName.lowercased())).ring == own)
    #expect(try folder(files, as: 1, .fingerprint("0000-0000-0000-0000")).ring == nil)
    // A device that knows one still has it when all its key files are gone.
    let lost = try folder([files[0]], as: 1, .known(own))
    #expect(lost.ring == own && lost.needsKeyFile && lost.nextNumber == 901)
  }

  @Test func `a key file that was moved, cut or changed is reported and ignored`() throws {
    let own = try founded()
    let (path, bytes) = try KeyFile.make(own, number: 1, writer: secret(1), sealing: sealing)
    guard case .key(_, let name) = path else {
      Issue.record("A key file has another path: \(path)")
      return
    }
    let moved: [SyncPath] = [
      .key(number: 2, name), .key(number: 1, FileName(number: name.number ^ 1)),
      .source(SourceName(high: 0, low: 0), name),
    ]
    for path in moved {
      let folder = try folder([.init(path: path, bytes: bytes)], as: 1, .known(own))
      #expect(folder.problems.count == 1, "\(path)")
    }
    for count in bytes.indices {
      let cut = try folder([.init(path: path, bytes: Array(bytes[..<count]))], as: 1)
      #expect(cut.ring == nil && cut.problems.count == 1)
    }
    for bit in stride(from: 0, to: 8 * bytes.count, by: 5) {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      let folder = try folder([.init(path: path, bytes: changed)], as: 1)
      // The fake encryption does not protect its own list of recipients.
      if let ring = folder.ring { #expect(ring == own && bit / 8 < 14 + 32 * 2) }
    }
  }

  @Test(arguments: Seeds.sample(60))
  func `devices that add and remove each other at any time end with the same keys`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let first = try founded()
    var files = [try file(first, by: 99)]
    var rings: [UInt8: KeyRing] = [1: first]
    // What device 1 says counts, since nobody removes it.
    var (removed, everRemoved): (Set<PublicKey>, Set<PublicKey>) = ([], [])
    let foreign = try file(try founded(by: 200), 1, by: 200)
    /// What a device believes after it has read some of the files, in any order.
    func read(_ device: UInt8, _ some: [KeyFolder.Candidate]) throws -> KeyFolder {
      try folder(
        (some + [foreign]).shuffled(using: &random), as: device,
        rings[device].map { .known($0) }
          ?? .fingerprint(try FolderKeys(first, sealing: sealing).fingerprint))
    }
    for step in 0..<25 {
      let device = UInt8.random(in: 1...5, using: &random)
      let found = try read(device, files.filter { _ in Int.random(in: 0..<4, using: &random) > 0 })
      guard var ring = found.ring, ring.members[key(device)] != nil else { continue }
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        ring = try ring.adding(
          key(.random(in: 2...5, using: &random)), displayName: "d", atMilliseconds: Int64(step),
          sealing: sealing)
      case 1 where step > 5:
        let other = key(.random(in: 2...5, using: &random))
        if other == key(device) { continue }
        ring.remove(other, replacingIdentityBy: secret(100 + UInt8(step)))
        if device == 1 { removed.insert(other) }
        everRemoved.insert(other)
      default: break
      }
      rings[device] = ring
      if ring != found.ring || found.needsKeyFile {
        files.append(try file(ring, found.nextNumber, by: device))
      }
    }
    // Everybody reads everything, until nobody has to write.
    for _ in 0..<6 {
      for device: UInt8 in 1...5 {
        let found = try read(device, files)
        rings[device] = found.ring
        if let ring = found.ring, found.needsKeyFile, ring.members[key(device)] != nil {
          files.append(try file(ring, found.nextNumber, by: device))
        }
      }
    }
    let last = try #require(rings[1])
    #expect(last.removed.isSuperset(of: removed) && last.removed.isSubset(of: everRemoved))
    for device: UInt8 in 2...5 where last.members[key(device)] != nil {
      #expect(rings[device] == last, "device \(device)")
    }
    for device: UInt8 in 2...5 where last.removed.contains(key(device)) {
      let current = rings[device]?.identities.contains(last.current) ?? false
      #expect(!current, "a removed device has no current identity")
    }
  }

  @Test(.enabled(if: Age.isAvailable))
  func `keys are written as age writes them`() throws {
    let sealing = AgeSealing()
    let recovery = SecretKey.random()
    let text = try recovery.text()
    #expect(text.hasPrefix("AGE-SECRET-KEY-1") && text.count == 74)
    #expect(try SecretKey(text: text) == recovery)
    #expect(throws: AgeError.self) { try SecretKey(text: String(text.dropLast())) }
    let device = SecretKey.random()
    let publicKey = try sealing.publicKey(of: device)
    #expect(try PublicKey(text: publicKey.text()) == publicKey)
    let ring = try KeyRing.founding(
      device: publicKey, displayName: "Laptop", recovery: sealing.publicKey(of: recovery),
      atMilliseconds: 1, sealing: sealing)
    let (path, bytes) = try KeyFile.make(ring, number: 1, writer: device, sealing: sealing)
    for secret in [device, recovery] {
      let folder = try KeyFolder(
        [.init(path: path, bytes: bytes)], with: [secret], trust: .first, sealing: sealing)
      #expect(folder.ring == ring)
    }
    #expect("\(device)" == "secret")
    // Eight bytes: a pair of them also occurs by chance in the public keys that the text shows.
    let digits = device.bytes.prefix(8).map(String.init).joined(separator: ", ")
    #expect(!"\(ring)".contains(digits))
  }
}
