/// Raw deflate streams (RFC 1951) that are in memory.
package enum RawDeflate {
  /// An empty last block, which ends a stream of pieces (RFC 1951, 3.2.6).
  package static let end: [UInt8] = [3, 0]

  /// The expanded bytes of one stream; nil if it is damaged or cut off, or if it expands to more
  /// than `limit` bytes.
  package static func expanded(_ bytes: UnsafeRawBufferPointer, limit: Int) -> [UInt8]? {
    var expanded: [UInt8] = []
    let stream = InflateStream(.none)
    let result = stream.inflate(bytes) { piece in
      guard expanded.count + piece.count <= limit else { return false }
      expanded.append(contentsOf: piece)
      return true
    }
    if case .ended = result.outcome { return expanded }
    return nil
  }
}
