import StoreSync

/// A slow and obvious join: a state is taken apart into single facts, and the union of the facts of
/// several states is put together again by sorting and filtering. It shares no code with the join.
enum EventFold {
  enum Fact: Hashable {
    case forgotten(SourceName)
    case source(SourceName, generation: UInt64, withheld: UInt8)
    case row(SourceName, generation: UInt64, RowState)
    case position(SourceName, generation: UInt64, index: Int, PiecePosition)
    case version(SourceName, generation: UInt64, index: Int, PieceVersion)
    case absorbed(SourceName, generation: UInt64, index: Int, Digest)
    case setting(String, SharedSetting)
    case zone(ZoneName, SharedZone)
    case unlocked(AchievementKey, Int64)
    case given(AchievementKey, Int64)
  }

  static func facts(of state: SharedState) -> Set<Fact> {
    var facts: Set<Fact> = []
    for (name, source) in state.sources {
      guard case .present(let present) = source else {
        facts.insert(.forgotten(name))
        continue
      }
      let generation = present.generation
      facts.insert(.source(name, generation: generation, withheld: present.withheld))
      facts.insert(.row(name, generation: generation, present.row))
      for (index, piece) in present.pieces.enumerated() {
        facts.insert(.position(name, generation: generation, index: index, piece.position))
        for version in piece.alternatives {
          facts.insert(.version(name, generation: generation, index: index, version))
        }
        for digest in piece.absorbed {
          facts.insert(.absorbed(name, generation: generation, index: index, digest))
        }
      }
    }
    for (key, setting) in state.settings { facts.insert(.setting(key, setting)) }
    for (name, zone) in state.zones { facts.insert(.zone(name, zone)) }
    for (key, unlock) in state.achievements {
      if let time = unlock.unlockedMilliseconds { facts.insert(.unlocked(key, time)) }
      facts.insert(.given(key, unlock.givenMilliseconds))
    }
    return facts
  }

  static func state(of facts: Set<Fact>) -> SharedState {
    var state = SharedState()
    let names = Set(
      facts.compactMap { fact -> SourceName? in
        switch fact {
        case .forgotten(let name), .source(let name, _, _): name
        default: nil
        }
      })
    for name in names {
      state.sources[name] = facts.contains(.forgotten(name)) ? .forgotten : source(name, facts)
    }
    var settings: [String: [SharedSetting]] = [:]
    var zones: [ZoneName: [SharedZone]] = [:]
    var times: [AchievementKey: (unlocked: [Int64], given: [Int64])] = [:]
    for fact in facts {
      switch fact {
      case .setting(let key, let setting): settings[key, default: []].append(setting)
      case .zone(let name, let zone): zones[name, default: []].append(zone)
      case .unlocked(let key, let time): times[key, default: ([], [])].unlocked.append(time)
      case .given(let key, let time): times[key, default: ([], [])].given.append(time)
      default: break
      }
    }
    for (key, all) in settings {
      let last = all.map(\.stamp).max()
      // No value is below every value, and -0 below 0.
      state.settings[key] = all.filter { $0.stamp == last }.max {
        (
          $0.value ?? -.infinity, $0.value?.sign == .minus ? 0 : 1
        ) < ($1.value ?? -.infinity, $1.value?.sign == .minus ? 0 : 1)
      }
    }
    for (name, all) in zones {
      let removals = all.compactMap { zone -> Stamp? in
        if case .removed(let stamp) = zone { stamp } else { nil }
      }
      let present = all.compactMap { zone -> PresentZone? in
        if case .present(let present) = zone { present } else { nil }
      }
      state.zones[name] = removals.min().map { .removed($0) } ?? present.min().map { .present($0) }
    }
    for (key, all) in times {
      guard let given = all.given.min() else { continue }
      state.achievements[key] = SharedUnlock(
        unlockedMilliseconds: all.unlocked.min(), givenMilliseconds: given)
    }
    return state
  }

  private static func source(_ name: SourceName, _ facts: Set<Fact>) -> SourceState? {
    var generations: [UInt64: UInt8] = [:]
    for case .source(name, let generation, let withheld) in facts {
      generations[generation] = max(generations[generation] ?? 0, withheld)
    }
    guard let last = generations.keys.max(), let withheld = generations[last] else { return nil }
    var rows: [RowState] = []
    var pieces: [Int: (positions: [PiecePosition], versions: [PieceVersion], gone: Set<Digest>)] =
      [:]
    for fact in facts {
      switch fact {
      case .row(name, last, let row): rows.append(row)
      case .position(name, last, let index, let position):
        pieces[index, default: ([], [], [])].positions.append(position)
      case .version(name, last, let index, let version):
        pieces[index, default: ([], [], [])].versions.append(version)
      case .absorbed(name, last, let index, let digest):
        pieces[index, default: ([], [], [])].gone.insert(digest)
      default: break
      }
    }
    guard
      let row = rows.min(by: {
        ($1.revision, $0.digest, $0.file) < ($0.revision, $1.digest, $1.file)
      })
    else { return nil }
    return .present(
      PresentSource(
        generation: last, withheld: withheld, row: row,
        pieces: (0..<pieces.count).compactMap { index in
          guard let (positions, versions, gone) = pieces[index], let first = positions.min() else {
            return nil
          }
          return PieceState(
            position: first, alternatives: alternatives(versions, gone), absorbed: gone)
        }))
  }

  private static func alternatives(
    _ versions: [PieceVersion], _ gone: Set<Digest>
  ) -> [PieceVersion] {
    let erased = versions.filter(\.isErased)
    if erased.isEmpty {
      let best = versions.min {
        ($1.revision, $0.digest, $0.count, $0.file) < ($0.revision, $1.digest, $1.count, $1.file)
      }
      return best.map { [$0] } ?? []
    }
    struct Content: Hashable {
      let digest: Digest
      let count: UInt64
    }
    let contents = Dictionary(grouping: erased) { Content(digest: $0.digest, count: $0.count) }
    let merged = contents.values.compactMap { same -> PieceVersion? in
      guard var one = same.first else { return nil }
      // The file is that of the highest revision, and the smallest of these.
      one.revision = same.map(\.revision).max() ?? 0
      one.file = same.filter { $0.revision == one.revision }.map(\.file).min() ?? one.file
      return one
    }.sorted { ($0.count, $0.digest) < ($1.count, $1.digest) }
    return merged.prefix(1) + merged.dropFirst().filter { !gone.contains($0.digest) }
  }
}
