/// A connected set of cells.
///
/// ```swift
/// let coverage = try await explorer.read { try $0.coverage() }
/// if let cluster = coverage.largestCluster { print("max cluster: \(cluster.cells) cells") }
/// ```
public struct CellCluster: Hashable, Sendable {
  /// The number of cells.
  public let cells: Int
  /// The first cell by row, then by column.
  public let firstCell: Cell
}

extension Coverage {
  /// The largest cluster, known as "max cluster" in explorer tiles: the largest edge-connected set
  /// of explored cells whose neighbors are all explored (``Grid/neighbors(of:)``, also across
  /// ±180°). Nil if there is none. If several are equally large, the one with the first cell.
  ///
  /// - Complexity: O(runs · α) time; memory for a few rows.
  public var largestCluster: CellCluster? {
    var clusters = Clusters(columnCount: Int32(grid.columnCount))
    for window in RowWindows(self) { clusters.add(row: window.row, window.core(of: grid)) }
    return clusters.finish()
  }
}

/// Joins runs of successive rows into clusters. Remembers only the clusters that reach the last
/// row.
struct Clusters: Sendable {
  private let columnCount: Int32
  private var row = -2
  private var runs: Runs = []
  /// The cluster of each run of the last row, as an index into `open`.
  private var labels: [Int] = []
  private var open: [CellCluster] = []
  private var best: CellCluster?

  /// Creates a search without rows.
  init(columnCount: Int32) { self.columnCount = columnCount }

  /// Adds the next row.
  mutating func add(row: Int, _ next: Runs) {
    if row != self.row + 1 { closeAll() }
    // The nodes are the open clusters, followed by the runs of this row.
    var sets = DisjointSets(count: open.count + next.count)
    let newNodes = open.count
    var (i, j) = (0, 0)
    while i < runs.count, j < next.count {
      if runs[i].overlaps(next[j]) { sets.join(labels[i], newNodes + j) }
      if runs[i].upperBound < next[j].upperBound { i += 1 } else { j += 1 }
    }
    if let first = next.first, let last = next.last, first.lowerBound == 0,
      last.upperBound == columnCount
    {
      sets.join(newNodes, newNodes + next.count - 1)
    }

    // Clusters with a run in this row stay open; the others are complete.
    var places: [Int: Int] = [:]
    var stillOpen: [CellCluster] = []
    var newLabels: [Int] = []
    for (index, run) in next.enumerated() {
      let node = sets.root(of: newNodes + index)
      let cluster = CellCluster(
        cells: run.count, firstCell: Cell(row: Int32(row), column: run.lowerBound))
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
      if let place = places[sets.root(of: index)] {
        stillOpen[place] = stillOpen[place].joined(with: cluster)
      } else {
        close(cluster)
      }
    }
    (self.row, runs, labels, open) = (row, next, newLabels, stillOpen)
  }

  /// Ends the search and returns the largest cluster.
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
  /// The union of two clusters.
  fileprivate func joined(with other: CellCluster) -> CellCluster {
    CellCluster(cells: cells + other.cells, firstCell: min(firstCell, other.firstCell))
  }
}
