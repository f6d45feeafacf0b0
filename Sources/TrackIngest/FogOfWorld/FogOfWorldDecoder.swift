import ByteStreams
import Geodesy

/// Decodes a tile of Fog of World: reports blocks of explored pixels, and no fixes.
///
/// A tile is a zlib stream of a table (``FogOfWorldTable``) and blocks. A block has 64 × 64 bits,
/// row by row from the northwest with the westernmost pixel in the most significant bit, and three
/// bytes with the letters of a country and the number of its pixels. `docs/formats/fog-of-world.md`
/// lists the rules.
///
/// - Complexity: O(bytes), and O(8.5 MB) whatever the file expands to.
/// - Memory: the table, one block and the state of zlib: under 512 KiB.
package struct FogOfWorldDecoder: TrackDecoder {
  private static let bitmapBytes = 512
  private static let blockBytes = 515
  /// The size of a tile with all blocks.
  private static let mostBytes = FogOfWorldTable.byteCount + 128 * 128 * blockBytes

  /// The place of the tile; nil if its name does not say it.
  private let name: FogOfWorldName?
  private let isSummary: Bool
  /// Created with the first bytes, so that copies of a new decoder are independent.
  private var stream: ZlibStream?
  private var table: FogOfWorldTable?
  /// The bytes of the table, or of the next block, so far.
  private var part: [UInt8] = []
  /// The number of blocks read.
  private var blocksRead = 0
  /// The number of blocks that state another number of pixels than they have.
  private var wrongCounts = 0
  private var hasJunk = false
  private var expandedBytes = 0
  private var failure: IngestError?

  /// Creates a decoder at the start of a tile.
  ///
  /// - Parameter path: the path of the file; its last part is the name.
  package init(path: String) {
    name = FogOfWorldName(path: path)
    isSummary = FogOfWorldName.isSummary(path: path)
    failure = refusalByName
  }

  /// Decodes the next bytes of the tile. They are only used during the call.
  package mutating func decode(_ bytes: UnsafeRawBufferPointer, into sink: inout some TrackSink) {
    guard failure == nil, let name else { return }
    let stream = self.stream ?? ZlibStream()
    self.stream = stream
    stream.read(bytes) { piece in
      take(piece, of: name, into: &sink)
      expandedBytes += piece.count
      // Bytes behind the last block are only expanded to check the checksum at their end.
      return failure == nil && expandedBytes <= Self.mostBytes
    }
  }

  /// Ends the tile.
  ///
  /// - Returns: nil if the tile has a complete block; otherwise the reason to refuse it.
  package mutating func finish(into sink: inout some TrackSink) -> IngestError? {
    if let failure { return failure }
    if case .failed(let error) = stream?.state { return IngestError(error) }
    guard let table else {
      return IngestError(
        code: .malformed, message: "It ends before the table of its blocks is complete.")
    }
    let count = table.places.count
    if count == 0 {
      return IngestError(code: .empty, message: "It is a tile of Fog of World without blocks.")
    }
    if blocksRead == 0 {
      return IngestError(
        code: .malformed, message: "It ends before its first block is complete.")
    }
    // Where no checksum shows that the bytes are right, the numbers of pixels must.
    if stream?.state != .ended, wrongCounts > 0 {
      return IngestError(
        code: .malformed,
        message: "It is damaged: it has no end, and its blocks have other pixels than they state.")
    }
    if let name, !name.hasRightPrefix {
      sink.warn(
        .malformed, line: nil,
        "The first four characters of the name do not match its other characters, which were used.")
    }
    if blocksRead < count {
      let (blocks, all) = (GroupedNumber.text(blocksRead), GroupedNumber.text(count))
      sink.warn(.truncated, line: nil, "The tile ends after \(blocks) of \(all) blocks.")
    } else if stream?.state == .open {
      sink.warn(.truncated, line: nil, "The tile ends before its checksum.")
    }
    if wrongCounts > 0 {
      let wrong = wrongCounts
      sink.warn(
        .malformed, line: nil,
        (wrong == 1 ? "A block states" : "\(GroupedNumber.text(wrong)) blocks state")
          + " another number of pixels than \(wrong == 1 ? "it has" : "they have"); "
          + "the pixels were read.")
    }
    if hasJunk || stream?.hasJunk == true {
      sink.warn(.trailingJunk, line: nil, "Bytes follow the last block; they were ignored.")
    }
    return nil
  }

  /// The reason to refuse a tile because of its name.
  private var refusalByName: IngestError? {
    if isSummary {
      return IngestError(
        code: .unknownFormat,
        message: "It is a summary in a snapshot of Fog of World; import the snapshot itself.")
    }
    guard let name else {
      return IngestError(
        code: .unknownFormat,
        message: "It is a tile of Fog of World, and only the name that it has in the Sync folder "
          + "says where it lies; restore that name.")
    }
    guard name.isOnMap else {
      return IngestError(
        code: .malformed, message: "It is a tile of Fog of World whose name is not on the map.")
    }
    return nil
  }

  /// Takes expanded bytes.
  private mutating func take(
    _ bytes: UnsafeRawBufferPointer, of name: FogOfWorldName, into sink: inout some TrackSink
  ) {
    var position = 0
    while position < bytes.count {
      guard let table else {
        fill(to: FogOfWorldTable.byteCount, from: bytes, &position)
        guard part.count == FogOfWorldTable.byteCount else { return }
        do { self.table = try FogOfWorldTable(part) } catch {
          failure = error
          return
        }
        part.removeAll(keepingCapacity: true)
        continue
      }
      guard blocksRead < table.places.count else {
        hasJunk = true
        return
      }
      fill(to: Self.blockBytes, from: bytes, &position)
      guard part.count == Self.blockBytes else { return }
      if let place = table.places[blocksRead] { report(place, of: name, to: &sink) }
      blocksRead += 1
      part.removeAll(keepingCapacity: true)
    }
  }

  /// Adds bytes to the current part until it has `count`.
  private mutating func fill(
    to count: Int, from bytes: UnsafeRawBufferPointer, _ position: inout Int
  ) {
    let end = min(bytes.count, position + count - part.count)
    part.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[position..<end]))
    position = end
  }

  /// Reports the block in ``part``.
  private mutating func report(
    _ place: Int, of name: FogOfWorldName, to sink: inout some TrackSink
  ) {
    let rows = (0..<PixelBlock.width).map { row in
      part[8 * row..<8 * row + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    let (tileRow, tileColumn) = name.number.quotientAndRemainder(
      dividingBy: FogOfWorldName.tilesAcrossWorld)
    let (row, column) = place.quotientAndRemainder(dividingBy: FogOfWorldTable.width)
    let block = PixelBlock(
      column: tileColumn * FogOfWorldTable.width + column,
      row: tileRow * FogOfWorldTable.width + row, rows: rows)
    // The last 14 bits are twice the number of pixels, and one.
    let stated = Int(part[Self.bitmapBytes + 1] & 0x3F) << 8 | Int(part[Self.bitmapBytes + 2])
    let count = block.count
    if stated >> 1 != count { wrongCounts += 1 }
    if count > 0 { sink.explore(block) }
  }
}
