import StoreSync
import TestSupport

/// Random states with few different values, so that two of them often speak about the same thing.
enum RandomState {
  static func device(using random: inout SplitMix64) -> DeviceName {
    DeviceName(number: .random(in: 1...3, using: &random))
  }

  static func stamp(using random: inout SplitMix64) -> Stamp {
    Stamp(milliseconds: .random(in: -2...2, using: &random), device: device(using: &random))
  }

  static func digest(using random: inout SplitMix64) -> Digest {
    Digest(high: .random(in: 1...6, using: &random) << 60, low: 7)
  }

  static func file(using random: inout SplitMix64) -> FileReference {
    FileReference(
      name: FileName(number: .random(in: 1...4, using: &random) << 61),
      byteCount: .random(in: 600...603, using: &random))
  }

  /// A version. Its count follows from its digest, as with real contents, unless `isHostile`.
  static func version(isHostile: Bool, using random: inout SplitMix64) -> PieceVersion {
    let digest = digest(using: &random)
    return PieceVersion(
      revision: .random(in: 0...3, using: &random), isErased: .random(using: &random),
      digest: digest,
      count: isHostile ? .random(in: 0...3, using: &random) : digest.high >> 61,
      file: file(using: &random))
  }

  static func piece(isHostile: Bool, using random: inout SplitMix64) -> PieceState {
    PieceState(
      position: PiecePosition(
        rank: .random(in: 0...3, using: &random), device: device(using: &random)),
      alternatives: (0..<Int.random(in: 1...3, using: &random)).map { _ in
        version(isHostile: isHostile, using: &random)
      },
      absorbed: (0..<Int.random(in: 0...2, using: &random)).map { _ in digest(using: &random) })
  }

  static func source(isHostile: Bool, using random: inout SplitMix64) -> SourceState {
    if Int.random(in: 0..<12, using: &random) == 0 { return .forgotten }
    return .present(
      PresentSource(
        generation: .random(in: 0...1, using: &random),
        withheld: .random(in: 0...3, using: &random),
        row: RowState(
          revision: .random(in: 0...3, using: &random), digest: digest(using: &random),
          file: file(using: &random)),
        pieces: (0..<Int.random(in: 0...3, using: &random)).map { _ in
          piece(isHostile: isHostile, using: &random)
        }))
  }

  static func zone(using random: inout SplitMix64) -> SharedZone {
    if Bool.random(using: &random) { return .removed(stamp(using: &random)) }
    return .present(
      PresentZone(
        name: [nil, "", "home", "he\u{301}", "h\u{E9}"].randomElement(using: &random) ?? nil,
        latitudeE7: .random(in: -1...1, using: &random),
        longitudeE7: .random(in: -1...1, using: &random),
        radiusMeters: [1.5, 300].randomElement(using: &random) ?? 1,
        addedMilliseconds: .random(in: -1...1, using: &random)))
  }

  static func state(isHostile: Bool = false, using random: inout SplitMix64) -> SharedState {
    var state = SharedState()
    for name in 1...4 where Bool.random(using: &random) {
      state.sources[SourceName(high: UInt64(name) << 56, low: UInt64(name))] = source(
        isHostile: isHostile, using: &random)
    }
    for key in ["a", "units"] where Bool.random(using: &random) {
      state.settings[key] = SharedSetting(
        value: [nil, 0, -0.0, 1, -1].randomElement(using: &random) ?? nil,
        stamp: stamp(using: &random))
    }
    for name in 1...3 where Bool.random(using: &random) {
      state.zones[ZoneName(high: UInt64(name), low: 1)] = zone(using: &random)
    }
    for tier in [1, 2.5] where Bool.random(using: &random) {
      state.achievements[AchievementKey(id: "countries", tier: tier)] = SharedUnlock(
        unlockedMilliseconds: [nil, 1, 2].randomElement(using: &random) ?? nil,
        givenMilliseconds: .random(in: -2...2, using: &random))
    }
    return state
  }
}
