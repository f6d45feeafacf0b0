/// Traces the outlines of rows of cells that are added from south to north.
///
/// Between two rows, an edge of the outline runs wherever a cell has no neighbor on the other side.
/// Where edges turn there is a corner, and each corner knows the next one along its ring, with the
/// cells on the left. An edge that runs north or south is open until the row where it ends. A set
/// of cells is complete when a row has none of them; its rings are then read off its corners.
struct OutlineSweep: Sendable {
  private let grid: Grid
  private var row = -2
  private var runs: Runs = []
  /// The open area of each run.
  private var areas: [Int] = []
  /// The corners where the western and eastern edge of each run begin in the south.
  private var openings: [(west: Int32, east: Int32)] = []
  private var open: [OpenArea] = []
  private var corners = CornerList()
  private var complete: [CellOutline] = []

  /// Creates a sweep without rows.
  init(grid: Grid) { self.grid = grid }

  /// Adds the next row and returns the outlines that are complete.
  mutating func add(row: Int, _ next: Runs) -> [CellOutline] {
    if row != self.row + 1 { pass(to: [], at: Int32(self.row + 1)) }
    self.row = row
    pass(to: next, at: Int32(row))
    defer { complete.removeAll() }
    return complete
  }

  /// Ends the rows and returns the outlines that are left.
  mutating func finish() -> [CellOutline] {
    pass(to: [], at: Int32(row + 1))
    row = -2
    defer { complete.removeAll() }
    return complete
  }

  /// Goes from the last row to the next one across their common edge.
  private mutating func pass(to next: Runs, at y: Int32) {
    if runs.isEmpty, next.isEmpty { return }
    let (labels, still) = join(next)
    trace(next, labels, at: y)
    for (area, isOpen) in zip(open.indices, still) where !isOpen { close(open[area]) }
    settle(next, labels, still)
    runs = next
  }
}

// MARK: - Areas

/// An edge-connected set of cells that may reach the next row.
private struct OpenArea {
  var cells = 0
  var squareMeters = 0.0
  /// The first and last of its corners at which an edge that runs west ends; each knows the next.
  var first: Int32 = -1
  var last: Int32 = -1
}

extension OutlineSweep {
  /// Joins the open areas that runs of the next row connect.
  ///
  /// - Returns: for each run its area, an index in ``open``; for each area whether it has a run.
  private mutating func join(_ next: Runs) -> (labels: [Int], isOpen: [Bool]) {
    var sets = DisjointSets(count: open.count + next.count)
    let newNodes = open.count
    var (i, j) = (0, 0)
    while i < runs.count, j < next.count {
      // The root is an old area if there is one, since these have the smaller numbers.
      if runs[i].overlaps(next[j]) { sets.join(areas[i], newNodes + j) }
      if runs[i].upperBound < next[j].upperBound { i += 1 } else { j += 1 }
    }
    var isOpen = [Bool](repeating: false, count: newNodes)
    for area in 0..<newNodes where sets.root(of: area) != area {
      merge(area, into: sets.root(of: area))
      isOpen[area] = true  // its corners have moved: there is nothing to complete
    }
    // Runs that touch no old area begin new ones.
    var labels: [Int] = []
    labels.reserveCapacity(next.count)
    for (j, run) in next.enumerated() {
      let area = sets.root(of: newNodes + j)
      if area >= newNodes {
        labels.append(open.count)
        open.append(OpenArea())
        isOpen.append(true)
      } else {
        labels.append(area)
        isOpen[area] = true
      }
      let units = grid.units(of: run)
      open[labels[j]].cells += run.count
      open[labels[j]].squareMeters += grid.areaPerUnitOfLongitude(row: row) * Double(units)
    }
    for index in areas.indices { areas[index] = sets.root(of: areas[index]) }
    return (labels, isOpen)
  }

  private mutating func merge(_ area: Int, into other: Int) {
    open[other].cells += open[area].cells
    open[other].squareMeters += open[area].squareMeters
    if open[area].first >= 0 {
      if open[other].first < 0 {
        open[other].first = open[area].first
      } else {
        corners.setSibling(open[area].first, of: open[other].last)
      }
      open[other].last = open[area].last
    }
    open[area] = OpenArea()
  }

  /// Keeps only the areas that have a run in the next row.
  private mutating func settle(_ next: Runs, _ labels: [Int], _ isOpen: [Bool]) {
    var places = [Int](repeating: -1, count: open.count)
    var kept: [OpenArea] = []
    areas.removeAll(keepingCapacity: true)
    for label in labels {
      if places[label] < 0 {
        places[label] = kept.count
        kept.append(open[label])
      }
      areas.append(places[label])
    }
    open = kept
  }
}

