import GeoStore
import Geodesy
import GridHash

/// The ground that a map hides around some zones.
///
/// A hole in the shape of the zone would show its center. So a zone hides whole blocks of a lattice
/// that is the same for all maps: a block is at least as long as the zone's radius, and every block
/// is hidden that touches the zone, widened by the reach of a fix. The outline shows only in which
/// block the center lies, and the outlines of several maps show no more than one.
struct HiddenGround: Sendable {
  private let boxes: [(box: BoundingBox, cells: CellBox)]

  /// The ground that a map of a store hides.
  init(_ zones: [PrivacyZone], _ settings: StoreSettings) {
    self.init(
      zones, grid: settings.grid, clusteringRadiusMeters: settings.clusteringRadiusMeters)
  }

  /// - Parameter clusteringRadiusMeters: how far from its center a region counts fixes. The times
  ///   of a region that counts fixes of a zone must not be shown.
  init(_ zones: [PrivacyZone], grid: Grid, clusteringRadiusMeters: Double = 0) {
    let reach = max(2 * grid.explorationRadiusMeters, clusteringRadiusMeters)
    boxes = zones.flatMap { zone in
      Self.boxes(around: zone, reachMeters: reach).map { ($0, CellBox(grid: grid, box: $0)) }
    }
  }

  /// The boxes that a zone hides: one, or two across the antimeridian.
  static func boxes(around zone: PrivacyZone, reachMeters: Double) -> [BoundingBox] {
    let disc = BoundingBox(
      around: zone.center, radiusMeters: 1.01 * max(0, zone.radiusMeters) + reachMeters)
    let height = blockDegrees(atLeast: disc.north - disc.south)
    let south = max(-90, (disc.south / height).rounded(.down) * height)
    let north = min(90, (disc.north / height).rounded(.up) * height)
    let span = disc.east - disc.west + (disc.east < disc.west ? 360 : 0)
    let width = blockDegrees(atLeast: span)
    // Near a pole, or with a zone that reaches around the world, all longitudes.
    guard width < 90, south > -89, north < 89 else {
      return box(south, -180, north, 180)
    }
    let west = (disc.west / width).rounded(.down) * width
    let east = ((disc.west + span) / width).rounded(.up) * width
    if west >= -180, east <= 180 { return box(south, west, north, east) }
    return box(south, max(west, -180), north, min(east, 180))
      + (west < -180 ? box(south, west + 360, north, 180) : [])
      + (east > 180 ? box(south, -180, north, east - 360) : [])
  }

  /// The side of a block: half of a turn halved until it is the smallest that is at least half of a
  /// span, the radius.
  private static func blockDegrees(atLeast span: Double) -> Double {
    var side = 180.0
    while side / 2 >= span / 2, side > 1e-4 { side /= 2 }
    return side
  }

  private static func box(
    _ south: Double, _ west: Double, _ north: Double, _ east: Double
  ) -> [BoundingBox] {
    (try? BoundingBox(south: south, west: west, north: north, east: east)).map { [$0] } ?? []
  }

  /// Whether nothing is hidden.
  var isEmpty: Bool { boxes.isEmpty }

  /// The hidden boxes; none crosses the antimeridian.
  var outlines: [BoundingBox] { boxes.map(\.box) }

  /// Whether a position is hidden.
  func contains(_ coordinate: Coordinate) -> Bool {
    boxes.contains { $0.box.contains(coordinate) }
  }

  /// Whether a box that does not cross the antimeridian touches hidden ground.
  func touches(latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>) -> Bool {
    boxes.contains { hidden in
      latitudes.overlaps(hidden.box.south...hidden.box.north)
        && longitudes.overlaps(hidden.box.west...hidden.box.east)
    }
  }

  /// Whether a straight line between two positions, the shorter way around the world, touches
  /// hidden ground.
  func isCrossed(from start: Coordinate, to end: Coordinate) -> Bool {
    let (x, y) = (start.longitudeDegrees, start.latitudeDegrees)
    let east = (end.longitudeDegrees - x).remainder(dividingBy: 360)
    let north = end.latitudeDegrees - y
    return boxes.contains { hidden in
      let box = hidden.box
      return [-360.0, 0, 360].contains { turn in
        var (from, to) = (0.0, 1.0)
        for (position, way, low, high) in [
          (x, east, box.west + turn, box.east + turn), (y, north, box.south, box.north),
        ] {
          if way == 0 {
            if position < low || position > high { return false }
            continue
          }
          let (one, other) = ((low - position) / way, (high - position) / way)
          (from, to) = (max(from, min(one, other)), min(to, max(one, other)))
        }
        return from <= to
      }
    }
  }

  /// The cells of a tile that are not hidden.
  func clipped(_ tile: Tile, at key: Int64) -> Tile {
    boxes.reduce(tile) { $0.subtracting($1.cells.clipped($0, at: key)) }
  }
}
