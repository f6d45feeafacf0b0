import GeoStore

/// The kept fixes, cells and regions of a piece, as the store packs them.
package struct PieceContent: Hashable, Sendable {
  /// The chunks, in the order of the fixes.
  package var chunks: [PackedFixes] = []
  /// The tiles, in the order of their keys.
  package var tiles: [BroughtData.Tile] = []
  /// The exploration radius in meters that decides about the grid of the cells.
  package var gridRadiusMeters = 0.0
  /// The regions that came with the source, in their order.
  package var regions: [[UInt8]] = []

  /// Creates an empty content.
  package init() {}

  /// The number of fixes, cells and regions.
  package var count: UInt64 {
    UInt64(chunks.reduce(0) { $0 + $1.count } + tiles.reduce(0) { $0 + $1.cells } + regions.count)
  }

  /// The bytes of the content: its sections. Equal contents give equal bytes.
  package var sections: [UInt8] {
    var writer = PayloadWriter()
    writer.reserve(chunks.reduce(64) { $0 + $1.payload.count + 8 })
    var body = PayloadWriter()
    body.reserve(chunks.reduce(64) { $0 + $1.payload.count + 8 })
    body.count(chunks.count)
    for chunk in chunks {
      body.count(chunk.count)
      body.blob(chunk.payload)
    }
    writer.section(.chunks, body.bytes)
    if !tiles.isEmpty {
      body = PayloadWriter()
      body.double(gridRadiusMeters)
      body.count(tiles.count)
      for tile in tiles {
        body.zigzag(tile.key)
        body.count(tile.cells)
        body.blob(tile.bits)
      }
      writer.section(.cells, body.bytes)
    }
    if !regions.isEmpty {
      body = PayloadWriter()
      body.count(regions.count)
      for region in regions { body.blob(region) }
      writer.section(.regions, body.bytes)
    }
    return writer.bytes
  }

  /// The digest of ``sections``.
  package var digest: Digest { Digest(of: sections) }
}

/// The payload of a source file: the row of a source, a piece of it, or both.
package struct SourcePayload: Hashable, Sendable {
  /// What the store's table of sources says about the source, as the engine packs it.
  package var row: [UInt8]?
  /// The content of a piece.
  package var piece: PieceContent?

  /// Creates a payload.
  ///
  /// - Precondition: there is a row or a piece.
  package init(row: [UInt8]?, piece: PieceContent?) {
    precondition(row != nil || piece != nil, "a source file is not empty")
    (self.row, self.piece) = (row, piece)
  }

  enum Section: UInt8 {
    case row = 1
    case chunks
    case cells
    case regions
  }

  /// The bytes.
  package var bytes: [UInt8] {
    var writer = PayloadWriter()
    if let row { writer.section(.row, row) }
    if let piece { writer.raw(piece.sections) }
    return writer.bytes
  }

  /// Reads a payload.
  ///
  /// - Throws: ``SyncFormatError`` for bytes that ``bytes`` never has. What chunks, bits, regions
  ///   and rows contain is not read.
  package init(bytes: [UInt8]) throws(SyncFormatError) {
    var reader = PayloadReader(bytes, part: "source")
    var last: UInt8 = 0
    var (row, piece): ([UInt8]?, PieceContent?) = (nil, nil)
    while reader.left > 0 {
      let tag = try reader.byte()
      guard let section = Section(rawValue: tag) else { throw reader.error(.unknownTag(tag)) }
      guard tag > last else { throw reader.error(.unsorted) }
      last = tag
      var body = try reader.section("\(section)")
      switch section {
      case .row: row = Array(try body.raw(body.left))
      case .chunks: piece = try PieceContent(chunks: &body)
      // A piece always has its section of chunks, though it may be empty.
      case .cells:
        guard piece != nil else { throw body.error(.notCanonical) }
        try piece?.readCells(&body)
      case .regions:
        guard piece != nil else { throw body.error(.notCanonical) }
        try piece?.readRegions(&body)
      }
      try body.finish()
    }
    guard row != nil || piece != nil else { throw reader.error(.endsEarly) }
    self.init(row: row, piece: piece)
  }
}

extension PayloadWriter {
  fileprivate mutating func section(_ section: SourcePayload.Section, _ bytes: [UInt8]) {
    byte(section.rawValue)
    blob(bytes)
  }
}

extension PieceContent {
  /// The most fixes or cells of a chunk or a tile.
  static let mostOfEach: UInt64 = 4096

  fileprivate init(chunks reader: inout PayloadReader) throws(SyncFormatError) {
    let count = try reader.count(ofAtLeast: 2)
    chunks.reserveCapacity(count)
    for _ in 0..<count {
      chunks.append(PackedFixes(count: try Self.size(from: &reader), payload: try reader.blob()))
    }
  }

  fileprivate mutating func readCells(_ reader: inout PayloadReader) throws(SyncFormatError) {
    gridRadiusMeters = try reader.double()
    guard gridRadiusMeters > 0 else { throw reader.error(.outOfRange) }
    let count = try reader.count(ofAtLeast: 3)
    guard count > 0 else { throw reader.error(.notCanonical) }
    tiles.reserveCapacity(count)
    for _ in 0..<count {
      let key = try reader.zigzag()
      if let last = tiles.last, last.key >= key { throw reader.error(.unsorted) }
      tiles.append(
        BroughtData.Tile(key: key, cells: try Self.size(from: &reader), bits: try reader.blob()))
    }
  }

  fileprivate mutating func readRegions(_ reader: inout PayloadReader) throws(SyncFormatError) {
    let count = try reader.count(ofAtLeast: 1)
    guard count > 0 else { throw reader.error(.notCanonical) }
    regions.reserveCapacity(count)
    for _ in 0..<count { regions.append(try reader.blob()) }
  }

  private static func size(from reader: inout PayloadReader) throws(SyncFormatError) -> Int {
    let size = try reader.varint()
    guard (1...mostOfEach).contains(size) else { throw reader.error(.outOfRange) }
    return Int(size)
  }
}
