import StoreSync
import TestSupport

extension RandomState {
  static func bytes(_ count: ClosedRange<Int>, using random: inout SplitMix64) -> [UInt8] {
    (0..<Int.random(in: count, using: &random)).map { _ in .random(in: 0...255, using: &random) }
  }

  static func manifest(isHostile: Bool = false, using random: inout SplitMix64) -> Manifest {
    Manifest(
      device: device(using: &random),
      displayName: ["", "Phone", "Gerät"].randomElement(using: &random)
        ?? "",
      counter: .random(in: 0...300, using: &random),
      writtenMilliseconds: .random(in: -62_167_219_200_000...253_402_300_799_999, using: &random),
      activeMilliseconds: .random(in: -1...1, using: &random),
      read: Dictionary(
        uniqueKeysWithValues: (0..<UInt64.random(in: 0...3, using: &random)).map {
          (DeviceName(number: $0), $0 * 100)
        }),
      wanted: wanted(using: &random), state: state(isHostile: isHostile, using: &random))
  }

  private static func wanted(using random: inout SplitMix64) -> Set<SyncPath> {
    var paths: Set<SyncPath> = []
    for number in 0..<UInt64.random(in: 0...3, using: &random) {
      paths.insert(.source(SourceName(high: number / 2, low: 7), FileName(number: number)))
      if Bool.random(using: &random) {
        paths.insert(.manifest(device(using: &random), counter: number))
      }
    }
    return paths
  }

  static func backup(using random: inout SplitMix64) -> BackupManifest {
    var state = state(using: &random)
    // A store has neither conflicts nor anything that is gone.
    for (name, source) in state.sources {
      guard case .present(var present) = source else {
        state.sources[name] = nil
        continue
      }
      present.pieces = present.pieces.map {
        PieceState(
          position: $0.position, alternatives: [$0.alternatives[0]], absorbed: $0.absorbed)
      }
      state.sources[name] = .present(present)
    }
    state.zones = state.zones.filter { if case .present = $0.value { true } else { false } }
    var settings: [String: BackupManifest.Setting] = [:]
    for key in ["a", "b!", "units"] where Bool.random(using: &random) {
      settings[key] = .init(
        value: [0, -0.0, 1.5, -1e300].randomElement(using: &random) ?? 0,
        changedMilliseconds: .random(in: -1...1, using: &random))
    }
    return BackupManifest(
      device: device(using: &random),
      displayName: ["", "Phone", "Gerät"].randomElement(using: &random) ?? "",
      number: .random(in: 0...300, using: &random),
      writtenMilliseconds: .random(in: -62_167_219_200_000...253_402_300_799_999, using: &random),
      note: ["", "before the journey"].randomElement(using: &random) ?? "",
      keptFixes: .random(in: 0...300, using: &random), settings: settings, state: state)
  }

  static func source(using random: inout SplitMix64) -> SourcePayload {
    var piece = PieceContent()
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      piece.chunks.append(
        .init(count: .random(in: 1...4096, using: &random), payload: bytes(0...40, using: &random)))
    }
    var key = Int64.random(in: -200...0, using: &random)
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      piece.gridRadiusMeters = 150
      piece.tiles.append(
        .init(
          key: key, cells: .random(in: 1...4096, using: &random),
          bits: bytes(0...20, using: &random)))
      key += Int64.random(in: 1...1000, using: &random)
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      piece.regions.append(bytes(0...20, using: &random))
    }
    let row = bytes(0...50, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return SourcePayload(row: row, piece: nil)
    case 1: return SourcePayload(row: nil, piece: piece)
    default: return SourcePayload(row: row, piece: piece)
    }
  }

  static func secret(_ number: UInt8) -> SecretKey {
    guard let secret = SecretKey(bytes: [UInt8](repeating: number, count: 32)) else {
      preconditionFailure("32 bytes")
    }
    return secret
  }

  static func key(_ number: UInt8) -> PublicKey {
    guard let key = PublicKey(bytes: [UInt8](repeating: number, count: 32)) else {
      preconditionFailure("32 bytes")
    }
    return key
  }

  static func keyRing(using random: inout SplitMix64) -> KeyRing {
    func some(_ most: UInt8) -> [UInt8] {
      (0..<most).filter { _ in Bool.random(using: &random) }
    }
    let identities = [UInt8.random(in: 0...2, using: &random)] + some(3)
    let devices = some(4)
    let removed = some(4)
    return KeyRing(
      folderSecret: secret(200),
      identities: identities.map {
        FolderIdentity(generation: UInt64($0 / 2), secret: secret(100 + $0))
      },
      devices: Dictionary(
        uniqueKeysWithValues: devices.map {
          (
            key($0),
            MemberDevice(
              addedMilliseconds: .random(in: -1...1, using: &random),
              name: device(using: &random),
              displayName: ["", "é", "e\u{301}"].randomElement(using: &random) ?? "")
          )
        }),
      removed: removed.map { key($0) },
      recovery: RecoveryRecipient(
        number: .random(in: 0...1, using: &random), key: key(.random(in: 60...62, using: &random))))
  }

  static func keyFile(using random: inout SplitMix64) -> KeyFilePayload {
    let ring = keyRing(using: &random)
    let codes = ring.recipients.map { _ in bytes(32...32, using: &random) }
    return KeyFilePayload(
      ring: ring, writer: key(.random(in: 0...255, using: &random)), codes: codes)
  }
}
