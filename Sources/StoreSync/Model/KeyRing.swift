/// A public key of age (X25519), to which files are encrypted.
package struct PublicKey: Hashable, Comparable, Sendable {
  /// The number of bytes of public and of secret keys.
  package static let byteCount = 32
  /// The 32 bytes.
  package let bytes: [UInt8]

  /// The key of these bytes, or nil if there are not 32.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = Array(bytes)
  }

  /// The order of the bytes.
  package static func < (left: Self, right: Self) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

/// 32 secret bytes. Its description does not show them.
package struct SecretKey: Hashable, Comparable, Sendable, CustomStringConvertible, CustomReflectable
{
  /// The 32 bytes.
  package let bytes: [UInt8]

  /// The secret of these bytes, or nil if there are not 32.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == PublicKey.byteCount else { return nil }
    self.bytes = Array(bytes)
  }

  /// The order of the bytes.
  package static func < (left: Self, right: Self) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  /// "secret".
  package var description: String { "secret" }
  /// Nothing.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// An identity of the folder: whoever has its secret reads what was encrypted to it.
package struct FolderIdentity: Hashable, Comparable, Sendable {
  /// Its number: removing a device makes a new identity, with the next number.
  package var generation: UInt64
  /// The secret key.
  package var secret: SecretKey

  /// Creates an identity.
  package init(generation: UInt64, secret: SecretKey) {
    (self.generation, self.secret) = (generation, secret)
  }

  /// The order by generation, then secret.
  package static func < (left: Self, right: Self) -> Bool {
    (left.generation, left.secret) < (right.generation, right.secret)
  }
}

/// A device that may read the folder.
package struct MemberDevice: Hashable, Comparable, Sendable {
  /// When it was added, in milliseconds since 1970.
  package var addedMilliseconds: Int64
  /// The name in the folder.
  package var name: DeviceName
  /// The name that people read.
  package var displayName: String

  /// Creates a device.
  package init(addedMilliseconds: Int64, name: DeviceName, displayName: String) {
    (self.addedMilliseconds, self.name) = (addedMilliseconds, name)
    self.displayName = displayName
  }

  /// The order by time, name and the bytes of the display name.
  package static func < (left: Self, right: Self) -> Bool {
    let (one, two) = ((left.addedMilliseconds, left.name), (right.addedMilliseconds, right.name))
    return one == two
      ? left.displayName.utf8.lexicographicallyPrecedes(right.displayName.utf8) : one < two
  }

  /// Whether all values are equal, the display names in their bytes.
  package static func == (left: Self, right: Self) -> Bool { !(left < right) && !(right < left) }

  /// Hashes what is compared.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(addedMilliseconds)
    hasher.combine(name)
    hasher.combine(Array(displayName.utf8))
  }
}

/// The public half of a recovery key.
package struct RecoveryRecipient: Hashable, Comparable, Sendable {
  /// Its number: a new recovery key has the next one.
  package var number: UInt64
  /// The public key.
  package var key: PublicKey

  /// Creates a recipient.
  package init(number: UInt64, key: PublicKey) { (self.number, self.key) = (number, key) }

  /// The order in which recipients count: by number; of two with one number, the smaller key is the
  /// higher one.
  package static func < (left: Self, right: Self) -> Bool {
    (left.number, right.key) < (right.number, left.key)
  }
}

/// What a key file contains: all secrets of a folder, and who may read them.
///
/// It grows by joining like everything else, so an old key file that somebody puts back adds
/// nothing and takes nothing away.
package struct KeyRing: Joinable {
  /// The secret from which names and authentication are derived. It is made once and never changes.
  package let folderSecret: SecretKey
  /// The identities that files of the folder are encrypted to; at least one.
  package private(set) var identities: Set<FolderIdentity>
  /// The devices that were ever added, by public key.
  package private(set) var devices: [PublicKey: MemberDevice]
  /// The devices that were removed. Removing is final: a device comes back with another key.
  package private(set) var removed: Set<PublicKey>
  /// The recovery key that counts.
  package private(set) var recovery: RecoveryRecipient

  /// Creates a key ring.
  ///
  /// - Precondition: there is an identity.
  package init(
    folderSecret: SecretKey, identities: some Sequence<FolderIdentity>,
    devices: [PublicKey: MemberDevice], removed: some Sequence<PublicKey> = [],
    recovery: RecoveryRecipient
  ) {
    self.folderSecret = folderSecret
    (self.identities, self.devices) = (Set(identities), devices)
    (self.removed, self.recovery) = (Set(removed), recovery)
    precondition(!self.identities.isEmpty, "a folder has an identity")
  }

  /// The identity that new files are encrypted to: the highest generation; of several that devices
  /// made at the same time, the one with the smallest bytes.
  package var current: FolderIdentity {
    let generation = identities.reduce(0) { max($0, $1.generation) }
    let newest = identities.filter { $0.generation == generation }
    guard let identity = newest.min() else { preconditionFailure("a folder has an identity") }
    return identity
  }

  /// The devices that were not removed.
  package var members: [PublicKey: MemberDevice] { devices.filter { !removed.contains($0.key) } }

  /// The keys to which a key file with this key ring is encrypted: those of the devices that were
  /// not removed, and the recovery key. They are in the order of their bytes.
  package var recipients: [PublicKey] { Set(members.keys).union([recovery.key]).sorted() }

  /// Whether the key ring says all that another one says.
  package func contains(_ other: Self) -> Bool { joined(with: other) == self }

  /// Joins what both contain. Removed wins.
  ///
  /// - Precondition: the folder secrets are equal.
  package mutating func join(_ other: Self) {
    precondition(folderSecret == other.folderSecret, "key files of one folder are joined")
    identities.formUnion(other.identities)
    devices.merge(other.devices) { min($0, $1) }
    removed.formUnion(other.removed)
    recovery = max(recovery, other.recovery)
  }

  /// Joins only what cannot let anybody in: the devices that another key ring has removed, and its
  /// identities, so that what was encrypted to them can be read.
  ///
  /// - Precondition: the folder secrets are equal.
  mutating func joinRemovals(of other: Self) {
    precondition(folderSecret == other.folderSecret, "key files of one folder are joined")
    identities.formUnion(other.identities)
    removed.formUnion(other.removed)
  }

  /// Adds a device.
  package mutating func add(_ device: MemberDevice, key: PublicKey) {
    devices[key] = devices[key].map { min($0, device) } ?? device
  }

  /// Adds an identity.
  package mutating func add(_ identity: FolderIdentity) { identities.insert(identity) }

  /// Removes a device, and makes `secret` the identity that new files are encrypted to. Another
  /// device has to do that: the one that makes the secret knows it.
  package mutating func remove(_ key: PublicKey, replacingIdentityBy secret: SecretKey) {
    removed.insert(key)
    addIdentity(secret)
  }

  /// Replaces the recovery key, and makes `secret` the identity that new files are encrypted to:
  /// whoever has the old recovery key reads nothing that is written from now on.
  package mutating func replaceRecovery(by key: PublicKey, replacingIdentityBy secret: SecretKey) {
    recovery = RecoveryRecipient(number: recovery.number + 1, key: key)
    addIdentity(secret)
  }

  private mutating func addIdentity(_ secret: SecretKey) {
    identities.insert(FolderIdentity(generation: current.generation + 1, secret: secret))
  }
}
