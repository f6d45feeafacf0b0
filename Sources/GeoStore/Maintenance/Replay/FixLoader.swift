import Geodesy
import SQLiteLayer

/// Reads the fixes that are about to be removed, and those near them.
///
/// The latitudes of all kept fixes are read once at first; later only chunks near the requested
/// area.
final class FixLoader {
  private let connection: Connection
  private let removed: RemovedFixes
  private var index: ChunkIndex
  /// Maximum number of fixes to read.
  private let limit: Int
  /// Whether fixes in flight explore like others; otherwise they are not read.
  private let flightsExplore: Bool
  /// The area around the fixes that are about to be removed.
  private(set) var area: FixArea
  /// Number of all kept fixes.
  private(set) var keptCount = 0
  /// Positions of the fixes that are about to be removed, in flight or not; incomplete if there are
  /// too many.
  private(set) var removedPositions: [Coordinate] = []
  /// The chunks that contain them.
  private(set) var removedChunks: Set<Int64> = []
  /// Number of fixes read so far.
  private var readCount = 0
  /// Positions that came with sources; nil until they are requested.
  private var brought: [PlacedFix]?
  /// The chunks read most recently.
  private var known: [Int: [KeptFix]] = [:]
  /// Maximum number of chunks in memory, 130 kB each.
  private static let knownCapacity = 64
  /// Number of bits of the index of a fix in its chunk, which has at most 4,096 fixes.
  private static let indexBits = 16

  /// Reads the latitudes of all kept fixes, and the positions of those that may be removed.
  ///
  /// - Parameters:
  ///   - reachMeters: the distance from a removed fix within which others are read first.
  ///   - limit: the maximum number of fixes to read.
  ///   - flightsExplore: whether fixes in flight explore like others.
  /// - Throws: ``DatabaseError/damaged(path:detail:cause:)`` for a chunk whose latitudes, or
  ///   positions that may be removed, cannot be read.
  /// - Complexity: O(kept fixes), for reading the latitudes of all.
  init(
    _ connection: Connection, removing removed: RemovedFixes, reachMeters: Double,
    atMost limit: Int, flightsExplore: Bool
  ) throws(DatabaseError) {
    self.connection = connection
    self.removed = removed
    self.limit = limit
    self.flightsExplore = flightsExplore
    area = FixArea(reachMeters: reachMeters)
    index = ChunkIndex(grid: area.grid)
    let meter = WorkMeter.current
    meter?.begin(
      .searching, of: Int(try connection.integer("SELECT count(*) FROM kept_fixes") ?? 0))
    let select = try Statement(
      "SELECT id, source_id, payload FROM kept_fixes ORDER BY id", on: connection)
    var positions: [Coordinate] = []
    while try select.step() {
      meter?.add(1)
      let id = try select.rowID(at: 0, of: "kept_fixes")
      let source = try select.int64(at: 1, in: StoredRange.rowID, of: "kept_fixes, row \(id)")
      try select.withBytes(at: 2) { (bytes) throws(DatabaseError) in
        let found = try connection.decoding(chunk: id) { () throws(PackedBytesError) in
          let (count, latitudes) = try FixChunk.decodeLatitudes(bytes)
          guard let latitudes else { return false }
          keptCount += count
          index.add(id, source: source, latitudesE7: latitudes)
          guard removed.mayConcern(chunk: id, source: source, latitudes) else { return false }
          try FixChunk.decodeCoordinates(bytes, into: &positions)
          return true
        }
        if found { collectRemoved(positions, chunk: id, source: source) }
      }
    }
    guard !isBeyondLimit else { return }
    for position in removedPositions {
      area.insert(circleAround: position, radiusMeters: reachMeters)
    }
  }

  /// Whether rebuilding everything is faster, because too many fixes are removed.
  var isBeyondLimit: Bool { removedPositions.count > limit }

  /// Maximum number of fixes to read: all of a small store, otherwise a quarter.
  private var readLimit: Int { min(limit, max(Self.smallStore, keptCount / 4)) }

  private static let smallStore = 50_000

  /// Collects what is removed from the chunk that was added to the index last.
  private func collectRemoved(_ positions: [Coordinate], chunk: Int64, source: Int64) {
    // Beyond the limit, neither the positions nor the index are needed.
    if !isBeyondLimit { index.addBlocks(ofChunk: index.chunks.count - 1, positions: positions) }
    let found = removed.positions(among: positions, ofSource: source)
    guard !found.isEmpty else { return }
    removedChunks.insert(chunk)
    if !isBeyondLimit { removedPositions += found }
  }

