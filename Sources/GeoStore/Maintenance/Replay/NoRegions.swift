import Geodesy

/// A source without stored regions.
struct NoRegions: RegionSource {
  func appendRegions(in cell: Geohash, to found: inout [(id: Int64, center: Coordinate)]) {}
}
