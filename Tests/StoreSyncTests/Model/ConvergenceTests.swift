import StoreSync
import Testing
import TestSupport

/// Simulated devices that import, erase, forget and intersect contents, with an engine that is as
/// simple as possible: a content is a set of numbers with a flag each.
@Suite struct ConvergenceTests {
  /// Each number stands for a fix, its value for the fix's flags.
  typealias Content = [Int: Bool]

  /// All contents that ever were, by digest, as files would hold them.
  struct Library {
    var contents: [Digest: Content] = [:]

    mutating func version(of content: Content, revision: UInt64, isErased: Bool) -> PieceVersion {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for (number, flag) in content.sorted(by: { $0.key < $1.key }) {
        hash = (hash ^ UInt64(number * 2 + (flag ? 1 : 0))) &* 0x100_0000_01b3
      }
      let digest = Digest(high: hash, low: hash)
      contents[digest] = content
      return PieceVersion(
        revision: revision, isErased: isErased, digest: digest, count: UInt64(content.count),
        file: FileReference(name: FileName(number: hash), byteCount: 512))
    }
  }

  struct Device {
    let name: DeviceName
    var state = SharedState()
    /// All that this device ever erased.
    var erased: Set<Int> = []
    /// What it erased from a content that it had: that must never come back anywhere.
    var taken: Set<Int> = []

    /// Intersects the alternatives of all pieces that have several.
    mutating func resolve(_ library: inout Library) {
      for (name, source) in state.sources {
        guard case .present(var present) = source, present.hasConflict else { continue }
        for index in present.pieces.indices where present.pieces[index].isConflict {
          let alternatives = present.pieces[index].alternatives
          let contents = alternatives.compactMap { library.contents[$0.digest] }
          let flags = alternatives.max {
            ($0.revision, $1.digest) < ($1.revision, $0.digest)
          }.flatMap { library.contents[$0.digest] }
          let common = (flags ?? [:]).filter { fix in
            contents.allSatisfy { $0[fix.key] != nil }
          }
          let rest =
            present.pieces[index].alternative(withCount: UInt64(common.count))
            ?? library.version(
              of: common, revision: present.pieces[index].revision, isErased: true)
          present.pieces[index].replaceAlternatives(with: rest)
        }
        state.sources[name] = .present(present)
      }
    }

    /// Erases fixes from all pieces, and may change flags with it, as a recomputed flight does.
    mutating func erase(
      _ gone: Set<Int>, flipping: Bool, _ library: inout Library
    ) {
      erased.formUnion(gone)
      for (name, source) in state.sources {
        guard case .present(var present) = source else { continue }
        for index in present.pieces.indices {
          guard let version = present.pieces[index].version,
            let content = library.contents[version.digest]
          else { continue }
          var rest = content.filter { !gone.contains($0.key) }
          guard rest.count < content.count else { continue }
          taken.formUnion(gone.filter { content[$0] != nil })
          if flipping { rest = rest.mapValues { !$0 } }
          present.pieces[index].replaceAlternatives(
            with: library.version(of: rest, revision: version.revision + 1, isErased: true))
        }
        state.sources[name] = .present(present)
      }
    }
  }

