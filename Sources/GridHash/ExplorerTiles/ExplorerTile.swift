import Geodesy

/// An explorer tile: a square of the Web Mercator map of the world, as VeloViewer (zoom 14) and
/// Squadrats (zooms 14 and 17) count them. Not a tile of the coverage.
///
/// There are 2^zoom tiles from 180° W to 180° E, and as many from 85.0511° N to 85.0511° S. A tile
/// contains its northern and western edges. On the ground it is a square of 40 075 km ×
/// cos(latitude) ÷ 2^zoom: 1.6 km at 48° and zoom 14.
///
/// ```swift
/// let tile = ExplorerTile(containing: here, zoom: 14)
/// print(tile?.description ?? "too close to a pole")  // 14/8501/5673
/// ```
///
/// - Source: "Slippy map tilenames" of OpenStreetMap.
public struct ExplorerTile: Hashable, Sendable {
  /// The zooms that a tile can have.
  public static let zooms = 0...20

  /// The zoom: 0 is one tile for the world.
  public let zoom: Int
  /// The column, counted eastwards from 180° W.
  public let x: Int
  /// The row, counted southwards from 85.0511° N.
  public let y: Int

  /// Creates a tile; nil if the zoom has no tile of these numbers.
  public init?(zoom: Int, x: Int, y: Int) {
    guard Self.zooms.contains(zoom), 0..<(1 << zoom) ~= x, 0..<(1 << zoom) ~= y else { return nil }
    self.init(uncheckedZoom: zoom, x: x, y: y)
  }

  /// Creates the tile that contains a coordinate; nil beyond 85.0511° of latitude, where the map
  /// ends, and for a zoom that is not one of ``zooms``.
  public init?(containing coordinate: Coordinate, zoom: Int) {
    guard Self.zooms.contains(zoom), let point = MercatorPoint(coordinate) else { return nil }
    self.init(uncheckedZoom: zoom, x: point.column(zoom: zoom), y: point.row(zoom: zoom))
  }

  init(uncheckedZoom zoom: Int, x: Int, y: Int) { (self.zoom, self.x, self.y) = (zoom, x, y) }

  /// The longitude of the western edge in degrees.
  public var westDegrees: Double { Self.longitudeDegrees(x, zoom) }
  /// The longitude of the eastern edge in degrees, at most 180.
  public var eastDegrees: Double { Self.longitudeDegrees(x + 1, zoom) }
  /// The latitude of the northern edge in degrees.
  public var northDegrees: Double { Self.latitudeDegrees(Double(y), zoom) }
  /// The latitude of the southern edge in degrees.
  public var southDegrees: Double { Self.latitudeDegrees(Double(y) + 1, zoom) }

  /// The middle of the tile on the map, to 1e-7 degree.
  public var center: Coordinate {
    let latitude = Self.latitudeDegrees(Double(y) + 0.5, zoom)
    let longitude = (Double(x) + 0.5) / Double(1 << zoom) * 360 - 180
    return Coordinate(
      uncheckedLatitudeE7: Int32((latitude * 1e7).rounded()),
      longitudeE7: Int32((longitude * 1e7).rounded()))
  }

  /// The tile some columns east and some rows south, across ±180° if necessary; nil beyond the map.
  func moved(east: Int, south: Int) -> ExplorerTile? {
    let count = 1 << zoom
    guard 0..<count ~= y + south else { return nil }
    let column = (x + east) % count
    return ExplorerTile(
      uncheckedZoom: zoom, x: column < 0 ? column + count : column, y: y + south)
  }

  private static func longitudeDegrees(_ x: Int, _ zoom: Int) -> Double {
    Double(x) / Double(1 << zoom) * 360 - 180
  }

  /// The latitude of a row of the map, which need not be whole.
  static func latitudeDegrees(_ y: Double, _ zoom: Int) -> Double {
    arcTangent(hyperbolicSine(.pi * (1 - 2 * y / Double(1 << zoom)))) * 180 / .pi
  }
}

extension ExplorerTile: Comparable {
  /// Orders by zoom, then from north to south, then from west to east.
  public static func < (left: ExplorerTile, right: ExplorerTile) -> Bool {
    (left.zoom, left.y, left.x) < (right.zoom, right.y, right.x)
  }
}

extension ExplorerTile: CustomStringConvertible {
  /// The numbers as in the address of a map tile: `14/8501/5673`.
  public var description: String { "\(zoom)/\(x)/\(y)" }
}
