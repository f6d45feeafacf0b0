import GeoStore

/// What is left of a piece where several devices erased different things.
struct Intersection {
  /// The content.
  let content: PieceContent

  /// Intersects contents.
  ///
  /// Fixes are equal if their position and time are. Marks of flights are those of the version
  /// with the highest revision. A fix starts a segment if it does in any of them.
  ///
  /// - Precondition: there is a version.
  init(_ versions: [(version: PieceVersion, content: PieceContent)]) throws {
    let ordered = versions.sorted {
      ($0.version.revision, $1.version.digest) > ($1.version.revision, $0.version.digest)
    }
    var fixes = try ordered[0].content.fixes()
    var content = ordered[0].content
    for other in ordered.dropFirst() {
      let starts = Dictionary(
        try other.content.fixes().map { (FixKey($0), $0.startsSegment) },
        uniquingKeysWith: { $0 || $1 })
      fixes = fixes.compactMap { fix in
        guard let isStart = starts[FixKey(fix)] else { return nil }
        var fix = fix
        fix.startsSegment = fix.startsSegment || isStart
        return fix
      }
      content.regions = content.regions.filter(Set(other.content.regions).contains)
      content.tiles = try Self.tiles(content.tiles, other.content.tiles)
    }
    content.chunks = PackedFixes.pack(fixes)
    if content.tiles.isEmpty { content.gridRadiusMeters = 0 }
    self.content = content
  }

  /// The cells that are in both of two lists of tiles.
  private static func tiles(
    _ left: [BroughtData.Tile], _ right: [BroughtData.Tile]
  ) throws -> [BroughtData.Tile] {
    let others = Dictionary(
      right.map { ($0.key, $0.bits) }, uniquingKeysWith: { first, _ in first })
    return try left.compactMap { tile in
      guard let bits = others[tile.key] else { return nil }
      let both = try BroughtData.cells(inBoth: tile.bits, bits)
      guard both.cells > 0 else { return nil }
      return BroughtData.Tile(key: tile.key, cells: both.cells, bits: both.bits)
    }
  }
}
