/// What is known of a page's regions beside their places, in the page's order. Names that regions
/// share are kept once.
struct CachedDetails: Sendable {
  /// The regions.
  let regions: [VisitedRegion]
  /// Bytes that it takes, roughly.
  let byteCount: Int

  /// Those of no region.
  static let none = CachedDetails([], names: PlaceNamesPool())

  /// Takes the regions of a page, in the page's order, whose names are those of a pool.
  init(_ regions: [VisitedRegion], names: PlaceNamesPool) {
    self.regions = regions
    byteCount = regions.count * MemoryLayout<VisitedRegion>.stride + names.byteCount
  }
}
