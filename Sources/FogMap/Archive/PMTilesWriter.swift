import ByteStreams

/// What is in an archive of tiles.
package enum TileFormat: String, Hashable, Sendable {
  /// Pictures.
  case png
  /// Mapbox vector tiles, compressed with gzip in archives.
  case mvt
}

/// Makes an archive of tiles: PMTiles 3, clustered, with directories compressed by gzip.
///
/// The archive begins with its directories, which are known only at the end. So the writer passes
/// the tiles on as they come, each content once, and returns what precedes them when it ends.
///
/// ```swift
/// var tiles: [UInt8] = []
/// var writer = PMTilesWriter(.png, zooms: 0...1)
/// writer.append(bytes, number: 0, count: 1) { tiles += $0 }
/// let archive = try writer.finish(metadata: "{}", bounds: .world) + tiles
/// ```
///
/// - Memory: 32 bytes for each entry, and about 64 for each content.
/// - Source: PMTiles Specification 3.
package struct PMTilesWriter {
  /// The corners of the map's data in units of 1e-7 degree, and what a map shows first.
  package struct Bounds: Hashable, Sendable {
    /// West, south, east and north.
    package var west, south, east, north: Int32
    /// The place that a map shows first: the middle of the bounds.
    package private(set) var longitude, latitude: Int32
    /// The zoom at which it does so.
    package var zoom: Int

    /// Creates bounds.
    package init(west: Int32, south: Int32, east: Int32, north: Int32, zoom: Int) {
      (self.west, self.south, self.east, self.north) = (west, south, east, north)
      longitude = Int32((Int(west) + Int(east)) / 2)
      latitude = Int32((Int(south) + Int(north)) / 2)
      self.zoom = zoom
    }

    /// The world, of which the same place is shown first.
    package var widened: Bounds {
      var world = Self.world
      (world.longitude, world.latitude, world.zoom) = (longitude, latitude, zoom)
      return world
    }

    /// The map of the world.
    package static let world = Bounds(
      west: -1_800_000_000, south: -850_511_287, east: 1_800_000_000, north: 850_511_287, zoom: 0)
  }

  private struct Entry {
    let number: UInt64
    var offset: UInt64
    var bytes: UInt64
    var run: UInt64
  }

  private struct Digest: Hashable {
    let high: UInt64
    let low: UInt64
  }

  private let format: TileFormat
  private let zooms: ClosedRange<Int>
  private var entries: [Entry] = []
  private var contents: [Digest: (offset: UInt64, bytes: UInt64)] = [:]
  private var dataBytes: UInt64 = 0
  private var tileCount: UInt64 = 0

  private static let headBytes = 127
  /// A reader fetches so much at first; the root directory must be within it.
  private static let firstBytes = 16_384

  /// Starts an archive.
  package init(_ format: TileFormat, zooms: ClosedRange<Int>) {
    (self.format, self.zooms) = (format, zooms)
  }

  /// The number that follows the last tile's; 0 before the first one.
  package var nextNumber: UInt64 { entries.last.map { $0.number + $0.run } ?? 0 }

  /// Appends tiles with consecutive numbers and the same content.
  ///
  /// - Parameter data: receives the content if no tile before has it.
  /// - Precondition: the numbers ascend (``nextNumber``), and the content is not empty.
  package mutating func append(
    _ content: [UInt8], number: UInt64, count: UInt64, to data: ([UInt8]) -> Void
  ) {
    precondition(number >= nextNumber && count > 0 && !content.isEmpty, "tiles out of order")
    tileCount += count
    let digest = Self.digest(content)
    let place = contents[digest] ?? (dataBytes, UInt64(content.count))
    if place.offset == dataBytes {
      contents[digest] = place
      dataBytes += place.bytes
      data(content)
    }
    if let last = entries.last, last.offset == place.offset, last.number + last.run == number {
      entries[entries.count - 1].run += count
    } else {
      entries.append(
        Entry(number: number, offset: place.offset, bytes: place.bytes, run: count))
    }
  }

  /// The bytes before the tiles: header, root directory, metadata and leaf directories.
  ///
  /// - Parameter metadata: a JSON object.
  /// - Throws: ``StreamError`` if there is not enough memory to compress.
  package func finish(metadata: String, bounds: Bounds) throws(StreamError) -> [UInt8] {
    let gzip = try DeflateStream(.gzip, level: 9)
    let (root, leaves) = directories(gzip)
    let details = gzip.compress(Array(metadata.utf8))
    var head = Array("PMTiles".utf8) + [3]
    var offset = UInt64(Self.headBytes)
    for bytes in [root.count, details.count, leaves.count, Int(dataBytes)] {
      head += Self.number(offset) + Self.number(UInt64(bytes))
      offset += UInt64(bytes)
    }
    head += Self.number(tileCount) + Self.number(UInt64(entries.count))
    head += Self.number(UInt64(contents.count))
    // Clustered; directories compressed by gzip; tiles by gzip or not; what they are.
    head += format == .mvt ? [1, 2, 2, 1] : [1, 2, 1, 2]
    head += [UInt8(zooms.lowerBound), UInt8(zooms.upperBound)]
    head += Self.degrees(bounds.west) + Self.degrees(bounds.south)
    head += Self.degrees(bounds.east) + Self.degrees(bounds.north)
    head.append(UInt8(max(zooms.lowerBound, min(zooms.upperBound, bounds.zoom))))
    head += Self.degrees(bounds.longitude) + Self.degrees(bounds.latitude)
    return head + root + details + leaves
  }

  /// The root directory, and the leaf directories that it lists, if they are too many entries for
  /// it.
  private func directories(_ gzip: DeflateStream) -> (root: [UInt8], leaves: [UInt8]) {
    let room = Self.firstBytes - Self.headBytes
    let whole = gzip.compress(Self.directory(entries[...]))
    if whole.count <= room { return (whole, []) }
    var leafEntries = 4_096
    while true {
      var (list, leaves): ([Entry], [UInt8]) = ([], [])
      for start in stride(from: 0, to: entries.count, by: leafEntries) {
        let part = entries[start..<min(start + leafEntries, entries.count)]
        let leaf = gzip.compress(Self.directory(part))
        list.append(
          Entry(
            number: part[start].number, offset: UInt64(leaves.count), bytes: UInt64(leaf.count),
            run: 0))
        leaves += leaf
      }
      let root = gzip.compress(Self.directory(list[...]))
      if root.count <= room { return (root, leaves) }
      leafEntries *= 2
    }
  }

  private static func directory(_ entries: ArraySlice<Entry>) -> [UInt8] {
    var writer = ProtobufWriter()
    writer.append(UInt64(entries.count))
    var last: UInt64 = 0
    for entry in entries {
      writer.append(entry.number - last)
      last = entry.number
    }
    for entry in entries { writer.append(entry.run) }
    for entry in entries { writer.append(entry.bytes) }
    // 0 for an entry that follows the one before, otherwise the offset plus 1.
    var end: UInt64?
    for entry in entries {
      writer.append(entry.offset == end ? 0 : entry.offset + 1)
      end = entry.offset + entry.bytes
    }
    return writer.bytes
  }

  private static func digest(_ content: [UInt8]) -> Digest {
    var hash = SHA256()
    content.withUnsafeBytes { hash.update($0) }
    let bytes = hash.finalize()
    func word(_ at: Int) -> UInt64 { bytes[at..<at + 8].reduce(0) { $0 << 8 | UInt64($1) } }
    return Digest(high: word(0), low: word(8))
  }

  private static func number(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }

  private static func degrees(_ value: Int32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> Int32(8 * $0)) }
  }
}
