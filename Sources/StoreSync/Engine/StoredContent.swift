import ByteStreams
import GeoStore
import SQLiteLayer

/// What the store has of a piece.
struct StoredContent {
  /// Its fixes as the store packs them.
  private(set) var packed: [PackedFixes] = []
  /// What came with the source without fixes.
  private(set) var brought = BroughtData()
  private let gridRadiusMeters: Double

  /// Reads a piece.
  init(
    _ chunks: ClosedRange<Int64>?, number: Int, ofSource id: Int64, in history: HistoryReader
  ) throws {
    if let chunks { packed = try history.packedFixes(chunks, ofSource: id) }
    if number == 0 { brought = try history.broughtData(ofSource: id) }
    gridRadiusMeters = history.settings[.explorationRadiusMeters]
  }

  /// The digest of what the store has as packed there.
  var stored: Digest {
    var hash = SHA256()
    for part in packed { part.payload.withUnsafeBytes { hash.update($0) } }
    if !brought.isEmpty { content([]).sections.withUnsafeBytes { hash.update($0) } }
    return Digest(bytes: hash.finalize().prefix(Digest.byteCount)) ?? Digest(high: 0, low: 0)
  }

  /// The number of its fixes, cells and regions.
  var count: UInt64 {
    UInt64(
      packed.reduce(0) { $0 + $1.count } + brought.tiles.reduce(0) { $0 + $1.cells }
        + brought.regions.count)
  }

  /// The fixes.
  func fixes() throws -> [KeptFix] { try packed.flatMap { try $0.fixes() } }

  /// The content, packed as on all devices.
  func content() throws -> PieceContent {
    // Full chunks are packed the same way everywhere.
    let isFull = packed.dropLast().allSatisfy { $0.count == PackedFixes.mostFixes }
    return content(isFull ? packed : PackedFixes.pack(try fixes()))
  }

  private func content(_ packed: [PackedFixes]) -> PieceContent {
    var content = PieceContent()
    (content.chunks, content.tiles) = (packed, brought.tiles)
    if !content.tiles.isEmpty { content.gridRadiusMeters = gridRadiusMeters }
    content.regions = brought.regions.map { RowContent.bytes(of: $0) }
    return content
  }
}

extension PieceContent {
  /// The fixes.
  func fixes() throws -> [KeptFix] { try chunks.flatMap { try $0.fixes() } }

  /// What came without fixes.
  func brought() throws(SyncFormatError) -> BroughtData {
    var data = BroughtData()
    data.tiles = tiles
    for region in regions {
      let values = try RowContent.values(region)
      guard values.count == BroughtData.regionColumnCount else {
        throw SyncFormatError(.outOfRange, in: "regions", at: 0)
      }
      data.regions.append(values)
    }
    return data
  }
}
