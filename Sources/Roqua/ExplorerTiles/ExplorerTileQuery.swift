import Geodesy
import GridHash

/// The explorer tiles that a report is about, and its lists.
///
/// ```swift
/// var query = ExplorerTileQuery(zoom: 17)
/// query.center = here
/// query.missingLimit = 20
/// for missing in try await explorer.explorerTileReport(query).missing ?? [] {
///   print(missing.tile, Int(missing.distanceMeters), "m")
/// }
/// ```
public struct ExplorerTileQuery: Sendable {
  /// The zoom of the tiles: 14 for VeloViewer's tiles and Squadrats' squadrats, 17 for
  /// squadratinhos.
  public let zoom: Int
  /// The place, the range of time, the clock, and breakdowns by year, month or day. A tile is
  /// selected if its center lies in the place, and its first visit in the range of time. Days are
  /// those at the tile's center.
  public var selection = StatisticsQuery()
  /// Only tiles whose center lies in this box; nil for all.
  public var box: BoundingBox?
  /// The point to which listed tiles and squares are nearest; nil to list squares by row and
  /// column.
  public var center: Coordinate?
  /// The maximum number of missing tiles around ``center`` to list, at most 100 000; a larger one
  /// counts as that. Nil for no list.
  public var missingLimit: Int?
  /// The maximum number of places of a square to list.
  package var squareLimit = 10

  /// The largest limit of a list: a tile takes about 600 bytes in a table or as JSON.
  package static let largestLimit = 100_000

  /// Creates a query for all visited tiles of a zoom.
  ///
  /// - Precondition: `zoom` is one of `ExplorerTile.zooms`.
  public init(zoom: Int) {
    precondition(ExplorerTile.zooms.contains(zoom), "an explorer tile has a zoom of 0 to 20")
    self.zoom = zoom
  }

  /// Whether tiles are left out. What is missing is then unknown: a tile outside the selection may
  /// have been visited.
  package var isRestricted: Bool { selection.isRestricted || box != nil }
}

/// The visited explorer tiles of a store (`docs/explorer-tiles.md`).
///
/// ```swift
/// let report = try await explorer.explorerTileReport(ExplorerTileQuery(zoom: 14))
/// print(report.tiles.count, "tiles, max square", report.largestSquares?.side ?? 0)
/// if let growth = report.growth { print(growth.missingCount, "more for", growth.side) }
/// ```
public struct ExplorerTileReport: Sendable {
  /// The query.
  package let query: ExplorerTileQuery
  /// The visited tiles that the query selects.
  public let tiles: ExplorerTileSet
  /// The largest squares of these tiles; nil if there are none.
  public let largestSquares: LargestExplorerSquares?
  /// Some of these squares, at most `squareLimit`, each with the place of its middle.
  package let squarePlaces: [SquarePlace]
  /// The largest cluster of these tiles; nil if there is none.
  public let largestCluster: ExplorerCluster?
  /// What the next larger square lacks; nil if the query selects a part of the tiles.
  public let growth: ExplorerSquareGrowth?
  /// Some of the squares that lack the fewest tiles, at most `squareLimit`.
  package let growthPlaces: [GrowthPlace]
  /// The missing tiles that the query asked for, nearest first; nil if it asked for none, or
  /// selects a part of the tiles.
  public let missing: [MissingTile]?
  /// The tiles first visited in each period, in order of time, undated last, for each requested
  /// breakdown.
  public let periods: [Breakdown: [Period]]

  /// A square and where it is.
  package struct SquarePlace: Hashable, Sendable {
    /// The square.
    package let square: ExplorerSquare
    /// The place of the square's middle.
    package let place: PlaceNames
    /// The distance from the query's center to the square's middle in meters; nil without a center.
    package let distanceMeters: Double?
  }

  /// A square that lacks a few tiles.
  package struct GrowthPlace: Hashable, Sendable {
    /// Where the square is.
    package let place: SquarePlace
    /// The tiles that it lacks, from north to south.
    package let missing: [ExplorerTile]
  }

  /// A tile that was not visited.
  public struct MissingTile: Hashable, Sendable {
    /// The tile.
    public let tile: ExplorerTile
    /// The distance from the query's center to the tile's center in meters.
    public let distanceMeters: Double
  }

  /// The tiles first visited in a period.
  public struct Period: Hashable, Sendable {
    /// The period: `2024`, `2024-05` or `2024-05-01`; nil for tiles without a known time.
    public let period: String?
    /// The number of tiles.
    public let newTiles: Int
  }
}
