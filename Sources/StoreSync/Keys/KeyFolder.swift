import AgeFile

/// What the key files of a sync folder say together.
package struct KeyFolder: Sendable {
  /// Which folder a device believes in.
  package enum Trust: Sendable {
    /// The one whose key ring the device has kept.
    case known(KeyRing)
    /// The one with this fingerprint, which a person has typed.
    case fingerprint(String)
    /// Whatever folder is there, if it is only one. A person compares the fingerprint afterwards.
    case first
  }

  /// A key file as it was read.
  package struct Candidate: Sendable {
    /// Where it lies; of a renamed copy, where it belongs.
    package var path: SyncPath
    /// Its bytes.
    package var bytes: [UInt8]

    /// Creates a key file.
    package init(path: SyncPath, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
  }

  /// A key file that was not believed.
  package struct Problem: Hashable, Sendable {
    /// The file.
    package var path: SyncPath
    /// Why not.
    package var error: SyncFileError

    /// Creates a problem.
    package init(path: SyncPath, error: SyncFileError) { (self.path, self.error) = (path, error) }
  }

  /// The join of all key files that were believed, and of the known key ring; nil if there is none.
  package private(set) var ring: KeyRing?
  /// Whether ``ring`` says more than each of the files: a device should write it as a new key file,
  /// so that all devices can read what any identity encrypted.
  package private(set) var needsKeyFile = false
  /// The key files that were not believed, in the order in which they were given.
  package private(set) var problems: [Problem] = []
  /// The number of the next key file.
  package private(set) var nextNumber: UInt64 = 1
  /// The fingerprints of the folders that the key files belong to, if nobody said which one counts
  /// and there are several. Then ``ring`` is nil.
  package private(set) var fingerprints: [String] = []

  /// Numbers beyond it are nobody's: there is always a next one.
  private static let mostNumber: UInt64 = 1 << 40

  /// Reads key files.
  ///
  /// - Parameters:
  ///   - secrets: those of this device, or of a recovery key.
  ///   - trust: which folder to believe in.
  /// - Throws: `AgeError.cryptographyUnavailable`.
  package init(
    _ files: [Candidate], with secrets: [SecretKey], trust: Trust, sealing: any Sealing
  ) throws(AgeError) {
    var rings: [(path: SyncPath, ring: KeyRing)] = []
    for file in files {
      if case .key(let number, _) = file.path, number < Self.mostNumber {
        nextNumber = max(nextNumber, number + 1)
      }
      do throws(SyncFileError) {
        let ring = try KeyFile.open(
          file.bytes, at: file.path, with: secrets, sealing: sealing)
        rings.append((file.path, ring))
      } catch {
        problems.append(Problem(path: file.path, error: error))
      }
    }
    var names: [SecretKey: String] = [:]
    for (_, ring) in rings where names[ring.folderSecret] == nil {
      names[ring.folderSecret] = try FolderKeys(ring, sealing: sealing).fingerprint
    }
    let believed: SecretKey?
    switch trust {
    case .known(let known):
      ring = known
      believed = known.folderSecret
    case .fingerprint(let text):
      believed = names.first { Fingerprint.matches(text, $0.value) }?.key
    case .first:
      believed = names.count == 1 ? names.keys.first : nil
      if names.count > 1 {
        fingerprints = names.values.sorted()
        return
      }
    }
    var known = ring.map { [$0] } ?? []
    for (path, other) in rings {
      guard other.folderSecret == believed else {
        problems.append(
          Problem(path: path, error: .foreign(fingerprint: names[other.folderSecret] ?? "")))
        continue
      }
      known.append(other)
      ring = ring?.joined(with: other) ?? other
    }
    // Two devices removed others at the same time, perhaps each other. Nobody who knows only one of
    // the new identities may read on.
    if let joined = ring, !known.contains(where: { $0.identities == joined.identities }) {
      ring = joined.combiningIdentities()
    }
    needsKeyFile = ring.map { ring in !rings.contains { $0.ring == ring } } ?? false
  }
}
