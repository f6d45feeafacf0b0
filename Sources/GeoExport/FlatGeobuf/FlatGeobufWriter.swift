import ByteStreams

/// Writes one layer as FlatGeobuf 3.0, with a packed Hilbert R-tree.
///
/// The header and the index come first in the file, but need all features, so ``add(_:)`` puts
/// features into a temporary file, and ``end()`` writes everything in order: the output may be a
/// pipe. Features are written in the order of the Hilbert curve; features in the same cell of the
/// curve keep their order.
///
/// - Memory: at most 40 bytes a point and 56 bytes another feature at the end, and a few MiB; while
///   a table of the features grows, up to 24 bytes a feature more. The temporary file has the size
///   of the output without the index.
/// - Source: the specification of FlatGeobuf 3.0.
package final class FlatGeobufWriter: LayerWriter {
  private let stream: ExportStream
  private var layer: ExportLayer?
  private var spool: FeatureSpool?

  /// Creates a writer.
  package init(_ stream: ExportStream) { self.stream = stream }

  package func begin(_ layer: ExportLayer) throws(ExportFailure) {
    precondition(self.layer == nil, "a file has one layer")
    self.layer = layer
    spool = try FeatureSpool(layer.shape)
  }

  package func add(_ feature: ExportFeature) throws(ExportFailure) {
    guard let layer, let spool else { preconditionFailure("a feature outside a layer") }
    try spool.append(feature, of: layer)
  }

  package func end() throws(ExportFailure) {
    guard let layer, let spool else { preconditionFailure("the end of no layer") }
    try spool.finish()
    if spool.count == 0 {
      // A count of 0 means that the count is unknown, and a file without features has no index.
      stream.buffer += FlatGeobufHeader.bytes(layer, count: 0, extent: nil, nodeSize: 0)
    } else {
      stream.buffer += FlatGeobufHeader.bytes(
        layer, count: spool.count, extent: spool.extent, nodeSize: FlatGeobufIndex.nodeSize)
      let order = Self.order(of: spool)
      try writeIndex(spool, order)
      try writeFeatures(spool, order)
    }
    self.spool = nil
  }

  package func finish() throws(ExportFailure) { try stream.flush() }

  /// The features along the Hilbert curve: the place on the curve in the upper 32 bits, the number
  /// of the feature in the lower ones.
  private static func order(of spool: FeatureSpool) -> [UInt64] {
    var order: [UInt64] = []
    order.reserveCapacity(spool.count)
    let extent = spool.extent
    for feature in 0..<spool.count {
      let place = FeatureCurve.place(of: spool.box(feature), in: extent)
      order.append(UInt64(place) << 32 | UInt64(feature))
    }
    order.sort()
    return order
  }

  @inline(__always)
  private static func feature(_ key: UInt64) -> Int { Int(truncatingIfNeeded: key & 0xFFFF_FFFF) }

  private func writeIndex(_ spool: FeatureSpool, _ order: [UInt64]) throws(ExportFailure) {
    let tree = FlatGeobufIndex(leafCount: order.count) { spool.box(Self.feature(order[$0])) }
    try tree.writeUpperLevels(to: stream)
    var place = 0
    for key in order {
      let feature = Self.feature(key)
      FlatGeobufIndex.append(spool.box(feature), UInt64(place), to: &stream.buffer)
      place += spool.byteCount(feature)
      try stream.flushIfFull()
    }
  }

  /// The size from which a group of features is written.
  private static let groupBytes = 1 << 22

  private func writeFeatures(_ spool: FeatureSpool, _ order: [UInt64]) throws(ExportFailure) {
    var group: [Int] = []
    var size = 0
    for key in order {
      let feature = Self.feature(key)
      group.append(feature)
      size += spool.byteCount(feature)
      if size >= Self.groupBytes {
        try write(group, of: spool)
        group.removeAll(keepingCapacity: true)
        size = 0
      }
    }
    try write(group, of: spool)
  }

  private func write(_ group: [Int], of spool: FeatureSpool) throws(ExportFailure) {
    stream.buffer += try spool.read(group)
    try stream.flush()
  }
}
