import StoreSync
import Testing
import TestSupport

@Suite struct JoinTests {
  @Test(arguments: Seeds.sample(300), [false, true])
  func `the join of states is commutative, associative and idempotent`(
    seed: UInt64, isHostile: Bool
  ) {
    var random = SplitMix64(seed: seed)
    let states = (0..<3).map { _ in RandomState.state(isHostile: isHostile, using: &random) }
    let (a, b, c) = (states[0], states[1], states[2])
    #expect(a.joined(with: b) == b.joined(with: a))
    #expect(a.joined(with: b).joined(with: c) == a.joined(with: b.joined(with: c)))
    #expect(a.joined(with: a) == a)
    #expect(a.joined(with: b).contains(a))
    #expect(a.joined(with: b).contains(b))
    #expect(a.joined(with: SharedState()) == a)
    #expect(SharedState().joined(with: a) == a)
  }

  @Test(arguments: Seeds.sample(300), [false, true])
  func `the join of states is what the union of their single facts says`(
    seed: UInt64, isHostile: Bool
  ) {
    var random = SplitMix64(seed: seed &+ 1_000_000)
    let states = (0..<Int.random(in: 2...5, using: &random)).map { _ in
      RandomState.state(isHostile: isHostile, using: &random)
    }
    let expected = EventFold.state(
      of: states.reduce(into: []) { $0.formUnion(EventFold.facts(of: $1)) })
    for _ in 0..<3 {
      let joined = (states + states.shuffled(using: &random)).shuffled(using: &random)
        .reduce(into: SharedState()) { $0.join($1) }
      #expect(joined == expected)
    }
  }

  @Test(arguments: Seeds.sample(200))
  func `what is forgotten never comes back, and generations and withholding never fall`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed &+ 2_000_000)
    var state = SharedState()
    for _ in 0..<20 {
      let before = state
      state.join(RandomState.state(isHostile: true, using: &random))
      for (name, old) in before.sources {
        switch (old, state.sources[name]) {
        case (_, .forgotten): break
        case (.present(let old), .present(let new)):
          #expect(old.generation <= new.generation)
          guard old.generation == new.generation else { continue }
          #expect(old.withheld <= new.withheld)
          #expect(old.row.revision <= new.row.revision)
          #expect(old.pieces.count <= new.pieces.count)
          for (one, two) in zip(old.pieces, new.pieces) {
            #expect(two.position <= one.position)
            #expect(Set(one.absorbed).isSubset(of: two.absorbed))
            #expect(!one.alternatives[0].isErased || two.alternatives[0].isErased)
          }
        default: Issue.record("A forgotten source came back: \(name)")
        }
      }
      for (name, zone) in before.zones {
        if case .removed = zone, case .present = state.zones[name] {
          Issue.record("A removed zone came back: \(name)")
        }
      }
    }
  }

  @Test func `forgotten wins over every generation`() {
    var random = SplitMix64(seed: 1)
    let name = SourceName(high: 1, low: 2)
    var present = SharedState()
    guard case .present(var source) = RandomState.source(isHostile: false, using: &random) else {
      Issue.record("The seed gives no source.")
      return
    }
    source.generation = .max
    present.sources[name] = .present(source)
    var forgotten = SharedState()
    forgotten.sources[name] = .forgotten
    #expect(present.joined(with: forgotten) == forgotten)
    #expect(forgotten.joined(with: present) == forgotten)
  }

  @Test func `a state lists the sources that differ or are missing in another one`() {
    var random = SplitMix64(seed: 3)
    var one = SharedState()
    for number in 0..<50 {
      one.sources[SourceName(high: 0, low: UInt64(number))] = .forgotten
    }
    var two = one
    two.sources[SourceName(high: 0, low: 7)] = .present(
      PresentSource(
        generation: 0, withheld: 0,
        row: RowState(
          revision: 0, digest: RandomState.digest(using: &random),
          file: RandomState.file(using: &random)), pieces: []))
    two.sources[SourceName(high: 0, low: 9)] = nil
    #expect(one.sources(differingFrom: two).map(\.low) == [7, 9])
    #expect(one.sources(differingFrom: one).isEmpty)
  }
}
