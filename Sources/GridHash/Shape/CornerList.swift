/// The corners of outlines that are being traced, each with the next one along its ring. Places of
/// corners that were read off are used again.
struct CornerList: Sendable {
  private struct Entry {
    var corner: CellCorner
    var next: Int32 = -1
    /// The next corner in the list of an area, or of free places.
    var sibling: Int32 = -1
  }

  /// The entries in chunks of equal size: a single array takes three times its memory while it
  /// grows.
  private var chunks: [[Entry]] = []
  private static let chunkBits: Int32 = 14
  private static let chunkCount = 1 << 14
  private var free: Int32 = -1
  /// The other corner at a point where two cells touch.
  private var partners: [Int32: Int32] = [:]

  private subscript(_ place: Int32) -> Entry {
    get { chunks[Int(place >> Self.chunkBits)][Int(place) & (Self.chunkCount - 1)] }
    _modify { yield &chunks[Int(place >> Self.chunkBits)][Int(place) & (Self.chunkCount - 1)] }
  }

  /// Adds a corner and returns its place.
  mutating func add(_ corner: CellCorner) -> Int32 {
    if free >= 0 {
      let place = free
      free = self[place].sibling
      self[place] = Entry(corner: corner)
      return place
    }
    var last = chunks.count - 1
    if last < 0 || chunks[last].count == Self.chunkCount {
      chunks.append([])
      last += 1
      chunks[last].reserveCapacity(Self.chunkCount)
    }
    chunks[last].append(Entry(corner: corner))
    return Int32(last * Self.chunkCount + chunks[last].count - 1)
  }

  /// Sets the corner that follows along a ring.
  mutating func setNext(_ next: Int32, of place: Int32) { self[place].next = next }

  /// Sets the corner that follows in the list of an area.
  mutating func setSibling(_ next: Int32, of place: Int32) { self[place].sibling = next }

  /// Marks two corners as those of cells that touch at a point.
  mutating func setPartners(_ one: Int32, _ other: Int32) {
    partners[one] = other
    partners[other] = one
  }

  /// Reads off the rings of an area, and frees their places.
  ///
  /// - Parameter first: the first corner in the list of the area, which has one of each ring.
  mutating func outline(
    from first: Int32, _ cells: Int, _ squareMeters: Double
  ) -> CellOutline {
    var starts: [Int32] = []
    var place = first
    while place >= 0 {
      starts.append(place)
      place = self[place].sibling
    }
    var rings: [[CellCorner]] = []
    for start in starts where self[start].next >= 0 {
      read(from: start) { ring in
        rings.append(ring)
        if Self.isCounterclockwise(ring) { rings.swapAt(0, rings.count - 1) }
      }
    }
    return CellOutline(rings: rings, cells: cells, areaSquareMeters: squareMeters)
  }

  /// Reads off a ring, divided where it comes to a point twice.
  private mutating func read(from start: Int32, _ body: ([CellCorner]) -> Void) {
    var ring: [CellCorner] = []
    ring.reserveCapacity(count(from: start))
    /// Where in `ring` a corner is whose point may come again.
    var touched: [CellCorner: Int] = [:]
    var place = start
    repeat {
      let entry = self[place]
      let isTouching = !partners.isEmpty && partners[place] != nil
      if isTouching, let before = touched[entry.corner], before < ring.count,
        ring[before] == entry.corner
      {
        body(Array(ring[before...]))
        ring.removeSubrange((before + 1)...)
      } else {
        if isTouching { touched[entry.corner] = ring.count }
        ring.append(entry.corner)
      }
      remove(place)
      place = entry.next
    } while place != start
    body(ring)
  }

  /// The number of corners of a ring.
  private func count(from start: Int32) -> Int {
    var (count, place) = (1, self[start].next)
    while place != start {
      count += 1
      place = self[place].next
    }
    return count
  }

  private mutating func remove(_ place: Int32) {
    if !partners.isEmpty { partners[place] = nil }
    self[place].next = -1
    self[place].sibling = free
    free = place
  }

  private static func isCounterclockwise(_ ring: [CellCorner]) -> Bool {
    var doubled = 0
    for (place, corner) in ring.enumerated() {
      let next = ring[place + 1 == ring.count ? 0 : place + 1]
      doubled += Int(corner.x) * Int(next.y) - Int(next.x) * Int(corner.y)
    }
    return doubled > 0
  }
}
