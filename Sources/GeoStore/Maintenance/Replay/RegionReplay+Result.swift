import Geodesy

extension RegionReplay {
  /// A stored region to delete.
  struct Replaced {
    let id: Int64
    let center: Coordinate
    let row: StoredRegions.Row
  }

  /// The changes to the regions.
  struct Result {
    /// Stored regions to delete: open ones that changed or no longer exist, except adopted ones.
    var replaced: [Replaced] = []
    /// The regions that replace them. For a region that came with a source, `storedVisits` are the
    /// visits in the store; its row stays.
    var regions: [OpenRegion] = []
    /// Positions of the fixes of the area that are not removed.
    var remaining: [Coordinate] = []
  }
}
