/// An R-tree whose nodes are full: a level groups the nodes of the level below in their order. Its
/// leaves are the boxes of features, which are not kept.
///
/// Layout of a file's index: the levels, the root first and the leaves last; a node is the edges of
/// its box (x and y of the minimum, then of the maximum) and 8 bytes: for a leaf, the place of the
/// feature after the index; for another node, the number of its first child in the index.
///
/// - Memory: 32 bytes a node above the leaves, about 2.1 bytes a feature.
/// - Source: the specification of FlatGeobuf 3.0, "Packed Hilbert R-tree".
struct FlatGeobufIndex {
  /// The number of children of a node.
  static let nodeSize = 16
  /// The size of a node in bytes.
  static let nodeBytes = 40

  /// The number of leaves.
  let leafCount: Int
  /// The levels above the leaves, from bottom to top.
  private(set) var levels: [[ExportBounds]] = []

  /// Creates the tree of some boxes, at least one.
  ///
  /// - Parameter leaf: the box of a leaf; called once for each in their order.
  init(leafCount: Int, leaf: (Int) -> ExportBounds) {
    precondition(leafCount > 0, "a tree without leaves")
    self.leafCount = leafCount
    levels.append(Self.grouping(leafCount, leaf))
    while case let below = levels[levels.count - 1], below.count > 1 {
      levels.append(Self.grouping(below.count) { below[$0] })
    }
  }

  private static func grouping(
    _ count: Int, _ child: (Int) -> ExportBounds
  ) -> [ExportBounds] {
    var nodes: [ExportBounds] = []
    nodes.reserveCapacity((count + nodeSize - 1) / nodeSize)
    for start in stride(from: 0, to: count, by: nodeSize) {
      var box = ExportBounds()
      for index in start..<min(count, start + nodeSize) { box.include(child(index)) }
      nodes.append(box)
    }
    return nodes
  }

  /// The box around all leaves.
  var extent: ExportBounds { levels[levels.count - 1][0] }

  /// Writes the nodes above the leaves.
  func writeUpperLevels(to stream: ExportStream) throws(ExportFailure) {
    var firstChild = 0
    for level in levels.reversed() {
      firstChild += level.count
      for (index, box) in level.enumerated() {
        Self.append(box, UInt64(firstChild + index * Self.nodeSize), to: &stream.buffer)
        try stream.flushIfFull()
      }
    }
  }

  /// Appends a node.
  @inline(__always)
  static func append(_ box: ExportBounds, _ reference: UInt64, to bytes: inout [UInt8]) {
    bytes.append(littleEndian: box.minX)
    bytes.append(littleEndian: box.minY)
    bytes.append(littleEndian: box.maxX)
    bytes.append(littleEndian: box.maxY)
    bytes.append(littleEndian: reference)
  }
}
