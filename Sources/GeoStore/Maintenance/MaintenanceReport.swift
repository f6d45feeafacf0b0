import SQLiteLayer

/// What forgetting, rebuilding or repairing changed.
///
/// ```swift
/// let report = try await explorer.forget(near: here, radiusMeters: 300)
/// print("\(report.fixes) fixes deleted, \(report.after.visitedRegions) regions left")
/// ```
public struct MaintenanceReport: Hashable, Sendable {
  /// One source, before and after.
  public struct Source: Hashable, Sendable {
    /// As it was before.
    public let source: StoredSource
    /// Its fixes that are in the store now.
    public let kept: Int
    /// Its own regions that are in the store now.
    public let regions: Int
    /// Its own cells that are in the store now.
    public let cells: Int
    /// Whether its row is gone. Else its bytes are known still, and importing them again changes
    /// nothing.
    public let isForgotten: Bool

    /// Kept fixes that were taken out.
    public var fixesDeleted: Int { source.kept - kept }
    /// Regions of its own that were taken out.
    public var regionsDeleted: Int { source.regions - regions }
    /// Cells of its own that were taken out.
    public var cellsDeleted: Int { source.cells - cells }
  }

  /// What is derived from the sources.
  public struct Size: Hashable, Sendable {
    /// Visited regions.
    public let visitedRegions: Int
    /// Visits: the sum of the regions' visit counts.
    public let visits: Int
    /// Explored cells.
    public let cells: Int
  }

  /// The sources that were touched, in the order of import.
  public let sources: [Source]
  /// The store before.
  public let before: Size
  /// The store after.
  public let after: Size
  /// Whether the store's files hold nothing of it any more. False after a dry run, and where
  /// another program kept the old state open for too long: whoever writes next tries again, and a
  /// rebuild does.
  public internal(set) var isErased: Bool

  /// Kept fixes that were taken out.
  public var fixes: Int { sources.reduce(0) { $0 + $1.fixesDeleted } }
  /// Regions of sources' own that were taken out.
  public var regions: Int { sources.reduce(0) { $0 + $1.regionsDeleted } }
  /// Cells of sources' own that were taken out.
  public var cells: Int { sources.reduce(0) { $0 + $1.cellsDeleted } }
}

extension WriteSession {
  /// The numbers of regions, visits and explored cells as they stand in this transaction.
  package func derivedSize() throws(DatabaseError) -> MaintenanceReport.Size {
    try connection.derivedSize()
  }
}

extension Connection {
  /// The numbers of regions, visits and explored cells. Rows that cannot be right are left out: a
  /// rebuild is about to mend them.
  func derivedSize() throws(DatabaseError) -> MaintenanceReport.Size {
    let regions = Int(try integer("SELECT count(*) FROM regions") ?? 0)
    return MaintenanceReport.Size(
      visitedRegions: regions, visits: try visitCount(regions: regions),
      cells: try sumOfPossible("cells", in: "coverage_tiles", range: StoredRange.tileCells))
  }

  /// The visits to so many regions. Where few were visited more than once, and nothing is stated of
  /// visits that are not known, those are counted: a row of each region takes longer to read.
  private func visitCount(regions: Int) throws(DatabaseError) -> Int {
    let blocks = Int(try integer("SELECT count(*) FROM repeat_visits") ?? 0)
    let isStated = try integer("SELECT EXISTS (SELECT 1 FROM stated_visits)") == 1
    guard !isStated, blocks < regions / 8 else {
      return try sumOfPossible("visit_count", in: "regions", range: StoredRange.regionVisits)
    }
    // A comma stands between two visits; the first of a region is counted with the regions.
    let more = try integer(
      """
      SELECT sum(length(visits) - length(replace(visits, ',', '')) + (block > 0))
      FROM repeat_visits
      """)
    return regions + Int(more ?? 0)
  }
}
