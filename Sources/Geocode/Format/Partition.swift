import CGazetteer
import Geodesy

/// A map of the whole Earth in which every point has one label: a number, 0 for "none".
///
/// The plane of longitude and latitude is divided into cells of 0.25° (level 0) or 0.5° (level 1),
/// which are grouped into blocks of eight by eight. A block or cell with only one label is stored
/// as that label, which takes one or two reads. A mixed cell holds the border lines that cross it,
/// as chains of points on a lattice of 1/4000 of a cell (625 or 1250 E7: 6.9 or 13.9 m), with the
/// labels left and right of each chain, and the labels along its left (western) edge. To find the
/// label of a point, walk west from it along its parallel: the label is the one east of the first
/// line, or that of the left edge if there is no line. All arithmetic uses integers, so the answer
/// is exact for the packed lines. A point on a line belongs to the label east of it, one on a
/// horizontal line to the label north of it.
///
/// `docs/formats/geodata.md` describes the byte layout. The file is read in place; nothing is
/// decoded when it is opened.
///
/// `@unchecked Sendable`: it points into bytes that never change and that ``Gazetteer`` keeps
/// alive.
struct Partition: @unchecked Sendable {
  /// The number of lattice steps in a cell.
  static let cellSteps = 4000
  static let blockCells = 8
  /// The size of a sub-block: the number of its first mixed cell, and 64 entries.
  static let subBlockSize = 4 + 2 * blockCells * blockCells
  /// The flag of an entry that is not a label.
  static let isMixed: UInt16 = 0x8000

  /// The level: 0 for cells of 0.25°, 1 for 0.5°.
  let level: Int
  let blocks: UnsafeRawPointer
  let blockColumns: Int
  let blockRows: Int
  let subBlocks: UnsafeRawPointer
  let subBlockCount: Int
  /// The offsets of the mixed cells in `lines`, and the end of the last.
  let cellOffsets: UnsafeRawPointer
  let mixedCellCount: Int
  let lines: UnsafeRawPointer
  let lineByteCount: Int

  /// Opens the partition of a file.
  ///
  /// - Parameter labelCount: the largest label; labels start at 0.
  /// - Throws: ``GeocodeError/damaged(_:section:)``.
  init(_ file: PackedFile, labelCount: Int, trust: Trust) throws(GeocodeError) {
    let grid = try file.section("GRID").sized(4, count: 1)
    switch grid.bytes.u32(0) {
    case CellPoint.cellE7: level = 0
    case 2 * CellPoint.cellE7: level = 1
    default: throw grid.damaged
    }
    let blockRows = (CellPoint.rowCount >> level + Self.blockCells - 1) / Self.blockCells
    let blockColumns = CellPoint.columnCount >> level / Self.blockCells
    let blocks = try file.section("BLKS").sized(2, count: blockColumns * blockRows)
    let subBlocks = try file.section("SUBS").sized(Self.subBlockSize)
    let cells = try file.section("CELL").sized(4)
    let lines = try file.section("EDGE").sized(1)
    guard labelCount < Self.isMixed, cells.count >= 1, lines.count >= 1,
      let blocksStart = blocks.bytes.baseAddress, let cellsStart = cells.bytes.baseAddress,
      let linesStart = lines.bytes.baseAddress
    else { throw cells.damaged }
    self.blocks = blocksStart
    self.blockColumns = blockColumns
    self.blockRows = blockRows
    self.subBlocks = subBlocks.bytes.baseAddress ?? blocksStart
    subBlockCount = subBlocks.count
    cellOffsets = cellsStart
    mixedCellCount = cells.count - 1
    self.lines = linesStart
    lineByteCount = lines.count
    if trust != .linkedIn { try validate(file.kind, labelCount: UInt16(labelCount)) }
  }

  /// The label at a position.
  ///
  /// - Complexity: O(1) outside of mixed cells; O(points in the cell), mostly below 50, inside.
  @inline(__always)
  func label(at coordinate: Coordinate) -> UInt16 {
    label(at: CellPoint(coordinate, level: level))
  }

  /// The label at a point of a cell of this partition's level.
  @inline(__always)
  func label(at point: CellPoint) -> UInt16 {
    label(at: point, in: entry(column: point.column, row: point.row))
  }

  /// The label at a point of a cell with this entry.
  @inline(__always)
  func label(at point: CellPoint, in entry: Entry) -> UInt16 {
    if entry.isPure { return entry.label }
    return label(inMixedCell: entry.mixedCell, x: point.x, y: point.y)
  }

  /// Asks the processor to load what ``label(at:)`` reads first.
  @inline(__always)
  func prefetchEntry(at point: CellPoint) {
    let block = blocks.u16(2 * ((point.row >> 3) * blockColumns + point.column >> 3))
    // A label gives an address where nothing is read: cheaper than a branch.
    let sub = subBlocks + Int(block & ~Self.isMixed) * Self.subBlockSize
    roqua_prefetch(sub)
    roqua_prefetch(sub + 4 + 2 * ((point.row & 7) << 3 + point.column & 7))
  }

  /// Asks the processor to load the lines of a mixed cell.
  @inline(__always)
  func prefetchLines(of entry: Entry) {
    if !entry.isPure { roqua_prefetch(lines + Int(cellOffsets.u32(4 * entry.mixedCell))) }
  }

  /// The contents of a cell, as far as they are known without reading its lines.
  struct Entry {
    /// The label, if ``isPure``.
    let label: UInt16
    /// The number of the mixed cell, or -1.
    let mixedCell: Int
    var isPure: Bool { mixedCell < 0 }
  }

