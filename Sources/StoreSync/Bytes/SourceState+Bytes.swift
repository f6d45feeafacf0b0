extension SourceState {
  /// Writes the state: 0 if forgotten, else 1 + withheld and the source.
  func write(to writer: inout PayloadWriter, _ table: DeviceTable) {
    switch self {
    case .forgotten: writer.byte(0)
    case .present(let source):
      writer.byte(1 + source.withheld)
      source.write(to: &writer, table)
    }
  }

  /// Reads a state.
  init(from reader: inout PayloadReader, _ table: inout DeviceTable) throws(SyncFormatError) {
    let tag = try reader.byte()
    switch tag {
    case 0: self = .forgotten
    case 1...4: self = .present(try PresentSource(withheld: tag - 1, from: &reader, &table))
    default: throw reader.error(.unknownTag(tag))
    }
  }
}

extension PresentSource {
  /// Writes all but what is withheld.
  func write(to writer: inout PayloadWriter, _ table: DeviceTable) {
    writer.varint(generation)
    writer.varint(row.revision)
    writer.name(row.digest)
    row.file.write(to: &writer)
    writer.count(pieces.count)
    for piece in pieces { piece.write(to: &writer, table, rowFile: row.file) }
  }

  /// Reads all but what is withheld.
  init(
    withheld: UInt8, from reader: inout PayloadReader, _ table: inout DeviceTable
  ) throws(SyncFormatError) {
    let generation = try reader.ordinal()
    let row = RowState(
      revision: try reader.ordinal(), digest: try reader.name(),
      file: try FileReference(from: &reader))
    let count = try reader.count(ofAtLeast: PieceState.fewestBytes)
    var pieces: [PieceState] = []
    pieces.reserveCapacity(count)
    for _ in 0..<count {
      pieces.append(try PieceState(from: &reader, &table, rowFile: row.file))
    }
    self.init(generation: generation, withheld: withheld, row: row, pieces: pieces)
  }
}

extension FileReference {
  /// Writes the name and the size.
  func write(to writer: inout PayloadWriter) {
    writer.name(name)
    writer.varint(byteCount)
  }

  /// Reads a name and a size.
  init(from reader: inout PayloadReader) throws(SyncFormatError) {
    self.init(name: try reader.name(), byteCount: try reader.ordinal())
  }
}

extension PieceState {
  /// The fewest bytes of a piece: rank, device, number of alternatives, one that shares the row's
  /// file, number of absorbed digests.
  static let fewestBytes = 4 + PieceVersion.fewestBytes

  /// Writes the piece.
  ///
  /// - Parameter rowFile: the file of the row, which is not named again.
  func write(to writer: inout PayloadWriter, _ table: DeviceTable, rowFile: FileReference) {
    writer.varint(position.rank)
    table.write(position.device, to: &writer)
    writer.count(alternatives.count)
    for version in alternatives { version.write(to: &writer, rowFile: rowFile) }
    writer.count(absorbed.count)
    for digest in absorbed { writer.name(digest) }
  }

  /// Reads a piece.
  init(
    from reader: inout PayloadReader, _ table: inout DeviceTable, rowFile: FileReference
  ) throws(SyncFormatError) {
    let position = PiecePosition(
      rank: try reader.ordinal(), device: try table.device(from: &reader))
    let count = try reader.count(ofAtLeast: PieceVersion.fewestBytes)
    guard count > 0 else { throw reader.error(.outOfRange) }
    var alternatives: [PieceVersion] = []
    for _ in 0..<count {
      alternatives.append(try PieceVersion(from: &reader, rowFile: rowFile))
    }
    var absorbed: [Digest] = []
    for _ in 0..<(try reader.count(ofAtLeast: Digest.byteCount)) {
      absorbed.append(try reader.name())
    }
    self.init(position: position, alternatives: alternatives, absorbed: absorbed)
    guard alternatives == self.alternatives, absorbed == self.absorbed else {
      throw reader.error(.notCanonical)
    }
  }
}

extension PieceVersion {
  /// The fewest bytes of a version: flags, revision, digest, count.
  static let fewestBytes = 3 + Digest.byteCount

  /// Writes the version: flags (bit 0 erased, 1 in the file of the row), revision, digest, count,
  /// and the file if it is not that of the row.
  func write(to writer: inout PayloadWriter, rowFile: FileReference) {
    writer.byte((isErased ? 1 : 0) | (file == rowFile ? 2 : 0))
    writer.varint(revision)
    writer.name(digest)
    writer.varint(count)
    if file != rowFile { file.write(to: &writer) }
  }

  /// Reads a version.
  init(from reader: inout PayloadReader, rowFile: FileReference) throws(SyncFormatError) {
    let flags = try reader.byte()
    guard flags < 4 else { throw reader.error(.unknownTag(flags)) }
    self.init(
      revision: try reader.ordinal(), isErased: flags & 1 != 0, digest: try reader.name(),
      count: try reader.ordinal(), file: rowFile)
    guard flags & 2 == 0 else { return }
    file = try FileReference(from: &reader)
    if file == rowFile { throw reader.error(.notCanonical) }
  }
}
