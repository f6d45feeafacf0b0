/// How the fog of map tiles looks.
///
/// ```swift
/// var style = FogStyle.app
/// style.edgeMeters = 60
/// let tiles = try await explorer.fogTiles(style: style)
/// ```
public struct FogStyle: Hashable, Sendable {
  /// What is clear.
  public enum Shape: String, CaseIterable, Sendable {
    /// The explored cells of the 75 m grid: exactly what statistics count.
    case cells
    /// The discs of the visited regions, 150 m in radius unless the settings say otherwise. Where
    /// they would be smaller than a pixel, the explored share of each pixel. Ground that is known
    /// only as cells, from a coverage file for example, is under fog where discs are drawn.
    case discs
  }

  /// What is clear.
  public var shape: Shape
  /// The red part of the fog's color.
  public var red: UInt8
  /// The green part of the fog's color.
  public var green: UInt8
  /// The blue part of the fog's color.
  public var blue: UInt8
  /// The opacity of the fog, 0...1.
  public var opacity: Double
  /// The width of the edge between fog and clear ground, in meters on the ground: 0 for a sharp
  /// edge. Its middle lies where the sharp edge is. It is at most as wide as a tile.
  public var edgeMeters: Double

  /// Dark fog over the explored cells, as `Explorer.writeMapTiles(to:)` writes it.
  public static let standard = FogStyle()
  /// The fog of the Roqua app: black, 70 % opaque, with circles around visited regions.
  public static let app = FogStyle(shape: .discs, red: 0, green: 0, blue: 0, opacity: 0.7)

  /// Creates a style: by default dark fog with a sharp edge around the explored cells.
  public init(
    shape: Shape = .cells, red: UInt8 = 24, green: UInt8 = 28, blue: UInt8 = 38,
    opacity: Double = 0.85, edgeMeters: Double = 0
  ) {
    (self.shape, self.opacity, self.edgeMeters) = (shape, opacity, edgeMeters)
    (self.red, self.green, self.blue) = (red, green, blue)
  }
}
