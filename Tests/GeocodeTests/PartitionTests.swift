import Geodesy
import TestSupport
import Testing

@testable import Geocode

@Suite struct PartitionTests {
  let gazetteer: Gazetteer
  init() throws { gazetteer = try Geocoder.bundled.gazetteer }

  private var layers: [Partition] {
    [gazetteer.boundaries, gazetteer.regions, gazetteer.land]
      + (gazetteer.seas.map { [$0.partition] } ?? [])
  }

  /// All mixed cells as (column, row, number).
  private static func mixedCells(of partition: Partition) -> [(column: Int, row: Int, number: Int)]
  {
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
  func `the nearest line gives the same label as the even-odd rule`(seed: UInt64) {
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
      // Lines that cross because of rounding leave slivers of a few meters with two valid answers.
      #expect(undecided <= 6, "of 1 200 points, half of them at or next to a corner of a line")
    }
  }

  /// A point of a cell: anywhere, at a corner of a line, or one unit away from one.
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

  /// Excludes regions: a cell with a single region does not store its coast, so that labels end at
  /// cell edges.
  @Test func `the label at each corner of a cell is known to one of the other cells there`() {
    var (corners, alone) = (0, [(column: Int, row: Int)]())
    for partition in [gazetteer.boundaries, gazetteer.land] {
      let slow = SlowPartition(partition: partition)
      let size = Int(CellPoint.cellE7) << partition.level
      let (columns, rows) = (
        CellPoint.columnCount >> partition.level, CellPoint.rowCount >> partition.level
      )
      for cell in Self.mixedCells(of: partition) {
        for (right, up) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
          let x = right * (size - 1)
          let y = up * (size - 1)
          let found = partition.label(inMixedCell: cell.number, x: x, y: y)
          // The other three cells around the corner, and the corner's position in them.
          let others = [(2 * right - 1, 0), (0, 2 * up - 1), (2 * right - 1, 2 * up - 1)].filter {
            (0..<rows).contains(cell.row + $0.1)
          }
          let near = others.map { other in
            (
              entry: partition.entry(
                column: (cell.column + other.0 + columns) % columns, row: cell.row + other.1),
              x: other.0 == 0 ? right : 1 - right, y: other.1 == 0 ? up : 1 - up
            )
          }
          // Within two steps of the lattice, because borders are rounded separately on either side
          // of an edge.
          let isKnown = near.contains { other in
            if other.entry.isPure { return other.entry.label == found }
            let (inX, inY) = (1 - 2 * other.x, 1 - 2 * other.y)
            return (0..<9).contains { number in
              partition.label(
                inMixedCell: other.entry.mixedCell,
                x: other.x * (size - 1) + inX * (number % 3) * size / Partition.cellSteps,
                y: other.y * (size - 1) + inY * (number / 3) * size / Partition.cellSteps) == found
            }
          }
          if !isKnown { alone.append((cell.column + right, cell.row + up)) }
          corners += 1
          if corners % 400 == 0 || !isKnown {
            let expected = slow.labels(inMixedCell: cell.number, x: x, y: y)
            #expect(expected.count != 1 || expected[0] == found)
          }
        }
      }
    }
    #expect(corners > 50_000)
    // A border may turn exactly at the corner, as the Sudan's does at 20° N 25° E.
    #expect(alone.count <= 4 && !alone.contains { $0 == (1_285, 245) }, "\(alone)")
  }

  @Test func `a border continues at the same point across the edge of a cell`() {
    // One unit west of an edge and on it, labels differ only if a line is near.
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
      // Waters end at cell edges out at sea.
      if labels[0] != labels[1], !labels.contains(0) { jumps += 1 }
    }
    // Borders along meridians (141° E, 25° E …) change correctly here; more changes would mean a
    // broken seam.
    #expect(jumps <= 20)
  }

  @Test func `the poles and the antimeridian are handled like any other place`() throws {
    let geocoder = try Geocoder.bundled
    for longitude in stride(from: -180.0, through: 180, by: 7.5) {
      #expect(geocoder.countryIndex(at: Coordinate(-90, longitude))?.code == "AQ")
      #expect(geocoder.countryIndex(at: Coordinate(90, longitude)) == nil)
      #expect(geocoder.isLand(at: Coordinate(-90, longitude)))
      #expect(!geocoder.isLand(at: Coordinate(90, longitude)))
    }
    // Chukotka and Taveuni (Fiji) extend across 180°.
    for (latitude, code) in [(67.5, "RU"), (-16.85, "FJ")] {
      for longitude in [179.999_999_9, 180, -180, -179.999_999_9] {
        #expect(geocoder.countryIndex(at: Coordinate(latitude, longitude))?.code == code)
      }
    }
    #expect(
      geocoder.codes(at: Coordinate(67.5, 180)) == geocoder.codes(at: Coordinate(67.5, -180)))
  }
}
