/// An R-tree that is built at once, with full nodes, in the layout of SQLite's R-tree tables.
///
/// Features are sorted along a Hilbert curve, and each node takes the next ones. Inserting each
/// into SQLite's R-tree would take several times as long, and give nodes that overlap more
/// (`docs/decisions/packed-rtree.md`).
///
/// Memory: 16 bytes for each feature until ``write(to:)``, which takes 16 more.
///
/// - Source: the layout is that of the comment at the top of SQLite's `rtree.c`; packing by a
///   Hilbert curve is from I. Kamel and C. Faloutsos, "On packing R-trees", 1993.
struct PackedRTree {
  /// The maximum number of entries of a node: SQLite makes nodes of 51 entries, unless pages are
  /// smaller than 1292 bytes.
  static let nodeCapacity = 51
  /// The size of a node in bytes: 4, and 24 for each entry.
  static let nodeBytes = 4 + 24 * nodeCapacity

  /// The boxes of the features, in the order of their row numbers, which start at 1.
  private var boxes: [RTreeBox] = []

  /// Creates an empty tree.
  init() {}

  /// Adds the next feature.
  mutating func append(_ bounds: ExportBounds) { boxes.append(RTreeBox(bounds)) }

  /// Writes the tree, and empties it.
  ///
  /// The root is node 1; the leaves are nodes 2, 3, …, and the levels above follow. Nodes of a
  /// level have the same number of entries, or differ by one, so that none has too few.
  mutating func write(to tables: RTreeTables) throws(ExportFailure) {
    guard !boxes.isEmpty else { return }
    var order = Self.order(of: boxes)
    let mask = Self.indexMask(count: boxes.count)
    var level = Level(count: boxes.count, firstNode: 2)
    var parents = [UInt32](repeating: 0, count: boxes.count)
    var nodeBoxes = try tables.writeNodes(of: level) { place in
      let index = Int(order[place] & mask)
      return (Int64(index) + 1, boxes[index])
    }
    level.forEachEntry { place, node in parents[Int(order[place] & mask)] = UInt32(node) }
    (boxes, order) = ([], [])
    try tables.writeRows(nodes: parents)
    parents = []
    while !level.isRoot {
      let (children, childBoxes) = (level, nodeBoxes)
      level = Level(
        count: children.nodeCount, firstNode: children.firstNode + children.nodeCount,
        depth: children.depth + 1)
      nodeBoxes = try tables.writeNodes(of: level) { place in
        (Int64(children.firstNode + place), childBoxes[place])
      }
      try tables.writeParents(of: children, in: level)
    }
  }

  /// A level of nodes, and how the entries below are distributed to them.
  struct Level {
    /// The number of entries of all nodes together.
    let count: Int
    /// The number of the first node; 1 for the root.
    let firstNode: Int
    /// The number of levels below.
    let depth: Int
    /// The number of nodes.
    let nodeCount: Int

    /// Creates the level above `count` entries.
    ///
    /// - Parameter firstNode: the number of the first node, unless there is only the root.
    init(count: Int, firstNode: Int, depth: Int = 0) {
      self.count = count
      self.depth = depth
      nodeCount = (count + nodeCapacity - 1) / nodeCapacity
      self.firstNode = nodeCount == 1 ? 1 : firstNode
    }

    /// Whether the level is the root.
    var isRoot: Bool { nodeCount == 1 }

    /// The places of the entries of a node, counted from 0.
    func entries(ofNode node: Int) -> Range<Int> {
      node * count / nodeCount..<(node + 1) * count / nodeCount
    }

    /// Calls `body` with the place of each entry and the number of its node.
    func forEachEntry(_ body: (_ place: Int, _ node: Int) -> Void) {
      for node in 0..<nodeCount {
        for place in entries(ofNode: node) { body(place, firstNode + node) }
      }
    }
  }

  /// The bits of a number of ``order(of:)`` that are the index of a box.
  private static func indexMask(count: Int) -> UInt64 { UInt64(1) << UInt64(indexBits(count)) - 1 }

  private static func indexBits(_ count: Int) -> Int {
    Int.bitWidth - max(1, count - 1).leadingZeroBitCount
  }

  /// Returns the indices of boxes in their lower bits, sorted by the place of the center on the
  /// Hilbert curve, which is in the upper bits as exactly as there is room: at 2^20 boxes, a cell
  /// of the curve is 1/2^22 of the side of the area of all boxes.
  private static func order(of boxes: [RTreeBox]) -> [UInt64] {
    var (low, high) = (boxes[0].doubledCenter, boxes[0].doubledCenter)
    for box in boxes {
      low = pointwiseMin(low, box.doubledCenter)
      high = pointwiseMax(high, box.doubledCenter)
    }
    let indexBits = indexBits(boxes.count)
    let sideBits = min(31, (64 - indexBits) / 2)
    let cells = Double(UInt64(1) << UInt64(sideBits)) - 1
    let size = high - low
    // A side without length has one cell.
    let scaleX = size.x > 0 ? cells / Double(size.x) : 0
    let scaleY = size.y > 0 ? cells / Double(size.y) : 0
    var keys = [UInt64](repeating: 0, count: boxes.count)
    for index in boxes.indices {
      let offset = boxes[index].doubledCenter - low
      let place = HilbertCurve.place(
        x: UInt32(Double(offset.x) * scaleX), y: UInt32(Double(offset.y) * scaleY), bits: sideBits)
      keys[index] = place << UInt64(indexBits) | UInt64(index)
    }
    RadixSort.sort(&keys, fromBit: indexBits)
    return keys
  }
}
