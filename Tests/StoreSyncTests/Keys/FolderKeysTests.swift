import AgeFile
import ByteStreams
import StoreSync
import Testing
import TestSupport

@Suite struct FolderKeysTests {
  let sealing = TransparentSealing()

  func keys(secret: [UInt8] = Array(0..<32), generations: [UInt8] = [1]) throws -> FolderKeys {
    let ring = KeyRing(
      folderSecret: try #require(SecretKey(bytes: secret)),
      identities: generations.map {
        FolderIdentity(generation: UInt64($0), secret: RandomState.secret($0))
      },
      devices: [:], recovery: RecoveryRecipient(number: 1, key: RandomState.key(9)))
    return try FolderKeys(ring, sealing: sealing)
  }

  /// The values were computed with Python's `hmac` and `hashlib`.
  @Test func `names and codes are those that another implementation computes`() throws {
    let keys = try keys()
    let digest = SHA256.hexadecimal(of: [])
    #expect("\(keys.sourceName(sha256: digest))" == "db2a03b7e933c764a20a80003e859a50")
    #expect("\(keys.deviceName(of: RandomState.key(7)))" == "edc7126898908906")
    #expect("\(keys.fileName(of: Array("abc".utf8)))" == "78314d2f529e3571")
    #expect(keys.fingerprint == "GEAD-FH3N-865G-29ZW")
    let path = SyncPath.manifest(DeviceName(number: 5), counter: 1)
    let file = try keys.seal(Array("hello".utf8), at: path)
    let envelope = try sealing.open(file, with: [RandomState.secret(1)])
    #expect(
      SHA256.hexadecimal(of: envelope)
        == "91415dfdf831e9f4e90608e5dc6cca522466f555859836a570832e686bda68cd")
  }

  @Test func `a fingerprint is compared as people type it`() {
    let fingerprint = "GEAD-FH3N-865G-29ZW"
    for typed in ["gead fh3n 865g 29zw", "GEADFH3N865G29ZW", "Gead-Fh3n-865g-29zw "] {
      #expect(Fingerprint.matches(typed, fingerprint))
    }
    #expect(Fingerprint.matches("OIL0", "0110"))
    #expect(!Fingerprint.matches("GEAD-FH3N-865G-29ZV", fingerprint))
    #expect(!Fingerprint.matches("", fingerprint))
  }

  @Test func `files of all generations are read, and new ones are for the newest only`() throws {
    let old = try keys(generations: [1])
    let new = try keys(generations: [1, 2])
    let path = SyncPath.source(SourceName(high: 1, low: 2), FileName(number: 3))
    let first = try old.seal([1], at: path)
    let second = try new.seal([2], at: path)
    #expect(try new.open(first, at: path) == [1])
    #expect(try new.open(second, at: path) == [2])
    #expect(throws: SyncFileError.notForThisDevice) { try old.open(second, at: path) }
  }

  @Test func `of two identities of one generation all devices use the same`() throws {
    let secret = RandomState.secret(1)
    let rings = [[UInt8(4), 5], [5, 4]].map { numbers in
      KeyRing(
        folderSecret: secret,
        identities: numbers.map {
          FolderIdentity(generation: 2, secret: RandomState.secret($0))
        } + [FolderIdentity(generation: 1, secret: RandomState.secret(0))],
        devices: [:], recovery: RecoveryRecipient(number: 1, key: RandomState.key(9)))
    }
    #expect(rings.map(\.current.secret) == [RandomState.secret(4), RandomState.secret(4)])
  }

  @Test func `a swapped, foreign, cut or changed file is refused, and the reason is named`() throws
  {
    let keys = try keys()
    let foreign = try self.keys(secret: [UInt8](repeating: 3, count: 32))
    let path = SyncPath.manifest(DeviceName(number: 5), counter: 1)
    let other = SyncPath.manifest(DeviceName(number: 5), counter: 2)
    let file = try keys.seal([1, 2], at: path)
    func problem(_ bytes: [UInt8], _ path: SyncPath, _ keys: FolderKeys) -> SyncFileError? {
      do throws(SyncFileError) {
        _ = try keys.open(bytes, at: path)
        return nil
      } catch {
        return error
      }
    }
    let notAuthentic = SyncFileError.notValid(
      SyncFormatError(.notAuthentic, in: "envelope", at: 6))
    #expect(problem(file, path, keys) == nil)
    #expect(problem(file, other, keys) == notAuthentic)
    // Another folder with the same identity: only the code distinguishes them.
    #expect(problem(file, path, foreign) == notAuthentic)
    #expect(
      problem(file, .backup(FileName(number: 1)), keys)
        == .notValid(SyncFormatError(.wrongKind(2), in: "envelope", at: 5)))
    #expect(
      problem(try self.keys(generations: [8]).seal([1], at: path), path, keys)
        == .notForThisDevice)
    #expect(problem([1, 2, 3], path, keys) == .notDecrypted(AgeError.notAnAgeFile.description))
    for count in file.indices { #expect(problem(Array(file[..<count]), path, keys) != nil) }
    for error in [notAuthentic, .notForThisDevice, .foreign(fingerprint: "A")] {
      #expect(error.description.hasSuffix("."))
    }
  }

  @Test(.enabled(if: Age.isAvailable))
  func `with the age format every changed byte is refused`() throws {
    let ring = try keys().ring
    let keys = try FolderKeys(ring, sealing: AgeSealing())
    let path = SyncPath.manifest(DeviceName(number: 5), counter: 1)
    let file = try keys.seal([1, 2], at: path)
    #expect(file.count == 712, "the smallest file: 200 bytes of age and 512 of the envelope")
    #expect(try keys.open(file, at: path) == [1, 2])
    for index in stride(from: 0, to: file.count, by: 3) {
      var changed = file
      changed[index] ^= 4
      #expect(throws: SyncFileError.self, "byte \(index)") { try keys.open(changed, at: path) }
    }
  }
}
