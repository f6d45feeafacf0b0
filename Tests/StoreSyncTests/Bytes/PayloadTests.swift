import StoreSync
import Testing
import TestSupport

/// A payload of one of the kinds, as the tests treat all of them.
enum PayloadKind: CaseIterable {
  case manifest
  case hostileManifest
  case backup
  case source
  case keys
  case keyFile

  func bytes(using random: inout SplitMix64) -> [UInt8] {
    switch self {
    case .manifest: RandomState.manifest(using: &random).payload
    case .hostileManifest: RandomState.manifest(isHostile: true, using: &random).payload
    case .backup: RandomState.backup(using: &random).payload
    case .source: RandomState.source(using: &random).bytes
    case .keys: RandomState.keyRing(using: &random).payload
    case .keyFile: RandomState.keyFile(using: &random).bytes
    }
  }

  /// The bytes of what these bytes say.
  func again(_ bytes: [UInt8]) throws(SyncFormatError) -> [UInt8] {
    switch self {
    case .manifest, .hostileManifest: try Manifest(payload: bytes).payload
    case .backup: try BackupManifest(payload: bytes).payload
    case .source: try SourcePayload(bytes: bytes).bytes
    case .keys: try KeyRing(payload: bytes).payload
    case .keyFile: try KeyFilePayload(bytes: bytes).bytes
    }
  }
}

