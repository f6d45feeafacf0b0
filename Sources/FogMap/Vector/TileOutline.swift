import GridHash

/// The explored area of a map tile as a mask, and where the mask's edges are in the tile.
///
/// Where a tile is at most ``mostCells`` cells wide, the mask has the exact cells, cut at the
/// buffer around the tile. Otherwise there is a mask for each step of the explored share,
/// with ``pixels`` pixels along each side; those at the tile's edge continue through the buffer, so
/// that a map that draws outlines shows none between tiles.
struct TileOutline {
  /// The units along a tile's side.
  static let extent = 4_096
  /// The widest tile, in cells, whose cells are traced one by one.
  static let mostCells = 512.0
  /// The pixels along each side of a tile that is wider.
  static let pixels = 256
  /// The steps of the explored share of the pixels of a tile: the least byte of a share of
  /// ``FogRaster``, and the least share in percent.
  ///
  /// Where a pixel is at most 8 cells wide, there is one step. A second one would cut trails into
  /// many pieces, and tiles would take twice the time and the bytes.
  static func steps(_ tile: MapTile, step: Double) -> [(byte: UInt8, percent: UInt64)] {
    let cells = 360 / Double(1 << tile.zoom) / step
    return cells > 8.2 * Double(pixels) ? [(1, 0), (128, 50)] : [(1, 0)]
  }

  /// The explored cells or pixels.
  private(set) var mask = CellMask(width: 0, height: 0)
  /// The units from the tile's western edge to each edge between columns, ascending.
  private(set) var xs: [Int] = []
  /// The units from the tile's northern edge to each edge between rows, ascending.
  private(set) var ys: [Int] = []

  /// Whether a tile's exact cells are traced.
  static func hasCells(_ tile: MapTile, step: Double) -> Bool {
    360 / Double(1 << tile.zoom) <= mostCells * step
  }

  /// The outlines of the tile that a raster has rendered, with ``pixels`` along each side: those of
  /// the pixels of each step, as far as there are any.
  static func outlines(
    _ raster: FogRaster, buffer: Int, _ steps: [(byte: UInt8, percent: UInt64)]
  ) -> [(percent: UInt64, outline: TileOutline)] {
    let side = raster.side
    var step = [UInt8](repeating: 0, count: 256)
    for (number, least) in steps.enumerated() {
      for byte in Int(least.byte)...255 { step[byte] = UInt8(number + 1) }
    }
    var masks = [CellMask?](repeating: nil, count: steps.count)
    raster.shares.withUnsafeBytes { shares in
      for row in 0..<side {
        for start in stride(from: 0, to: side, by: 64) {
          let end = min(64, side - start)
          let first = row * side + start
          guard (first..<first + end).contains(where: { shares[$0] != 0 }) else { continue }
          for number in steps.indices {
            var word: UInt64 = 0
            for bit in 0..<end where step[Int(shares[first + bit])] == number + 1 {
              word |= 1 << UInt64(bit)
            }
            if word == 0 { continue }
            var mask = masks[number] ?? CellMask(width: side, height: side)
            masks[number] = nil  // the only owner changes it in place
            mask.insert(word, column: start, row: row)
            masks[number] = mask
          }
        }
      }
    }
    var edges = (0...side).map { $0 * extent / side }
    (edges[0], edges[side]) = (-buffer, extent + buffer)
    return zip(steps, masks).compactMap { least, mask in
      mask.map { (least.percent, TileOutline(mask: $0, edges: edges)) }
    }
  }

  private init(mask: CellMask, edges: [Int]) { (self.mask, xs, ys) = (mask, edges, edges) }

  /// The outline of a tile's cells.
  init(_ tile: MapTile, _ index: SquareIndex, buffer: Int) {
    let count = Double(1 << tile.zoom)
    let unitDegrees = 360 / count / Double(Self.extent)
    let west = Double(tile.x) * 360 / count
    let margin = Double(buffer) * unitDegrees
    let columns = index.cells(
      from: max(0, west - margin), to: min(360, west + 360 / count + margin), of: 360)
    func latitude(_ units: Int) -> Double {
      let rows = (Double(tile.y) + Double(units) / Double(Self.extent)) / count
      return 90 + arcTangent(hyperbolicSine(.pi * (1 - 2 * max(0, min(1, rows)))), 1) * 180 / .pi
    }
    let rows = index.cells(
      from: latitude(Self.extent + buffer), to: latitude(-buffer), of: 180)
    func clamped(_ units: Double) -> Int {
      Int(max(Double(-buffer), min(Double(Self.extent + buffer), units)).rounded())
    }
    xs = (columns.lowerBound...columns.upperBound + 1).map {
      clamped((min(Double($0) * index.step, 360) - west) / unitDegrees)
    }
    // From the south, as rows count.
    ys = (rows.lowerBound...rows.upperBound + 1).map { row in
      let degrees = min(Double(row) * index.step, 180) - 90
      let place = inverseHyperbolicSine(tangent(degrees * .pi / 180)) / .pi
      return clamped(((1 - place) / 2 * count - Double(tile.y)) * Double(Self.extent))
    }
    // Cells beyond the buffer have no width or height left. They would join what is not joined.
    let (wide, high) = (Self.trim(&xs), Self.trim(&ys))
    ys.reverse()
    if wide.isEmpty || high.isEmpty { return }
    mask = CellMask(width: wide.count, height: high.count)
    insertCells(
      of: index, columns.lowerBound + wide.lowerBound...columns.lowerBound + wide.upperBound - 1,
      rows.lowerBound + high.lowerBound...rows.lowerBound + high.upperBound - 1)
  }

  /// Removes edges at both ends that fall together with their neighbors, and returns the range of
  /// columns or rows between those that are left.
  private static func trim(_ edges: inout [Int]) -> Range<Int> {
    var (first, last) = (0, edges.count - 1)
    while first < last, edges[first + 1] == edges[first] { first += 1 }
    while last > first, edges[last - 1] == edges[last] { last -= 1 }
    edges = Array(edges[first...last])
    return first..<last
  }

  private mutating func insertCells(
    of index: SquareIndex, _ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>
  ) {
    var square = [UInt64](repeating: 0, count: 64)
    for squareRow in rows.lowerBound >> 6...rows.upperBound >> 6 {
      let range = index.range(
        row: squareRow, columns: columns.lowerBound >> 6...columns.upperBound >> 6)
      for place in range {
        let key = index.keys[place]
        _ = square.withUnsafeMutableBufferPointer { index.coverage.copyTile(at: key, into: $0) }
        let column = (Int(key) - squareRow * index.columnCount) << 6 - columns.lowerBound
        for row in 0..<64 where square[row] != 0 {
          mask.insert(square[row], column: column, row: rows.upperBound - (squareRow << 6 + row))
        }
      }
    }
  }

  /// The polygons in units of the tile, each its outer ring and then its holes. All columns and
  /// rows have a width, so a ring has all its corners and touches nothing that it did not touch
  /// before.
  var polygons: [[[RingCorner]]] {
    RingTracer.polygons(of: mask).map { polygon in
      ([polygon.outer] + polygon.holes).map { ring in
        ring.map { RingCorner(x: xs[$0.x], y: ys[$0.y]) }
      }
    }
  }
}