  /// Returns the fixes of what was added to an area since the last call, in the order of import;
  /// nil if there are too many in all.
  ///
  /// - Complexity: O(fixes of the chunks that have some in the added part of the area).
  func load(_ area: inout FixArea) throws(DatabaseError) -> [PlacedFix]? {
    let blocks = area.takeAdded()
    var isNew = NumberTable()
    for block in blocks { isNew.replace(block, with: 0) }
    try indexChunks(near: blocks)
    var fixes = try broughtPositions().filter { isNew[area.grid.key(of: $0.coordinate)] != nil }
    for chunk in index.chunks(inBlocks: blocks) {
      let source = index.chunks[chunk].source
      for (place, fix) in try keptFixes(ofChunk: chunk).enumerated()
      where explores(fix) && isNew[area.grid.key(of: fix.coordinate)] != nil {
        fixes.append(
          PlacedFix(
            order: Int64(chunk) << Self.indexBits | Int64(place), coordinate: fix.coordinate,
            time: fix.time, accuracyMeters: fix.accuracyMeters, source: source,
            isRemoved: removed.contains(fix, ofSource: source, chunk: index.chunks[chunk].id)))
      }
      if readCount + fixes.count > readLimit { return nil }
    }
    readCount += fixes.count
    return fixes
  }

  /// Adds circles to an area around the fixes that follow some others in their sources, up to the
  /// first one that is not near the one before.
  ///
  /// - Parameters:
  ///   - orders: the places of fixes in the order of import. Positions that came with sources have
  ///     no track, and are ignored.
  ///   - count: how many fixes follow each.
  ///   - radiusMeters: the radius of the circles, within which the next fix is near.
  /// - Complexity: O(fixes of their chunks + orders), and O(1) for each that follows.
  func extend(
    _ area: inout FixArea, along orders: [Int64], count: Int, radiusMeters: Double
  ) throws(DatabaseError) {
    // For each source, the place of the last fix that was reached.
    var ends: [Int64: Int64] = [:]
    for order in orders.sorted() where order >= 0 {
      let source = index.chunks[Int(order >> Self.indexBits)].source
      // What follows an earlier fix of the source was added; more may follow this one. (Across
      // chunks, `end - order` exceeds every count, and nothing is added again.)
      var place = order
      var left = count
      if let end = ends[source], end > order {
        place = end
        left -= Int(clamping: end - order)
      }
      guard left > 0 else { continue }
      ends[source] = try follow(place, count: left, in: &area, radiusMeters: radiusMeters)
    }
  }

  /// Adds circles around the fixes that follow one. Returns the place of the last.
  private func follow(
    _ order: Int64, count: Int, in area: inout FixArea, radiusMeters: Double
  ) throws(DatabaseError) -> Int64 {
    let chunk = Int(order >> Self.indexBits)
    var (next, first) = (Optional(chunk), Int(order & (1 << Self.indexBits - 1)))
    var (left, end) = (count, order)
    var before: Coordinate?
    while left > 0, let chunk = next {
      guard let fixes = try readableFixes(ofChunk: chunk) else { return end }
      for place in first..<max(first, fixes.count) {
        let position = fixes[place].coordinate
        if let before {
          guard left > 0, position.distanceMeters(to: before) <= radiusMeters else { return end }
          left -= 1
          end = Int64(chunk) << Self.indexBits | Int64(place)
          if explores(fixes[place]) {
            area.insert(circleAround: position, radiusMeters: radiusMeters)
          }
        }
        before = position
      }
      (next, first) = (index.chunk(following: chunk), 0)
    }
    return end
  }

  /// Returns the fixes of a chunk; nil if they are damaged, which only matters if they are needed.
  private func readableFixes(ofChunk chunk: Int) throws(DatabaseError) -> [KeptFix]? {
    do {
      return try keptFixes(ofChunk: chunk)
    } catch {
      guard error.isDamage else { throw error }
      return nil
    }
  }

  /// Adds the blocks of the chunks that may have fixes in some blocks.
  private func indexChunks(near blocks: [Int64]) throws(DatabaseError) {
    var positions: [Coordinate] = []
    for chunk in index.unindexedChunks(near: blocks) {
      try connection.readPositions(inChunk: index.chunks[chunk].id, into: &positions)
      index.addBlocks(ofChunk: chunk, positions: positions)
    }
  }

  private func explores(_ fix: KeptFix) -> Bool { flightsExplore || !fix.isInFlight }

  /// Returns the fixes of a chunk. Chunks are cached, because those of a track are requested
  /// repeatedly.
  private func keptFixes(ofChunk chunk: Int) throws(DatabaseError) -> [KeptFix] {
    if let fixes = known[chunk] { return fixes }
    let fixes = try connection.keptFixes(inChunk: index.chunks[chunk].id)
    if known.count == Self.knownCapacity { known.removeAll(keepingCapacity: true) }
    known[chunk] = fixes
    return fixes
  }

  private func broughtPositions() throws(DatabaseError) -> [PlacedFix] {
    if let brought { return brought }
    var found: [PlacedFix] = []
    try connection.forEachSourceRegion(where: "visit_count IS NULL") { (region, source) in
      found.append(
        PlacedFix(
          order: Int64(found.count) - Int64.max, coordinate: region.center, time: nil,
          accuracyMeters: region.asFix.accuracyMeters, source: source, isRemoved: false))
    }
    brought = found
    return found
  }
}
