import SeededRandom
import Testing

@testable import GridHash

@Suite struct OutlineTests {
  private let grid = Grid(millimeters: 100_000_000)  // 400 rows of 800 columns

  private func coverage(_ cells: some Sequence<(Int, Int)>) -> Coverage {
    var coverage = Coverage(grid: grid)
    for (row, column) in cells { coverage.insert(Cell(row: Int32(row), column: Int32(column))) }
    return coverage
  }

  /// The corners of each ring as rows of x, y.
  private func rings(of outline: CellOutline) -> [[[Int32]]] {
    outline.rings.map { ring in ring.map { [$0.x, $0.y] } }
  }

  @Test func `A cell has four corners, counterclockwise`() throws {
    let outlines = coverage([(5, 7)]).outlines
    try #require(outlines.count == 1)
    #expect(outlines[0].cells == 1)
    let corners = rings(of: outlines[0])
    try #require(corners.count == 1)
    #expect(Set(corners[0]) == [[7, 5], [8, 5], [8, 6], [7, 6]])
    #expect(Self.doubledArea(outlines[0].rings[0][...]) == 2)
  }

  @Test func `A ring of cells has a hole, clockwise`() throws {
    let around = (0..<9).filter { $0 != 4 }.map { (10 + $0 / 3, 20 + $0 % 3) }
    let outlines = coverage(around).outlines
    try #require(outlines.count == 1)
    try #require(outlines[0].rings.count == 2)
    #expect(Self.doubledArea(outlines[0].rings[0][...]) == 18)
    #expect(Self.doubledArea(outlines[0].rings[1][...]) == -2)
  }

  @Test func `Cells that touch at a corner are two outlines`() {
    #expect(coverage([(1, 1), (2, 2)]).outlines.map(\.cells) == [1, 1])
    #expect(coverage([(1, 2), (2, 1)]).outlines.map(\.cells) == [1, 1])
  }

  @Test func `An outline that comes to a corner twice is divided into rings that touch`() throws {
    // The hole at (2, 2) touches the outside at its northeastern corner.
    let cells = [(1, 1), (1, 2), (1, 3), (2, 1), (2, 3), (3, 1), (3, 2)]
    let outlines = coverage(cells).outlines
    try #require(outlines.count == 1)
    try #require(outlines[0].rings.count == 2)
    let hole = outlines[0].rings[1]
    #expect(Self.doubledArea(hole[...]) == -2)
    #expect(hole.contains(CellCorner(x: 3, y: 3)))
    #expect(outlines[0].rings[0].contains(CellCorner(x: 3, y: 3)))
  }

  @Test func `Nothing is joined across 180°, and the poles close the outline`() throws {
    let last = grid.columnCount - 1
    let outlines = coverage([(0, 0), (0, last), (grid.rowCount - 1, 3)]).outlines
    #expect(outlines.map(\.cells) == [1, 1, 1])
    let degrees = outlines.flatMap { $0.rings.joined().map { grid.longitudeDegrees(of: $0) } }
    #expect(degrees.min() == -180)
    #expect(degrees.max() == 180)
    let latitudes = outlines.flatMap { $0.rings.joined().map { grid.latitudeDegrees(of: $0) } }
    #expect(latitudes.min() == -90)
    #expect(latitudes.max() == 90)
  }

  @Test func `The corners of the standard grid lie on the edges of its cells`() {
    let cell = Cell(row: 123_456, column: 400_001)
    let bounds = Grid.standard.bounds(of: cell)
    let corner = CellCorner(x: cell.column, y: cell.row)
    #expect(abs(Grid.standard.longitudeDegrees(of: corner) - bounds.westDegrees) < 1e-12)
    #expect(abs(Grid.standard.latitudeDegrees(of: corner) - bounds.southDegrees) < 1e-12)
  }

  @Test(arguments: 0..<150)
  func `Outlines contain exactly the cells, and their rings are valid`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let side = Int.random(in: 2...24, using: &random)
    let density = [0.1, 0.4, 0.6, 0.85][seed % 4]
    let west = [0, 100, grid.columnCount - side][seed % 3]
    let south = [0, 61, grid.rowCount - side][seed / 3 % 3]
    var cells: Set<Cell> = []
    for place in 0..<side * side where Double.random(in: 0..<1, using: &random) < density {
      cells.insert(
        Cell(row: Int32(south + place / side), column: Int32(west + place % side)))
    }
    var coverage = Coverage(grid: grid)
    for cell in cells { coverage.insert(cell) }

    let outlines = coverage.outlines
    var traced: [CellOutline] = []
    var tracer = OutlineTracer(grid: grid)
    for (key, tile) in coverage.tiles { tracer.add(tile, at: key) { traced.append($0) } }
    tracer.finish { traced.append($0) }
    #expect(traced == outlines)

    var found: Set<Cell> = []
    for outline in outlines {
      check(outline)
      let inside = cells.filter { Self.contains(outline, $0) }
      #expect(inside.count == outline.cells)
      #expect(found.isDisjoint(with: inside))
      #expect(inside.allSatisfy { Self.component(of: $0, in: cells) == inside })
      found.formUnion(inside)
      let area = inside.reduce(0) { $0 + grid.areaSquareMeters(of: $1) }
      #expect(abs(outline.areaSquareMeters - area) <= 1e-9 * area)
    }
    #expect(found == cells)
  }

  /// Checks that rings run the right way, turn at each corner, and come to no corner twice.
  private func check(_ outline: CellOutline) {
    var doubled = 0
    for (ring, corners) in outline.rings.enumerated() {
      #expect(Set(corners).count == corners.count)
      #expect(corners.count >= 4)
      for place in corners.indices {
        let next = corners[(place + 1) % corners.count]
        let after = corners[(place + 2) % corners.count]
        let isAlong = corners[place].x == next.x
        #expect(isAlong != (corners[place].y == next.y))
        #expect(isAlong == (next.y == after.y))
      }
      let area = Self.doubledArea(corners[...])
      #expect(ring == 0 ? area > 0 : area < 0)
      doubled += area
    }
    #expect(doubled == 2 * outline.cells)
  }

  private static func doubledArea(_ ring: ArraySlice<CellCorner>) -> Int {
    zip(ring, Array(ring.dropFirst()) + [ring[ring.startIndex]]).reduce(0) { sum, pair in
      sum + Int(pair.0.x) * Int(pair.1.y) - Int(pair.1.x) * Int(pair.0.y)
    }
  }

  /// Whether the center of a cell lies in an outline: an odd number of its edges is farther east.
  private static func contains(_ outline: CellOutline, _ cell: Cell) -> Bool {
    var crossings = 0
    for ring in outline.rings {
      for (one, other) in zip(ring, Array(ring.dropFirst()) + [ring[0]]) {
        guard one.x == other.x, one.x > cell.column else { continue }
        if min(one.y, other.y) <= cell.row, cell.row < max(one.y, other.y) { crossings += 1 }
      }
    }
    return crossings % 2 == 1
  }

  private static func component(of cell: Cell, in cells: Set<Cell>) -> Set<Cell> {
    var (found, rest): (Set<Cell>, [Cell]) = ([cell], [cell])
    while let next = rest.popLast() {
      for (row, column) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let near = Cell(row: next.row + Int32(row), column: next.column + Int32(column))
        if cells.contains(near), found.insert(near).inserted { rest.append(near) }
      }
    }
    return found
  }
}
