import SQLiteLayer

/// The changes made by forgetting, rebuilding or repairing.
///
/// ```swift
/// let report = try await explorer.forget(near: here, radiusMeters: 300)
/// print("\(report.fixes) fixes deleted, \(report.after.visitedRegions) regions left")
/// ```
public struct MaintenanceReport: Hashable, Sendable {
  /// One source, before and after.
  public struct Source: Hashable, Sendable {
    /// The source before.
    public let source: StoredSource
    /// Number of its fixes in the store now.
    package let kept: Int
    /// Number of its own regions in the store now.
    package let regions: Int
    /// Number of its own cells in the store now.
    package let cells: Int
    /// Whether its row was deleted. If not, its SHA-256 is still known, and importing it again
    /// changes nothing, unless a privacy zone that cut it was removed since.
    public let isForgotten: Bool

    /// Number of kept fixes that were deleted.
    public var fixesDeleted: Int { source.kept - kept }
    /// Number of its own regions that were deleted.
    package var regionsDeleted: Int { source.regions - regions }
    /// Number of its own cells that were deleted.
    package var cellsDeleted: Int { source.cells - cells }
  }

  /// The size of the data derived from the sources.
  public struct Size: Hashable, Sendable {
    /// Number of visited regions.
    public let visitedRegions: Int
    /// Number of visits: the sum of the regions' visit counts.
    public let visits: Int
    /// Number of explored cells.
    public let cells: Int
  }

  /// The sources that changed, in the order of import.
  public let sources: [Source]
  /// The size before.
  public let before: Size
  /// The size after.
  public let after: Size
  /// Whether the deleted data is erased from the store's files. False after a dry run, if another
  /// program kept the old state open for too long, and if the call was canceled after the deletion:
  /// the next write tries again, and so does a rebuild.
  public internal(set) var isErased: Bool

  /// Number of kept fixes that were deleted.
  public var fixes: Int { sources.reduce(0) { $0 + $1.fixesDeleted } }
  /// Number of the sources' own regions that were deleted.
  public var regions: Int { sources.reduce(0) { $0 + $1.regionsDeleted } }
  /// Number of the sources' own cells that were deleted.
  public var cells: Int { sources.reduce(0) { $0 + $1.cellsDeleted } }
}

extension WriteSession {
  /// Returns the numbers of regions, visits and explored cells as of this point in the transaction.
  package func derivedSize() throws(DatabaseError) -> MaintenanceReport.Size {
    isUnchanged ? try readers.derivedSize() : try connection.derivedSize()
  }
}

extension ReaderPool {
  /// Returns the committed numbers of regions, visits and explored cells. A reader maps the file,
  /// so it counts rows faster than the writer, which copies every page.
  func derivedSize() throws(DatabaseError) -> MaintenanceReport.Size {
    try withReaderAtOnce { (reader) throws(DatabaseError) in
      try Cancellation.watching(reader) { () throws(DatabaseError) in
        try reader.readTransaction { () throws(DatabaseError) in try reader.derivedSize() }
      }
    }
  }
}

extension Connection {
  /// Returns the numbers of regions, visits and explored cells. Rows with impossible values are
  /// left out, because a rebuild is about to fix them.
  func derivedSize() throws(DatabaseError) -> MaintenanceReport.Size {
    let regions = Int(try integer("SELECT count(*) FROM regions") ?? 0)
    return MaintenanceReport.Size(
      visitedRegions: regions, visits: try visitCount(regions: regions),
      cells: try sumOfPossible("cells", in: "coverage_tiles", range: StoredRange.tileCells))
  }

  /// Returns the number of visits to all regions. If few were visited more than once and no visits
  /// are stated, only the repeat visits are counted, because reading a row of each region takes
  /// longer.
  private func visitCount(regions: Int) throws(DatabaseError) -> Int {
    let blocks = Int(try integer("SELECT count(*) FROM repeat_visits") ?? 0)
    let isStated = try integer("SELECT EXISTS (SELECT 1 FROM stated_visits)") == 1
    guard !isStated, blocks < regions / 8 else {
      return try sumOfPossible("visit_count", in: "regions", range: StoredRange.regionVisits)
    }
    // A comma separates two visits; the first visit of a region is counted with the regions.
    let more = try integer(
      """
      SELECT sum(length(visits) - length(replace(visits, ',', '')) + (block > 0))
      FROM repeat_visits
      """)
    return regions + Int(more ?? 0)
  }
}
