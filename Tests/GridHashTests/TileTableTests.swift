import Geodesy
import TestSupport
import Testing

@testable import GridHash

/// The invariants of a tile table hold after every operation, and its check detects violations.
@Suite struct TileTableTests {
  @Test(arguments: Seeds.sample(20))
  func `the table is consistent after every operation`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let grid = try Grid(explorationRadiusMeters: 20_000)
    var coverages = (0..<4).map { _ in Coverage(grid: grid) }
    for step in 0..<80 {
      let one = Int.random(in: 0..<4, using: &random)
      let two = Int.random(in: 0..<4, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: coverages[one] = coverages[two]
      case 1: coverages[one].formUnion(coverages[two])
      case 2: coverages[one] = coverages[one].union(coverages[two])
      case 3: coverages[one] = coverages[one].intersection(coverages[two])
      case 4: coverages[one] = coverages[one].subtracting(coverages[two])
      case 5: coverages[one] = coverages[one].symmetricDifference(coverages[two])
      case 6: coverages[one] = try Coverage(serialized: coverages[two].serialized())
      case 7: mark(&coverages[one], using: &random)
      case 8:
        if let (key, tile) = Array(coverages[two].tiles).randomElement(using: &random) {
          coverages[one].insert(tile, at: key)
        }
      default:
        for _ in 0..<Int.random(in: 1...300, using: &random) {
          coverages[one].insert(
            Cell(
              row: .random(in: 0..<Int32(grid.rowCount), using: &random),
              column: .random(in: 0..<Int32(grid.columnCount / 8), using: &random)))
        }
      }
      for coverage in coverages { #expect(coverage.violation == nil, "step \(step)") }
    }
  }

  private func mark(_ coverage: inout Coverage, using random: inout SplitMix64) {
    for _ in 0..<50 {
      let latitude = Int32.random(in: -900_000_000...900_000_000, using: &random)
      let longitude = Int32.random(in: -1_800_000_000...1_799_999_999, using: &random)
      guard let place = Coordinate(latitudeE7: latitude, longitudeE7: longitude) else { continue }
      coverage.mark(discAround: place)
    }
  }

  /// Each change violates one invariant of the table.
  private static let damages: [(String, @Sendable (inout TileTable.State) -> Void)] = [
    ("a negative key", { $0.keys[3] = -1 }),
    ("two bands of one key", { $0.keys[3] = $0.keys[4] }),
    (
      "a band without a slot",
      { state in
        for slot in 0..<state.slotCount where state.slots[slot] == 4 { state.slots[slot] = 0 }
      }
    ),
    (
      "a slot for another band",
      { state in
        for slot in 0..<state.slotCount where state.slots[slot] == 4 { state.slots[slot] = 5 }
      }
    ),
    ("an empty band", { $0.words(at: 3).update(repeating: 0, count: TileTable.rows) }),
    ("too many bands", { $0.count += 1 }),
    (
      "a band that was asked for elsewhere",
      { state in
        state.recent[0] = (state.keys[3], state.words(at: 4))
      }
    ),
  ]

  @Test(arguments: damages.indices)
  func `every violated invariant is detected`(number: Int) throws {
    var coverage = Coverage(grid: try Grid(explorationRadiusMeters: 20_000))
    for row in stride(from: Int32(0), to: 200, by: 16) {
      coverage.insert(Cell(row: row, column: 7))
    }
    try #require(coverage.violation == nil)
    let (name, damage) = Self.damages[number]
    damage(&coverage.table.state.pointee)
    #expect(coverage.violation != nil, "\(name)")
  }

  @Test func `a wrong count and a band outside the grid are detected`() throws {
    var coverage = Coverage(grid: try Grid(explorationRadiusMeters: 20_000))
    coverage.insert(Cell(row: 1, column: 1))
    coverage.count = 2
    #expect(coverage.violation != nil)
    var other = Coverage(grid: coverage.grid)
    let words = other.table.state.pointee.findOrAdd(Int64(coverage.grid.tileCount) * 4)
    words[0] = 1
    other.count = 1
    #expect(other.violation == "band 0 is outside the grid")
  }
}
