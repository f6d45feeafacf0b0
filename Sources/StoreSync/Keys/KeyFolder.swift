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
  /// Whether a device should write ``ring`` as a new key file: because it says more than each of
  /// the files, or because there is a recipient that does not know the writer of the one that says
  /// the same, and knows this device.
  package private(set) var needsKeyFile = false
  /// The key files that were not believed, in the order in which they were given.
  package private(set) var problems: [Problem] = []
  /// The number of the next key file.
  package private(set) var nextNumber: UInt64 = 1
  /// The fingerprints of the folders that the key files belong to, if nobody said which one counts
  /// and there are several. Then ``ring`` is nil.
  package private(set) var fingerprints: [String] = []
  /// The writers of the key files that were believed.
  package private(set) var writers: Set<PublicKey> = []
  /// The key files that are encrypted for others and have a higher number than all that were
  /// believed, in the order in which they were given. A file that is damaged does not count.
  package private(set) var newerFiles: [SyncPath] = []

  /// Numbers beyond it are nobody's: there is always a next one.
  private static let mostNumber: UInt64 = 1 << 40

  /// Reads key files.
  ///
  /// - Parameters:
  ///   - secrets: that of this device, and of a recovery key, if there is one.
  ///   - trust: which folder to believe in.
  /// - Throws: `AgeError.cryptographyUnavailable`.
  package init(
    _ files: [Candidate], with secrets: [SecretKey], trust: Trust, sealing: any Sealing
  ) throws(AgeError) {
    var opened: [(index: Int, file: KeyFile)] = []
    var errors: [Int: SyncFileError] = [:]
    for (index, file) in files.enumerated() {
      nextNumber = max(nextNumber, Self.number(file) + 1)
      do throws(SyncFileError) {
        opened.append(
          (index, try KeyFile(file.bytes, at: file.path, with: secrets, sealing: sealing)))
      } catch {
        errors[index] = error
      }
    }
    defer {
      problems = errors.sorted { $0.key < $1.key }.map {
        Problem(path: files[$0.key].path, error: $0.value)
      }
    }
    var names: [SecretKey: String] = [:]
    for (_, file) in opened where names[file.ring.folderSecret] == nil {
      names[file.ring.folderSecret] = try FolderKeys(file.ring, sealing: sealing).fingerprint
    }
    let folder: SecretKey?
    switch trust {
    case .known(let known): folder = known.folderSecret
    case .fingerprint(let text):
      folder = names.first { Fingerprint.matches(text, $0.value) }?.key
    case .first:
      folder = names.count == 1 ? names.keys.first : nil
      if names.count > 1 {
        fingerprints = names.values.sorted()
        return
      }
    }
    for (index, file) in opened where file.ring.folderSecret != folder {
      errors[index] = .foreign(fingerprint: names[file.ring.folderSecret] ?? "")
    }
    opened.removeAll { $0.file.ring.folderSecret != folder }
    var own: [PublicKey] = []
    for secret in secrets { own.append(try sealing.publicKey(of: secret)) }
    let keyTrust = KeyTrust(opened.map(\.file))
    let found =
      if case .known(let known) = trust {
        keyTrust.belief(from: known)
      } else {
        keyTrust.belief(of: Set(own))
      }
    var newest: UInt64 = 0
    for (number, entry) in opened.enumerated() {
      if let found, found.accepted.contains(number) || found.covers(entry.file) {
        newest = max(newest, Self.number(files[entry.index]))
      } else {
        errors[entry.index] = .untrustedWriter
      }
    }
    newerFiles = files.indices.filter {
      errors[$0] == .notForThisDevice && Self.number(files[$0]) > newest
    }.map { files[$0].path }
    guard let found else { return }
    let accepted = found.accepted.sorted().map { opened[$0].file }
    writers = Set(accepted.map(\.writer))
    var known = accepted.map(\.ring)
    if case .known(let ring) = trust { known.append(ring) }
    // Two devices removed others at the same time, perhaps each other. Nobody who knows only one of
    // the new identities may read on.
    let isWhole = known.contains { $0.identities == found.ring.identities }
    let ring = isWhole ? found.ring : found.ring.combiningIdentities()
    self.ring = ring
    needsKeyFile = KeyFileNeed(accepted).isThere(for: ring, by: own.first)
  }

  /// The number of a file that counts; 0 for none.
  private static func number(_ file: Candidate) -> UInt64 {
    guard case .key(let number, _) = file.path, number < mostNumber else { return 0 }
    return number
  }
}
