import Geodesy
import TestSupport
import Testing

@testable import Geocode

@Suite struct PartitionTests {
  let gazetteer: Gazetteer
  init() throws { gazetteer = try Geocoder.bundled.gazetteer }

  private var layers: [Partition] { [gazetteer.boundaries, gazetteer.regions, gazetteer.land] }

  /// Every mixed cell as (column, row, number).
  private static func mixedCells(of partition: Partition) -> [(column: Int, row: Int, number: Int)] {
    var cells: [(Int, Int, Int)] = []
    for row in 0..<CellPoint.rowCount >> partition.level {
      for column in 0..<CellPoint.columnCount >> partition.level {
        let entry = partition.entry(column: column, row: row)
        if !entry.isPure { cells.append((column, row, entry.mixedCell)) }
      }
    }
    return cells
  }

  @Test(arguments: Seeds.sample(3))
  func `the nearest line gives what the even-odd rule over unpacked outlines gives`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for partition in layers {
      let cells = Self.mixedCells(of: partition)
      let size = Int(CellPoint.cellE7) << partition.level
      let slow = SlowPartition(partition: partition)
      var undecided = 0
      for _ in 0..<400 {
        guard let cell = cells.randomElement(using: &random) else { return }
        for _ in 0..<3 {
          let (x, y) = Self.hardPoint(in: slow.unpacked(cell.number), size: size, using: &random)
          let expected = slow.labels(inMixedCell: cell.number, x: x, y: y)
          if expected.count != 1 { undecided += 1 }
          let found = partition.label(inMixedCell: cell.number, x: x, y: y)
          #expect(expected.count != 1 || found == expected[0], "cell \(cell) at \(x), \(y)")
        }
      }
      // Lines that rounding made cross leave slivers of a few metres in which two answers are as good.
      #expect(undecided <= 6, "of 1 200 points, half of them on or beside a corner of a line")
    }
  }

  /// A point of a cell: anywhere, at a corner of a line, or one unit beside it.
  private static func hardPoint(
    in cell: SlowPartition.Cell, size: Int, using random: inout SplitMix64
  ) -> (Int, Int) {
    let step = size / Partition.cellSteps
    if let line = cell.lines.randomElement(using: &random), Bool.random(using: &random) {
      let x = line.to.x * step + Int.random(in: -1...1, using: &random)
      let y = line.to.y * step + Int.random(in: -1...1, using: &random)
      if (0..<size).contains(x), (0..<size).contains(y) { return (x, y) }
    }
    return (Int.random(in: 0..<size, using: &random), Int.random(in: 0..<size, using: &random))
  }

  @Test func `every corner of every cell has a label that one of the four cells around it knows`() {
    for partition in layers {
      let slow = SlowPartition(partition: partition)
      let columns = CellPoint.columnCount >> partition.level
      for cell in Self.mixedCells(of: partition) {
        let found = partition.label(inMixedCell: cell.number, x: 0, y: 0)
        var known: Set<UInt16> = []
        for (column, row) in [(0, 0), (-1, 0), (0, -1), (-1, -1)] where cell.row + row >= 0 {
          let entry = partition.entry(
            column: (cell.column + column + columns) % columns, row: cell.row + row)
          if entry.isPure {
            known.insert(entry.label)
          } else if entry.mixedCell == cell.number {
            let unpacked = slow.unpacked(cell.number)
            known.formUnion(unpacked.walls.prefix(1).map(\.label))
            for line in unpacked.lines where [line.from, line.to].contains(LatticePoint(0)) {
              known.formUnion([line.left, line.right])  // a line that ends in the corner
            }
          } else {
            let size = Int(CellPoint.cellE7) << partition.level
            known.formUnion(
              [(0, 0), (size - 1, 0), (0, size - 1), (size - 1, size - 1)].map {
                partition.label(inMixedCell: entry.mixedCell, x: $0.0, y: $0.1)
              })
          }
        }
        #expect(known.contains(found), "cell \(cell)")
        if cell.number % 40 == 0 {
          let expected = slow.labels(inMixedCell: cell.number, x: 0, y: 0)
          #expect(expected.count != 1 || expected[0] == found)
        }
      }
    }
  }

  @Test func `a border that runs across a cell's edge goes on where it left off`() {
    // Just west and just east of an edge, a hand's breadth apart, the labels differ only where a line is near.
    var random = SplitMix64(seed: 11)
    let partition = gazetteer.boundaries
    var jumps = 0
    for _ in 0..<20_000 {
      let longitude = Int32.random(in: -719...719, using: &random) * 2_500_000
      let latitude = Int32.random(in: -880_000_000...880_000_000, using: &random)
      guard let west = Coordinate(latitudeE7: latitude, longitudeE7: longitude - 1),
        let east = Coordinate(latitudeE7: latitude, longitudeE7: longitude)
      else { continue }
      let labels = [partition.label(at: west), partition.label(at: east)]
      if labels[0] != labels[1], !labels.contains(0) { jumps += 1 }  // waters end at cells' edges out at sea
    }
    // Borders along meridians (141° E, 25° E …) jump rightly; anything more would be a torn seam.
    #expect(jumps <= 20)
  }

  @Test func `the poles and the antimeridian are ordinary places`() throws {
    let geocoder = try Geocoder.bundled
    for longitude in stride(from: -180.0, through: 180, by: 7.5) {
      #expect(geocoder.countryIndex(at: Coordinate(-90, longitude))?.code == "AQ")
      #expect(geocoder.countryIndex(at: Coordinate(90, longitude)) == nil)
      #expect(geocoder.isLand(at: Coordinate(-90, longitude)))
      #expect(!geocoder.isLand(at: Coordinate(90, longitude)))
    }
    // Chukotka lies across 180°, Taveuni (Fiji) too.
    for (latitude, code) in [(67.5, "RU"), (-16.85, "FJ")] {
      for longitude in [179.999_999_9, 180, -180, -179.999_999_9] {
        #expect(geocoder.countryIndex(at: Coordinate(latitude, longitude))?.code == code)
      }
    }
    #expect(
      geocoder.codes(at: Coordinate(67.5, 180)) == geocoder.codes(at: Coordinate(67.5, -180)))
  }
}
