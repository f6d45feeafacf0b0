/// The details of a cached tile's regions, in the tile's order. Names shared by several regions are
/// kept once.
struct CachedDetails: Sendable {
  /// The regions.
  let regions: [VisitedRegion]
  /// Approximate size in bytes.
  let byteCount: Int

  /// The details of no region.
  static let none = CachedDetails()

  private init() { (regions, byteCount) = ([], 0) }

  /// Creates details from the regions of a tile, in the tile's order, and the names that they
  /// share.
  init(_ regions: [VisitedRegion], names: StoredPlaces) {
    self.regions = regions
    byteCount = regions.count * MemoryLayout<VisitedRegion>.stride + names.byteCount
  }
}
