import ByteStreams

/// The features of a FlatGeobuf file until all are known: their bytes in a temporary file, their
/// boxes and places in memory.
///
/// - Memory: 24 bytes a point, 40 bytes another feature, and 1 MiB.
final class FeatureSpool {
  private let file: SpoolFile
  private let isPoints: Bool
  private var buffer: [UInt8] = []
  /// The place after each feature.
  private var ends: [Int] = []
  /// The x and y of each point, or the four edges of each box.
  private var edges: [Double] = []
  /// The box around all features.
  private(set) var extent = ExportBounds()

  /// Creates an empty spool for features of a shape.
  init(_ shape: ExportLayer.Shape) throws(ExportFailure) {
    isPoints = shape == .point
    do { file = try SpoolFile(kind: "roqua-export") } catch { throw Self.failure(error) }
  }

  /// The number of features.
  var count: Int { ends.count }

  /// The place of a feature's first byte.
  @inline(__always)
  private func start(_ feature: Int) -> Int { feature == 0 ? 0 : ends[feature - 1] }

  /// The number of bytes of a feature.
  @inline(__always)
  func byteCount(_ feature: Int) -> Int { ends[feature] - start(feature) }

  /// The box of a feature.
  @inline(__always)
  func box(_ feature: Int) -> ExportBounds {
    var box = ExportBounds()
    if isPoints {
      box.include(x: edges[2 * feature], y: edges[2 * feature + 1])
    } else {
      box.include(x: edges[4 * feature], y: edges[4 * feature + 1])
      box.include(x: edges[4 * feature + 2], y: edges[4 * feature + 3])
    }
    return box
  }

  /// Appends a feature of a layer.
  func append(_ feature: ExportFeature, of layer: ExportLayer) throws(ExportFailure) {
    guard let box = feature.geometry.bounds else {
      throw .failed(reason: "A feature of the layer “\(layer.name)” has no positions.")
    }
    try FlatGeobufFeature.append(feature, of: layer, to: &buffer)
    ends.append(file.count + buffer.count)
    edges.append(box.minX)
    edges.append(box.minY)
    if !isPoints {
      edges.append(box.maxX)
      edges.append(box.maxY)
    }
    extent.include(box)
    if buffer.count >= Self.pieceBytes { try flush() }
  }

  private static let pieceBytes = 1 << 20

  private func flush() throws(ExportFailure) {
    do { try file.append(buffer) } catch { throw Self.failure(error) }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Ends the spool: nothing can be appended afterwards.
  func finish() throws(ExportFailure) {
    try flush()
    buffer = []
  }

  /// Reads features, and returns their bytes in the order given.
  ///
  /// They are read in the order of the file, with few large reads: features that are neighbors on
  /// the Hilbert curve are often neighbors in the file.
  func read(_ features: [Int]) throws(ExportFailure) -> [UInt8] {
    var places: [Int] = []
    places.reserveCapacity(features.count)
    var size = 0
    for feature in features {
      places.append(size)
      size += byteCount(feature)
    }
    let order = features.indices.sorted { features[$0] < features[$1] }
    var bytes = [UInt8](repeating: 0, count: size)
    var next = 0
    while next < order.count {
      // The features from `next` on that one read gets.
      let first = start(features[order[next]])
      var last = next
      while last + 1 < order.count,
        start(features[order[last + 1]]) - ends[features[order[last]]] <= Self.largestGap,
        ends[features[order[last + 1]]] - first <= Self.pieceBytes
      {
        last += 1
      }
      let piece = try read(first..<ends[features[order[last]]])
      for index in order[next...last] {
        let source = start(features[index]) - first
        let count = byteCount(features[index])
        bytes.replaceSubrange(
          places[index]..<places[index] + count, with: piece[source..<source + count])
      }
      next = last + 1
    }
    return bytes
  }

  /// The most bytes between two features that are read for nothing.
  private static let largestGap = 4_096

  private func read(_ range: Range<Int>) throws(ExportFailure) -> [UInt8] {
    var failure: FileFailure?
    // Sound: `read` fills all `range.count` bytes or throws, and then none count as initialized.
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { room, used in
      do throws(FileFailure) {
        try file.read(
          at: range.lowerBound,
          into: UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(room)[..<range.count]))
        used = range.count
      } catch {
        failure = error
      }
    }
    if let failure { throw Self.failure(failure) }
    return bytes
  }

  private static func failure(_ failure: FileFailure) -> ExportFailure {
    .failed(reason: "a temporary file in \(failure.path) cannot be used: \(failure.reason)")
  }
}