  /// The entry of a cell, counted from 180° W and 90° S.
  ///
  /// Sound: the cell is one of the grid, so its block is in the table. `validate` has checked the
  /// numbers of sub-blocks and mixed cells, or the file is linked in and checked by tests.
  @inline(__always)
  func entry(column: Int, row: Int) -> Entry {
    let block = blocks.u16(2 * ((row >> 3) * blockColumns + column >> 3))
    if block & Self.isMixed == 0 { return Entry(label: block, mixedCell: -1) }
    let sub = subBlocks + Int(block & ~Self.isMixed) * Self.subBlockSize
    let value = sub.u16(4 + 2 * ((row & 7) << 3 + column & 7))
    if value & Self.isMixed == 0 { return Entry(label: value, mixedCell: -1) }
    return Entry(label: 0, mixedCell: Int(sub.u32(0)) + Int(value & ~Self.isMixed))
  }

  /// The label inside a mixed cell; x and y are in E7 from its southwestern corner.
  func label(inMixedCell cell: Int, x: Int, y: Int) -> UInt16 {
    let cell = MixedCell(cell, of: self)
    let stepE7 = CellPoint.stepE7 << level
    let step = y / stepE7
    var label = cell.leftEdgeLabel(atStep: step)
    var nearest: Crossing?
    cell.forEachPiece(acrossStep: step) { piece in
      let (from, to) = (piece.from, piece.to)
      if min(from.x, to.x) * stepE7 <= x {
        let crossing = Crossing(from, to, y: y, stepE7: stepE7)
        if crossing.isAtOrWest(of: x), crossing.isEast(of: nearest) {
          nearest = crossing
          label = piece.eastLabel
        }
      }
    }
    return label
  }
}

/// A position as a cell and a point in it.
struct CellPoint {
  /// The E7 units in a cell of level 0, and in a step of its lattice.
  static let cellE7: UInt32 = 2_500_000
  static let stepE7 = 625
  /// The number of cells of level 0 around the Earth, and from pole to pole.
  static let columnCount = 1440
  static let rowCount = 720

  let column: Int
  let row: Int
  /// E7 units from the cell's western and southern edges.
  let x: Int
  let y: Int

  /// Creates the cell point of a position. The North Pole belongs to the row south of it.
  @inline(__always)
  init(_ coordinate: Coordinate) {
    let fromWest = UInt32(truncatingIfNeeded: Int(coordinate.longitudeE7) + 1_800_000_000)
    let fromSouth = min(
      UInt32(truncatingIfNeeded: Int(coordinate.latitudeE7) + 900_000_000), 1_799_999_999)
    let (column, x) = fromWest.quotientAndRemainder(dividingBy: Self.cellE7)
    let (row, y) = fromSouth.quotientAndRemainder(dividingBy: Self.cellE7)
    self.init(column: Int(column), row: Int(row), x: Int(x), y: Int(y))
  }

  /// The cell of level 0 or 1.
  @inline(__always)
  init(_ coordinate: Coordinate, level: Int) {
    let fine = CellPoint(coordinate)
    let below = (1 << level) - 1
    self.init(
      column: fine.column >> level, row: fine.row >> level,
      x: fine.x + (fine.column & below) * Int(Self.cellE7),
      y: fine.y + (fine.row & below) * Int(Self.cellE7))
  }

  @inline(__always)
  private init(column: Int, row: Int, x: Int, y: Int) {
    self.column = column
    self.row = row
    self.x = x
    self.y = y
  }
}

/// A point of a chain: steps of the lattice from the cell's southwestern corner, 0...4000.
struct LatticePoint: Equatable {
  let x: Int
  let y: Int

  /// Creates a point from three bytes, the low ones of `bits`.
  @inline(__always)
  init(_ bits: UInt32) {
    x = Int(bits & 0xFFF)
    y = Int((bits >> 12) & 0xFFF)
  }
}

/// The intersection of a line with a parallel, as an exact fraction: x = numerator / height, in E7.
///
/// With coordinates of at most 5e6 E7 and 4000 steps, a numerator stays below 4.1e10 and its
/// product with a height below 1.7e14, well within 64 bits.
struct Crossing {
  private let numerator: Int
  /// Always positive.
  private let height: Int
  /// The distance in steps that the line runs east from its lower to its upper end.
  private let lean: Int

  /// Creates the intersection of a line that is not horizontal with the parallel y (E7).
  @inline(__always)
  init(_ from: LatticePoint, _ to: LatticePoint, y: Int, stepE7: Int) {
    let rise = to.y - from.y
    let sign = rise < 0 ? -1 : 1
    height = sign * rise
    lean = sign * (to.x - from.x)
    numerator = from.x * stepE7 * height + (y - from.y * stepE7) * lean
  }

  /// Returns true if it lies at x (E7) or west of it.
  @inline(__always)
  func isAtOrWest(of x: Int) -> Bool { numerator <= x * height }

  /// The westernmost x (E7) at or east of it.
  @inline(__always)
  var firstPoint: Int { (numerator + height - 1) / height }

  /// Returns true if it lies east of another one, or if there is no other.
  @inline(__always)
  func isEast(of other: Crossing?) -> Bool {
    guard let other else { return true }
    return isEast(of: other)
  }

  /// Returns true if it lies east of another one or, at the same position, if it does so just north
  /// of it.
  @inline(__always)
  func isEast(of other: Crossing) -> Bool {
    let here = numerator * other.height
    let there = other.numerator * height
    return here > there || (here == there && lean * other.height > other.lean * height)
  }
}
