extension ExportStream {
  /// The number of positions that are written before the buffer is given away: at most about 60 KB
  /// of text.
  private static let pieceCount = 1_024

  /// Appends something for each position of a range, and gives full buffers to the sink in between,
  /// so that a geometry of any size takes no more memory than a small one.
  @inline(__always)
  func appendEach(
    _ positions: Range<Int>, _ body: (Int, inout [UInt8]) -> Void
  ) throws(ExportFailure) {
    var start = positions.lowerBound
    while start < positions.upperBound {
      let end = min(positions.upperBound, start + Self.pieceCount)
      for position in start..<end { body(position, &buffer) }
      start = end
      try flushIfFull()
    }
  }
}

extension ExportGeometry {
  /// Appends the longitude and the latitude of a position, with a character between.
  @inline(__always)
  func appendPosition(_ position: Int, separator: UInt8, to bytes: inout [UInt8]) {
    bytes.appendDegrees(coordinates[2 * position])
    bytes.append(separator)
    bytes.appendDegrees(coordinates[2 * position + 1])
  }

  /// The positions of each ring.
  var rings: [Range<Int>] {
    zip([0] + ringEnds, ringEnds).map { $0..<$1 }
  }
}