extension Grid {
  /// The width of a run in units; the last column may be narrower than the others.
  fileprivate func units(of run: Range<Int32>) -> Int {
    columnEdges(Int(run.upperBound) - 1).east - columnEdges(Int(run.lowerBound)).west
  }
}

// MARK: - Corners

extension OutlineSweep {
  /// What lies on the two sides of an edge between rows, and the corner at its western end.
  private struct Level {
    var below = false
    var above = false
    /// The corner at which the edge between them began in the west; -1 if there is no edge.
    var corner: Int32 = -1
  }

  /// Makes the corners between the last row and the next one.
  private mutating func trace(_ next: Runs, _ labels: [Int], at y: Int32) {
    var newOpenings = [(west: Int32, east: Int32)](repeating: (-1, -1), count: next.count)
    var level = Level()
    var (i, j) = (0, 0)  // ends of runs passed: twice the run, and one within it
    while i < 2 * runs.count || j < 2 * next.count {
      let below = i < 2 * runs.count ? end(runs, i) : .max
      let above = j < 2 * next.count ? end(next, j) : .max
      let x = min(below, above)
      let (turnsBelow, turnsAbove) = (below == x, above == x)
      let opening =
        !turnsBelow ? -1 : i & 1 == 0 ? openings[i >> 1].west : openings[i >> 1].east
      let area = turnsBelow ? areas[i >> 1] : turnsAbove ? labels[j >> 1] : 0
      let corner = turn(
        CellCorner(x: x, y: y), opening, turnsAbove, area,
        areaAbove: turnsAbove ? labels[j >> 1] : 0, &level)
      if turnsBelow { i += 1 }
      if turnsAbove {
        if j & 1 == 0 {
          newOpenings[j >> 1].west = corner
        } else {
          newOpenings[j >> 1].east = corner
        }
        j += 1
      }
    }
    openings = newOpenings
  }

  private func end(_ runs: Runs, _ index: Int) -> Int32 {
    index & 1 == 0 ? runs[index >> 1].lowerBound : runs[index >> 1].upperBound
  }

  /// Handles a point where an edge of the row below ends or one of the row above begins.
  ///
  /// - Parameters:
  ///   - opening: the corner in the south where the edge below began; -1 if there is none.
  ///   - turnsAbove: whether an edge begins above.
  ///   - area: the area of the cell below or above.
  /// - Returns: the corner where the edge above begins.
  private mutating func turn(
    _ at: CellCorner, _ opening: Int32, _ turnsAbove: Bool, _ area: Int, areaAbove: Int,
    _ level: inout Level
  ) -> Int32 {
    let west = level
    let turnsBelow = opening >= 0
    if turnsBelow { level.below.toggle() }
    if turnsAbove { level.above.toggle() }
    // The edge goes straight on.
    if turnsBelow, turnsAbove, west.below == west.above { return opening }
    let hasWest = west.below != west.above
    let hasEast = level.below != level.above
    if turnsBelow, turnsAbove {
      // Two cells touch here. Each has a corner of its own.
      let (one, other) = (corners.add(at), corners.add(at))
      corners.setPartners(one, other)
      if west.below {
        // Southwest and northeast.
        link(west: west.corner, one, isTop: true, area)
        link(below: opening, one, isSouthward: false)
        level.corner = other
      } else {
        // Southeast and northwest.
        link(west: west.corner, other, isTop: false, areaAbove)
        link(below: opening, one, isSouthward: true)
        level.corner = one
        open[area].collect(one, in: &corners)
      }
      return other
    }
    let corner = corners.add(at)
    if turnsBelow { link(below: opening, corner, isSouthward: !west.below) }
    if hasWest { link(west: west.corner, corner, isTop: west.below, area) }
    if hasEast {
      level.corner = corner
      // An edge that runs west ends here if the cells are below.
      if level.below { open[area].collect(corner, in: &corners) }
    }
    return corner
  }

  /// Links the ends of an edge between rows, whose western end is known.
  private mutating func link(west: Int32, _ east: Int32, isTop: Bool, _ area: Int) {
    if isTop { corners.setNext(west, of: east) } else { corners.setNext(east, of: west) }
  }

  /// Links the ends of an edge between columns.
  private mutating func link(below: Int32, _ corner: Int32, isSouthward: Bool) {
    if isSouthward {
      corners.setNext(below, of: corner)
    } else {
      corners.setNext(corner, of: below)
    }
  }

  private mutating func close(_ area: OpenArea) {
    guard area.first >= 0 else { return }
    complete.append(corners.outline(from: area.first, area.cells, area.squareMeters))
  }
}

extension OpenArea {
  /// Remembers a corner at which an edge that runs west ends. Every ring has one.
  fileprivate mutating func collect(_ corner: Int32, in corners: inout CornerList) {
    if first < 0 { first = corner } else { corners.setSibling(corner, of: last) }
    last = corner
  }
}
