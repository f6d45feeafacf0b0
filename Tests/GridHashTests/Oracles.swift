import Foundation
import Geodesy
import GridHash
import TestSupport

/// Decides cell by cell which cells a disc contains, with an independent formula: chords of unit
/// vectors.
struct DiscOracle {
  let grid: Grid
  let squaredChord: Double

  init(_ grid: Grid) {
    self.grid = grid
    let chord = 2 * sin(grid.explorationRadiusMeters / 6_371_007.2 / 2)
    squaredChord = chord * chord
  }

  static func vector(_ latitudeDegrees: Double, _ longitudeDegrees: Double) -> SIMD3<Double> {
    let latitude = latitudeDegrees * .pi / 180
    let longitude = longitudeDegrees * .pi / 180
    return SIMD3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }

  func isInside(_ cell: Cell, _ coordinate: Coordinate) -> Bool {
    let center = grid.center(of: cell)
    let chord =
      DiscOracle.vector(center.latitudeDegrees, center.longitudeDegrees)
      - DiscOracle.vector(coordinate.latitudeDegrees, coordinate.longitudeDegrees)
    return (chord * chord).sum() <= squaredChord
  }

  /// All cells of the disc within four rows of the coordinate and as many columns as could be
  /// inside; near a pole all columns.
  func cells(around coordinate: Coordinate) -> [Cell] {
    let own = grid.cell(containing: coordinate)
    let nearest = min(90, abs(coordinate.latitudeDegrees) + 4 * grid.stepDegrees)
    let width = nearest > 89.99 ? Double.infinity : 3 / cos(nearest * .pi / 180) + 3
    let columns: [Int32]
    if width * 2 >= Double(grid.columnCount) {
      columns = Array(0..<Int32(grid.columnCount))
    } else {
      let count = Int32(grid.columnCount)
      columns = (-Int32(width)...Int32(width)).map { (own.column + $0 + count) % count }.sorted()
    }
    let rows = max(0, own.row - 4)...min(Int32(grid.rowCount - 1), own.row + 4)
    var found: [Cell] = []
    for row in rows {
      for column in columns where isInside(Cell(row: row, column: column), coordinate) {
        found.append(Cell(row: row, column: column))
      }
    }
    return found
  }
}

extension Grid {
  /// The cells of the spans of a disc, in their order.
  func cells(ofDiscAround coordinate: Coordinate) -> [Cell] {
    spans(ofDiscAround: coordinate).flatMap { span in
      span.columns.map { Cell(row: span.row, column: $0) }
    }
  }
}

extension Coverage {
  /// All cells, read through the public tiles only, without the faster access paths.
  var allCells: [Cell] {
    var cells: [Cell] = []
    for (key, tile) in tiles {
      let first = grid.firstCell(ofTile: key)
      for row in 0..<64 {
        for column in 0..<64 where tile[row: row] >> UInt64(column) & 1 == 1 {
          cells.append(Cell(row: first.row + Int32(row), column: first.column + Int32(column)))
        }
      }
    }
    return cells.sorted()
  }

  /// Creates a coverage of these cells.
  init(_ cells: some Sequence<Cell>, grid: Grid = .standard) {
    self.init(grid: grid)
    for cell in cells { insert(cell) }
  }
}

extension Coordinate {
  /// A random coordinate with a latitude in a band.
  static func random(
    latitude: ClosedRange<Double>, longitude: ClosedRange<Double> = -180...180,
    using random: inout SplitMix64
  ) -> Coordinate {
    Coordinate(
      Double.random(in: latitude, using: &random), Double.random(in: longitude, using: &random))
  }
}

/// A gently turning walk with steps of 50 to 70 m, which may cross ±180°.
func track(
  _ count: Int, latitude: ClosedRange<Double> = -75...75, using random: inout SplitMix64
) -> [Coordinate] {
  var position = (
    latitude: Double.random(in: latitude, using: &random),
    longitude: Double.random(in: -180...180, using: &random)
  )
  var heading = Double.random(in: 0...(2 * .pi), using: &random)
  return (0..<count).map { _ in
    heading += Double.random(in: -0.25...0.25, using: &random)
    let step = Double.random(in: 50...70, using: &random) / 111_195
    position.latitude = max(-89.9, min(89.9, position.latitude + step * cos(heading)))
    position.longitude += step * sin(heading) / cos(position.latitude * .pi / 180)
    return Coordinate(position.latitude, position.longitude)
  }
}
