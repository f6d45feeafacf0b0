extension KeyRing {
  /// The bytes of a key ring, which are the first part of a key file. Equal key rings give equal
  /// bytes.
  package var payload: [UInt8] {
    var writer = PayloadWriter()
    writer.raw(folderSecret.bytes)
    writer.count(identities.count)
    for identity in identities.sorted() {
      writer.varint(identity.generation)
      writer.raw(identity.secret.bytes)
    }
    writer.count(devices.count)
    for (key, device) in devices.sorted(by: { $0.key < $1.key }) {
      writer.raw(key.bytes)
      writer.name(device.name)
      writer.zigzag(device.addedMilliseconds)
      writer.text(device.displayName)
    }
    writer.count(removed.count)
    for key in removed.sorted() { writer.raw(key.bytes) }
    writer.varint(recovery.number)
    writer.raw(recovery.key.bytes)
    return writer.bytes
  }

  /// Reads the bytes of a key ring.
  ///
  /// - Throws: ``SyncFormatError`` for bytes that ``payload`` never has.
  package init(payload: [UInt8]) throws(SyncFormatError) {
    var reader = PayloadReader(payload, part: "keys")
    try self.init(from: &reader)
    try reader.finish()
  }

  /// Reads a key ring, after which other parts may follow.
  init(from reader: inout PayloadReader) throws(SyncFormatError) {
    let folderSecret = try reader.secret()
    var identities: [FolderIdentity] = []
    for _ in 0..<(try reader.count(ofAtLeast: 1 + PublicKey.byteCount)) {
      let identity = FolderIdentity(
        generation: try reader.ordinal(), secret: try reader.secret())
      if let last = identities.last, last >= identity { throw reader.error(.unsorted) }
      identities.append(identity)
    }
    // Each generation has an identity, so nobody can use up the numbers.
    guard let newest = identities.last, newest.generation <= identities.count else {
      throw reader.error(.outOfRange)
    }
    reader.part = "devices"
    var devices: [PublicKey: MemberDevice] = [:]
    var last: PublicKey?
    for _ in 0..<(try reader.count(ofAtLeast: PublicKey.byteCount + DeviceName.byteCount + 2)) {
      let key = try reader.publicKey()
      if let last, last >= key { throw reader.error(.unsorted) }
      last = key
      let name = try reader.name(DeviceName.self)
      devices[key] = MemberDevice(
        addedMilliseconds: try reader.time(), name: name,
        displayName: try reader.text(mostBytes: TextLimit.displayName))
    }
    reader.part = "removed devices"
    var removed: [PublicKey] = []
    for _ in 0..<(try reader.count(ofAtLeast: PublicKey.byteCount)) {
      let key = try reader.publicKey()
      if let last = removed.last, last >= key { throw reader.error(.unsorted) }
      removed.append(key)
    }
    reader.part = "recovery key"
    let recovery = RecoveryRecipient(number: try reader.ordinal(), key: try reader.publicKey())
    // Each replacement of it adds an identity too.
    guard recovery.number <= identities.count else { throw reader.error(.outOfRange) }
    self.init(
      folderSecret: folderSecret, identities: identities, devices: devices, removed: removed,
      recovery: recovery)
  }
}

extension PayloadReader {
  fileprivate mutating func secret() throws(SyncFormatError) -> SecretKey {
    guard let secret = SecretKey(bytes: try raw(PublicKey.byteCount)) else {
      throw error(.endsEarly)
    }
    return secret
  }

  /// Reads a public key.
  mutating func publicKey() throws(SyncFormatError) -> PublicKey {
    guard let key = PublicKey(bytes: try raw(PublicKey.byteCount)) else { throw error(.endsEarly) }
    return key
  }
}
