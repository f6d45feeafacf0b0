/// The serial form of a whole coverage. `docs/formats/coverage.md` describes the layout: a header
/// with magic, version and radius; tiles in order of their keys, each with the distance from the
/// previous key; an end mark; the numbers of tiles and of cells; and a CRC-32C of everything before
/// it.
enum CoverageFormat {
  static let magic: [UInt8] = Array("RQCV".utf8)
  static let version: UInt16 = 1
  /// Magic, version, radius in millimeters.
  static let headerSize = 4 + 2 + 4
  /// CRC-32C.
  static let trailerSize = 4
}

extension Coverage {
  /// The coverage as bytes. The same cells always give the same bytes, in whatever order they were
  /// added.
  public func serialized() -> [UInt8] {
    var writer = CoverageWriter(grid: grid)
    let state = table.state.pointee
    // Sound: a tile has 64 words; they are initialized here and used only in the closure.
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) { buffer in
      guard let rows = buffer.baseAddress else { return }
      rows.initialize(repeating: 0, count: 64)
      for key in orderedKeys where state.copyTile(key, into: rows) { writer.append(rows, at: key) }
    }
    writer.finish()
    return writer.takeBytes()
  }

  /// Reads a serialized coverage.
  ///
  /// - Throws: ``CoverageFormatError``: `notACoverage` for other data, `unsupportedVersion` for a
  ///   newer version of the format, and `truncated`, `checksumMismatch` or `malformed` for damage.
  ///   Nothing damaged is read.
  package init(serialized bytes: UnsafeRawBufferPointer) throws(CoverageFormatError) {
    // Sound: the reader exists only in this initializer, and so no longer than `bytes`.
    var reader = try CoverageReader(bytes)
    self.init(grid: reader.grid)
    // Sound: a tile has 64 words; they are initialized here and used only in the closure.
    try withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) {
      buffer throws(CoverageFormatError) in
      guard let words = buffer.baseAddress else { return }
      words.initialize(repeating: 0, count: 64)
      while let key = try reader.next(into: words) {
        // Keys ascend, so the table does not have the tile yet.
        table.state.pointee.append(tile: key, copying: words)
        count += Coverage.count(words)
      }
    }
  }

  /// Reads a serialized coverage.
  ///
  /// - Throws: ``CoverageFormatError``, as for a buffer.
  public init(serialized bytes: [UInt8]) throws(CoverageFormatError) {
    let result = bytes.withUnsafeBytes { raw in
      Result { () throws(CoverageFormatError) in try Coverage(serialized: raw) }
    }
    self = try result.get()
  }
}