@Suite struct PayloadTests {
  @Test(arguments: Seeds.sample(200))
  func `what is written is read back as it was`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let manifest = RandomState.manifest(isHostile: seed % 2 == 0, using: &random)
    #expect(try Manifest(payload: manifest.payload) == manifest)
    let backup = RandomState.backup(using: &random)
    #expect(try BackupManifest(payload: backup.payload) == backup)
    let source = RandomState.source(using: &random)
    #expect(try SourcePayload(bytes: source.bytes) == source)
    let keys = RandomState.keyRing(using: &random)
    #expect(try KeyRing(payload: keys.payload) == keys)
    let keyFile = RandomState.keyFile(using: &random)
    #expect(try KeyFilePayload(bytes: keyFile.bytes) == keyFile)
  }

  @Test(arguments: Seeds.sample(20), PayloadKind.allCases)
  func `bytes that are cut off anywhere, or go on, are refused`(seed: UInt64, kind: PayloadKind)
    throws
  {
    var random = SplitMix64(seed: seed)
    let bytes = kind.bytes(using: &random)
    for count in bytes.indices {
      // Sections are complete parts: a source may end after one, as if it had no more.
      if kind == .source, let shorter = try? SourcePayload(bytes: Array(bytes[..<count])) {
        #expect(shorter.bytes == Array(bytes[..<count]))
        continue
      }
      #expect(throws: SyncFormatError.self, "cut to \(count) of \(bytes.count)") {
        try kind.again(Array(bytes[..<count]))
      }
    }
    #expect(throws: SyncFormatError.self) { try kind.again(bytes + [0]) }
  }

  @Test(arguments: Seeds.sample(20), PayloadKind.allCases)
  func `bytes with a changed bit are refused or mean something else`(
    seed: UInt64, kind: PayloadKind
  ) throws {
    var random = SplitMix64(seed: seed)
    let bytes = kind.bytes(using: &random)
    for bit in 0..<(8 * bytes.count) {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      // Only one sequence of bytes says the same: whatever is read is written as it was.
      if let again = try? kind.again(changed) {
        #expect(again == changed, "bit \(bit)")
      }
    }
  }

  @Test(arguments: Seeds.sample(20))
  func `equal states give equal bytes, however they were joined`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let states = (0..<5).map { _ in RandomState.state(using: &random) }
    var manifest = RandomState.manifest(using: &random)
    let payloads = (0..<5).map { _ in
      manifest.state = states.shuffled(using: &random).reduce(into: SharedState()) { $0.join($1) }
      return manifest.payload
    }
    #expect(Set(payloads).count == 1)
  }

  @Test func `a length beyond the bytes that are there is refused before memory is reserved`() {
    let huge: [UInt8] = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]
    let manifest = [UInt8](repeating: 0, count: 8) + huge
    #expect(throws: SyncFormatError(.endsEarly, in: "manifest", at: 18)) {
      try Manifest(payload: manifest)
    }
    for tag in UInt8(1)...4 {
      #expect(throws: SyncFormatError(.endsEarly, in: "source", at: 11)) {
        try SourcePayload(bytes: [tag] + huge)
      }
    }
    #expect(throws: SyncFormatError(.endsEarly, in: "chunks", at: 12)) {
      try SourcePayload(bytes: [2, 10] + huge)
    }
    #expect(throws: SyncFormatError(.endsEarly, in: "keys", at: 42)) {
      try KeyRing(payload: [UInt8](repeating: 0, count: 32) + huge)
    }
    #expect(throws: SyncFormatError(.endsEarly, in: "keys", at: 42)) {
      try KeyFilePayload(bytes: [UInt8](repeating: 0, count: 32) + huge)
    }
    var state = PayloadReader([0] + huge, part: "state")
    #expect(throws: SyncFormatError(.endsEarly, in: "sources", at: 11)) {
      try SharedState(from: &state)
    }
  }

  @Test func `numbers of a key ring that its identities cannot have led to are refused`() throws {
    func ring(generation: UInt64, recovery: UInt64) -> KeyRing {
      KeyRing(
        folderSecret: RandomState.secret(1),
        identities: [
          FolderIdentity(generation: 1, secret: RandomState.secret(2)),
          FolderIdentity(generation: generation, secret: RandomState.secret(3)),
        ], devices: [:], recovery: RecoveryRecipient(number: recovery, key: RandomState.key(4)))
    }
    let good = ring(generation: 2, recovery: 2)
    #expect(try KeyRing(payload: good.payload) == good)
    for bad in [ring(generation: 3, recovery: 1), ring(generation: 2, recovery: 3)] {
      #expect(throws: SyncFormatError.self) { try KeyRing(payload: bad.payload) }
    }
  }

  @Test func `a small manifest has the bytes that the documentation of the format derives`() throws
  {
    var state = SharedState()
    let file = FileReference(name: FileName(number: 0x0102_0304_0506_0708), byteCount: 700)
    let piece = PieceVersion(
      revision: 3, isErased: false, digest: Digest(high: 0xdd, low: 0xee), count: 300, file: file)
    state.sources[SourceName(high: 0xaa, low: 0xbb)] = .present(
      PresentSource(
        generation: 1, withheld: 2,
        row: RowState(revision: 4, digest: Digest(high: 0xcc, low: 0xff), file: file),
        pieces: [
          PieceState(
            position: PiecePosition(rank: 9, device: DeviceName(number: 5)), version: piece)
        ]))
    state.sources[SourceName(high: 0xab, low: 0)] = .forgotten
    state.settings["units"] = SharedSetting(
      value: 1, stamp: Stamp(milliseconds: -1, device: DeviceName(number: 6)))
    state.zones[ZoneName(high: 1, low: 2)] = .present(
      PresentZone(
        name: "é", latitudeE7: -1, longitudeE7: 2, radiusMeters: 2, addedMilliseconds: 64))
    state.achievements[AchievementKey(id: "c", tier: 1)] = SharedUnlock(
      unlockedMilliseconds: nil, givenMilliseconds: 1)
    let manifest = Manifest(
      device: DeviceName(number: 5), displayName: "Pi", counter: 200, writtenMilliseconds: 1,
      activeMilliseconds: 0, read: [DeviceName(number: 6): 2],
      wanted: [
        .source(SourceName(high: 0xac, low: 1), FileName(number: 3)),
        .manifest(DeviceName(number: 6), counter: 3),
      ], state: state)
    let text = """
      0000000000000005 02 5069 c801 02 00
      01 0000000000000006 02
      01 00000000000000ac0000000000000001 0000000000000003
      01 0000000000000006 03
      02 0000000000000005 0000000000000006
      02
      00000000000000aa00000000000000bb 03 01
      04 00000000000000cc00000000000000ff 0102030405060708 bc05
      01 09 00
      01 02 03 00000000000000dd00000000000000ee ac02
      00
      00000000000000ab0000000000000000 00
      01 05 756e697473 01 000000000000f03f 01 01
      01 00000000000000010000000000000002 02 02 c3a9 01 04 0000000000000040 8001
      01 01 63 000000000000f03f 00 02
      """
    #expect(manifest.payload == Self.bytes(text))
    #expect(try Manifest(payload: Self.bytes(text)) == manifest)
  }

  @Test func `a small backup has the bytes that the documentation of the format derives`() throws {
    let backup = BackupManifest(
      device: DeviceName(number: 5), displayName: "Pi", number: 3, writtenMilliseconds: 1,
      note: "x", keptFixes: 7, settings: ["units": .init(value: 1, changedMilliseconds: -1)],
      state: SharedState())
    let text = """
      0000000000000005 02 5069 03 02 01 78 07
      01 05 756e697473 000000000000f03f 01
      00 00 00 00 00
      """
    #expect(backup.payload == Self.bytes(text))
    #expect(try BackupManifest(payload: Self.bytes(text)) == backup)
  }

  @Test func `times after the year 9999 and numbers without a successor are refused`() {
    var random = SplitMix64(seed: 2)
    let backup = RandomState.backup(using: &random)
    #expect(throws: Never.self) { try BackupManifest(payload: backup.payload) }
    for change: (inout BackupManifest) -> Void in [
      { $0.writtenMilliseconds = 253_402_300_800_000 }, { $0.writtenMilliseconds = .min },
      { $0.number = .max }, { $0.keptFixes = .max },
      { $0.settings["units"] = .init(value: 1, changedMilliseconds: .max) },
    ] {
      var wrong = backup
      change(&wrong)
      #expect(throws: SyncFormatError.self) { try BackupManifest(payload: wrong.payload) }
    }
  }

  @Test func `a backup of something that no store holds is refused`() throws {
    var random = SplitMix64(seed: 1)
    let name = SourceName(high: 1, low: 2)
    var backup = RandomState.backup(using: &random)
    backup.state = SharedState()
    #expect(try BackupManifest(payload: backup.payload) == backup)
    backup.state.sources[name] = .forgotten
    #expect(throws: SyncFormatError.self) { try BackupManifest(payload: backup.payload) }
    var version = PieceVersion(
      revision: 0, isErased: true, digest: Digest(high: 1, low: 1), count: 1,
      file: RandomState.file(using: &random))
    let row = RowState(revision: 0, digest: version.digest, file: version.file)
    var piece = PieceState(
      position: PiecePosition(rank: 1, device: backup.device), version: version)
    version.digest = Digest(high: 1, low: 2)
    piece.join(PieceState(position: piece.position, version: version))
    #expect(piece.isConflict)
    backup.state.sources[name] = .present(
      PresentSource(generation: 0, withheld: 0, row: row, pieces: [piece]))
    #expect(throws: SyncFormatError.self) { try BackupManifest(payload: backup.payload) }
    backup.state = SharedState()
    backup.state.zones[ZoneName(high: 1, low: 2)] = .removed(
      Stamp(milliseconds: 1, device: backup.device))
    #expect(throws: SyncFormatError.self) { try BackupManifest(payload: backup.payload) }
  }

  private static func bytes(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(digits.dropFirst($0).prefix(2), radix: 16)
    }
  }

  @Test func `an empty piece is a piece, and a row alone is not`() throws {
    let empty = SourcePayload(row: nil, piece: PieceContent())
    #expect(empty.bytes == [2, 1, 0])
    #expect(try SourcePayload(bytes: [2, 1, 0]).piece == PieceContent())
    #expect(try SourcePayload(bytes: [1, 0]).piece == nil)
    #expect(throws: SyncFormatError(.endsEarly, in: "source", at: 0)) {
      try SourcePayload(bytes: [])
    }
  }

  @Test func `the digest of a piece does not depend on the row in the same file`() {
    var random = SplitMix64(seed: 5)
    var payload = RandomState.source(using: &random)
    while payload.piece == nil || payload.row == nil {
      payload = RandomState.source(using: &random)
    }
    let alone = SourcePayload(row: nil, piece: payload.piece)
    #expect(payload.piece?.sections == alone.bytes)
    #expect(payload.piece?.digest == Digest(of: alone.bytes))
    // SHA-256 of no bytes (FIPS 180-4), its first half.
    #expect("\(Digest(of: []))" == "e3b0c44298fc1c149afbf4c8996fb924")
  }
}
