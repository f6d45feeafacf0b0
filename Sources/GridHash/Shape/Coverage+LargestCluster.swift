/// A connected set of cells.
public struct CellCluster: Hashable, Sendable {
  /// How many cells.
  public let cells: Int
  /// The first of them, by row, then by column.
  public let firstCell: Cell
}

extension Coverage {
  /// The largest cluster, "max cluster" of explorer tiles: the largest set of cells, connected by edges, each of
  /// which is explored and has only explored cells for neighbours (``Grid/neighbors(of:)``, across ±180° too).
  /// Nil where there is none; of several, the one with the first cell.
  ///
  /// - Complexity: O(runs · α) time; memory of a few rows.
  public var largestCluster: CellCluster? {
    let columnCount = Int32(grid.columnCount)
    let lastRow = grid.rowCount - 1
    var clusters = Clusters(columnCount: columnCount)
    for (row, below, middle, above) in RowWindows(self) {
      var core = RunAlgebra.shrunk(middle, columnCount: columnCount)
      // Nothing lies beyond a pole, so nothing there is missing.
      if row > 0 { core = RunAlgebra.intersection(core, below) }
      if row < lastRow { core = RunAlgebra.intersection(core, above) }
      clusters.add(row: row, core)
    }
    return clusters.finish()
  }
}

/// Joins runs of successive rows into clusters. Only the clusters that reach the last row are remembered.
private struct Clusters {
  private let columnCount: Int32
  private var row = -2
  private var runs: Runs = []
  /// The cluster of each run of the last row, by its place in `open`.
  private var labels: [Int] = []
  private var open: [CellCluster] = []
  private var best: CellCluster?

  init(columnCount: Int32) { self.columnCount = columnCount }

  mutating func add(row: Int, _ next: Runs) {
    if row != self.row + 1 { closeAll() }
    // Nodes: the open clusters, then the runs of this row.
    var parents = Array(0..<open.count + next.count)
    func root(_ node: Int) -> Int {
      var node = node
      while parents[node] != node {
        parents[node] = parents[parents[node]]
        node = parents[node]
      }
      return node
    }
    let newNodes = open.count
    var (i, j) = (0, 0)
    while i < runs.count, j < next.count {
      if runs[i].overlaps(next[j]) { parents[root(labels[i])] = root(newNodes + j) }
      if runs[i].upperBound < next[j].upperBound { i += 1 } else { j += 1 }
    }
    if let first = next.first, let last = next.last, first.lowerBound == 0, last.upperBound == columnCount {
      parents[root(newNodes)] = root(newNodes + next.count - 1)
    }

    // Clusters that a run of this row belongs to stay open; the others are complete.
    var places: [Int: Int] = [:]
    var stillOpen: [CellCluster] = []
    var newLabels: [Int] = []
    for (index, run) in next.enumerated() {
      let node = root(newNodes + index)
      let cluster = CellCluster(cells: run.count, firstCell: Cell(row: Int32(row), column: run.lowerBound))
      if let place = places[node] {
        stillOpen[place] = stillOpen[place].joined(with: cluster)
        newLabels.append(place)
      } else {
        places[node] = stillOpen.count
        newLabels.append(stillOpen.count)
        stillOpen.append(cluster)
      }
    }
    for (index, cluster) in open.enumerated() {
      if let place = places[root(index)] {
        stillOpen[place] = stillOpen[place].joined(with: cluster)
      } else {
        close(cluster)
      }
    }
    (self.row, runs, labels, open) = (row, next, newLabels, stillOpen)
  }

  mutating func finish() -> CellCluster? {
    closeAll()
    return best
  }

  private mutating func closeAll() {
    for cluster in open { close(cluster) }
    (open, runs, labels) = ([], [], [])
  }

  private mutating func close(_ cluster: CellCluster) {
    guard let best else {
      self.best = cluster
      return
    }
    if (cluster.cells, best.firstCell) > (best.cells, cluster.firstCell) { self.best = cluster }
  }
}

extension CellCluster {
  /// Both together.
  fileprivate func joined(with other: CellCluster) -> CellCluster {
    CellCluster(cells: cells + other.cells, firstCell: min(firstCell, other.firstCell))
  }
}