  @Test(arguments: Seeds.sample(300))
  func `devices that erase and intersect in any order end in the same state`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var library = Library()
    var devices = (1...Int.random(in: 2...5, using: &random)).map {
      Device(name: DeviceName(number: UInt64($0)))
    }
    var sent: [SharedState] = []
    var imported: Set<Int> = []
    var forgotten: Set<SourceName> = []
    for step in 0..<60 {
      let index = devices.indices.randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        // The same source may be imported by several devices, with other flags.
        let number = Int.random(in: 0..<4, using: &random)
        let name = SourceName(high: 0, low: UInt64(number))
        if devices[index].state.sources[name] != nil { continue }
        let fixes = (number * 10)..<(number * 10 + 10)
        imported.formUnion(fixes)
        let flag = Bool.random(using: &random)
        var content = Content(uniqueKeysWithValues: fixes.map { ($0, flag) })
        let isCut = content.keys.contains { devices[index].erased.contains($0) }
        for number in devices[index].erased { content[number] = nil }
        let version = library.version(of: content, revision: 1, isErased: isCut)
        devices[index].state.sources[name] = .present(
          PresentSource(
            generation: 0, withheld: 0,
            row: RowState(revision: 1, digest: version.digest, file: version.file),
            pieces: [
              PieceState(
                position: PiecePosition(rank: UInt64(step), device: devices[index].name),
                version: version)
            ]))
      case 1...2:
        devices[index].resolve(&library)
        devices[index].erase(
          Set((0..<2).map { _ in Int.random(in: 0..<40, using: &random) }),
          flipping: .random(using: &random), &library)
      case 3:
        guard Int.random(in: 0..<5, using: &random) == 0,
          let name = devices[index].state.sources.keys.sorted().randomElement(using: &random)
        else { continue }
        devices[index].state.sources[name] = .forgotten
        forgotten.insert(name)
      case 4...6: sent.append(devices[index].state)
      default:
        guard let state = sent.randomElement(using: &random) else { continue }
        devices[index].state.join(state)
        if Bool.random(using: &random) { devices[index].resolve(&library) }
      }
    }
    // In the end everybody sends until nobody learns anything.
    var rounds = 0
    while Set(devices.map(\.state)).count > 1
      || devices.contains(where: { device in
        device.state.sources.values.contains { $0.present?.hasConflict == true }
      })
    {
      rounds += 1
      guard rounds < 20 else {
        Issue.record("The devices do not come to an end.")
        return
      }
      for index in devices.indices.shuffled(using: &random) {
        for other in devices.indices.shuffled(using: &random) {
          devices[index].state.join(devices[other].state)
        }
        devices[index].resolve(&library)
      }
    }
    let erased = devices.reduce(into: Set<Int>()) { $0.formUnion($1.erased) }
    var left: Set<Int> = []
    for (name, source) in devices[0].state.sources {
      #expect((source == .forgotten) == forgotten.contains(name))
      for version in source.present?.pieces.flatMap(\.alternatives) ?? [] {
        left.formUnion(library.contents[version.digest]?.keys.map { $0 } ?? [])
      }
    }
    let expected = imported.subtracting(erased).filter { number in
      !forgotten.contains(SourceName(high: 0, low: UInt64(number / 10)))
    }
    #expect(left.isSuperset(of: expected), "nothing is lost")
    let taken = devices.reduce(into: Set<Int>()) { $0.formUnion($1.taken) }
    #expect(left.isDisjoint(with: taken), "nothing comes back")
    #expect(rounds < 4)
  }

  @Test func `two versions that absorb each other leave the smaller one`() {
    let position = PiecePosition(rank: 0, device: DeviceName(number: 1))
    let versions = (1...2).map { number in
      PieceVersion(
        revision: 1, isErased: true, digest: Digest(high: 0, low: number), count: 3,
        file: FileReference(name: FileName(number: number), byteCount: 512))
    }
    var one = PieceState(position: position, alternatives: versions)
    #expect(one.isConflict)
    #expect(one.alternative(withCount: 3) == versions[0])
    one.replaceAlternatives(with: versions[0])
    #expect(one.version == versions[0])
    #expect(one.absorbed == [versions[1].digest])
    // A device that made a mistake absorbed the other one.
    let mistaken = PieceState(
      position: position, alternatives: [versions[1]], absorbed: [versions[0].digest])
    #expect(one.joined(with: mistaken).alternatives == [versions[0]])
    #expect(mistaken.joined(with: one) == one.joined(with: mistaken))
  }

  @Test func `an erased version wins over a later one that has everything`() {
    let position = PiecePosition(rank: 0, device: DeviceName(number: 1))
    let full = PieceVersion(
      revision: 9, isErased: false, digest: Digest(high: 0, low: 1), count: 9,
      file: FileReference(name: FileName(number: 1), byteCount: 512))
    var less = full
    (less.revision, less.isErased, less.count) = (1, true, 8)
    less.digest = Digest(high: 0, low: 2)
    let one = PieceState(position: position, version: full)
    let two = PieceState(position: position, version: less)
    #expect(one.joined(with: two) == two)
    #expect(two.joined(with: one) == two)
  }
}
