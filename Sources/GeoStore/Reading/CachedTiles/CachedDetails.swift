/// What is known of a page's regions beside their places, in the page's order. Names that regions
/// share are kept once.
struct CachedDetails: Sendable {
  /// The regions.
  let regions: [VisitedRegion]
  /// Bytes that it takes, roughly.
  let byteCount: Int

  /// Those of no region.
  static let none = CachedDetails()

  private init() { (regions, byteCount) = ([], 0) }

  /// Takes the regions of a page, in the page's order, and the names that they share.
  init(_ regions: [VisitedRegion], names: StoredPlaces) {
    self.regions = regions
    byteCount = regions.count * MemoryLayout<VisitedRegion>.stride + names.byteCount
  }
}
