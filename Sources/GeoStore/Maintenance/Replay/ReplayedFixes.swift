import Geodesy

/// The fixes of an area, which grows while a replay runs.
struct ReplayedFixes {
  private var fixes: [PlacedFix] = []
  /// Indexes of the fixes that are not removed, in the order of import.
  private(set) var remaining: [Int32] = []
  /// For each fix, its slot in ``ChangingBlocks``.
  private(set) var slots: [UInt32] = []
  /// For each position with fixes, the index of the one that was imported first.
  private var firstAt = NumberTable()
  /// For each fix, whether it has made a region in any pass.
  private var isMaker: [Bool] = []
  /// The times and indexes of the fixes that have a time, in order of time: of the first fixes, as
  /// many as were needed so far.
  private var byTime: [(time: Timestamp, index: Int32)] = []
  /// The number of these first fixes, with a time or not.
  private var datedCount = 0
  private let grid: BlockGrid

  /// No fixes.
  ///
  /// - Parameter grid: that of the ``ChangingBlocks``.
  init(grid: BlockGrid) { self.grid = grid }

  /// The indexes of all fixes, in no particular order. A fix keeps its index.
  var indices: Range<Int> { fixes.indices }

  subscript(index: Int) -> PlacedFix { fixes[index] }

  /// Adds fixes that are in the order of import, and returns their indexes.
  ///
  /// - Complexity: O(all fixes), a few nanoseconds for each.
  mutating func add(_ added: [PlacedFix]) -> Range<Int> {
    let first = fixes.count
    fixes += added
    isMaker.append(contentsOf: repeatElement(false, count: added.count))
    slots.reserveCapacity(fixes.count)
    for index in first..<fixes.count {
      let (position, order) = (fixes[index].coordinate, fixes[index].order)
      slots.append(ChangingBlocks.slot(of: position, in: grid))
      let key = Self.key(of: position)
      if let other = firstAt[key], fixes[Int(other)].order < order { continue }
      firstAt.replace(key, with: Int32(index))
    }
    merge((first..<fixes.count).lazy.filter { [fixes] in !fixes[$0].isRemoved }.map(Int32.init))
    return first..<fixes.count
  }

  /// Notes that a fix has made a region. Returns false if that was known.
  mutating func noteMaker(_ index: Int) -> Bool {
    defer { isMaker[index] = true }
    return !isMaker[index]
  }

  /// Merges indexes in the order of import into ``remaining``.
  private mutating func merge(_ added: some Sequence<Int32>) {
    var merged: [Int32] = []
    merged.reserveCapacity(fixes.count)
    var place = 0
    for index in added {
      let order = fixes[Int(index)].order
      while place < remaining.count, fixes[Int(remaining[place])].order < order {
        merged.append(remaining[place])
        place += 1
      }
      merged.append(index)
    }
    merged += remaining[place...]
    remaining = merged
  }

  /// Returns the times and indexes of the fixes in a range of time, in order of time.
  ///
  /// - Complexity: O(log fixes); once after each ``add(_:)``, O(fixes) and O(added × log added).
  mutating func dated(
    in times: ClosedRange<Timestamp>
  ) -> ArraySlice<(time: Timestamp, index: Int32)> {
    if datedCount < fixes.count { sortAdded() }
    let start = byTime.partitioningIndex { $0.time >= times.lowerBound }
    return byTime[start...].prefix { $0.time <= times.upperBound }
  }

  /// Merges the fixes that were added since into ``byTime``.
  private mutating func sortAdded() {
    var added: [(time: Timestamp, index: Int32)] = []
    for index in datedCount..<fixes.count {
      if let time = fixes[index].time { added.append((time, Int32(index))) }
    }
    added.sort { $0.time < $1.time }
    datedCount = fixes.count
    var merged: [(time: Timestamp, index: Int32)] = []
    merged.reserveCapacity(byTime.count + added.count)
    var place = 0
    for entry in added {
      while place < byTime.count, byTime[place].time <= entry.time {
        merged.append(byTime[place])
        place += 1
      }
      merged.append(entry)
    }
    merged += byTime[place...]
    byTime = merged
  }

  /// Returns the index of the first imported fix at a position; nil if there is none.
  func first(at position: Coordinate) -> Int? { firstAt[Self.key(of: position)].map { Int($0) } }

  private static func key(of position: Coordinate) -> Int64 {
    Int64(position.latitudeE7) << 32 | Int64(UInt32(bitPattern: position.longitudeE7))
  }
}

/// For some fixes, the stored regions near them, in one array.
struct NeighborLists {
  private var regions: [Int32] = []
  /// For each fix, the place in `regions` of the number of its regions, which follow; negative if
  /// they were not added.
  private var starts: [Int32] = []

  /// The region at a place.
  subscript(place: Int) -> Int { Int(regions[place]) }

  /// Returns the places of a fix's regions; nil if they were not added.
  func range(of fix: Int) -> Range<Int>? {
    guard fix < starts.count, starts[fix] >= 0 else { return nil }
    let start = Int(starts[fix])
    return start + 1..<start + 1 + Int(regions[start])
  }

  /// Adds a fix's regions, and returns their places.
  mutating func add(_ found: [Int], of fix: Int) -> Range<Int> {
    if starts.count <= fix {
      starts.append(contentsOf: repeatElement(-1, count: fix + 1 - starts.count))
    }
    let start = regions.count
    starts[fix] = Int32(start)
    regions.append(Int32(found.count))
    for region in found { regions.append(Int32(region)) }
    return start + 1..<regions.count
  }
}
