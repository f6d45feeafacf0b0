import FogMap
import Geodesy
import GridHash
import SQLiteLayer

/// What map tiles look like, and how far one can zoom in.
///
/// ```swift
/// let options = MapTileOptions(format: .mvt, zooms: 0...10)
/// ```
public struct MapTileOptions: Hashable, Sendable {
  /// The formats of tiles.
  public enum Format: String, CaseIterable, Sendable {
    /// Pictures of fog that is clear where the area is explored.
    case png
    /// The explored area as polygons (Mapbox Vector Tile 2.1).
    case mvt
  }

  /// The format.
  package var format: Format
  /// The zooms, within `zoomRange`.
  package var zooms: ClosedRange<Int>
  /// The name of the map, which other programs show.
  package var name: String

  /// The zooms that tiles can have.
  package static var zoomRange: ClosedRange<Int> { TilePyramid.zooms }

  /// Creates options.
  ///
  /// - Parameters:
  ///   - format: the format.
  ///   - zooms: the zooms, clamped to 0...16.
  ///   - name: the name of the map, which other programs show.
  public init(
    format: Format = .png, zooms: ClosedRange<Int> = 0...12, name: String = "Explored"
  ) {
    (self.format, self.zooms, self.name) = (format, zooms, name)
  }

  /// What the tiles show of the store, without saying where that is. Tiles of something else are
  /// never renewed: whoever forgets what was hidden before must replace them explicitly.
  var subject = ""
  /// The random names of the store's privacy zones, the oldest first: those of an earlier time are
  /// the first of these, unless one was removed. Its ground must not appear by accident in tiles
  /// that hid it.
  var zones: [String] = []

  var tileFormat: TileFormat { format == .png ? .png : .mvt }
}

/// What writing map tiles has done.
///
/// ```swift
/// let report = try await explorer.writeMapTiles(to: URL(filePath: "explored.mbtiles"))
/// print("\(report.written) tiles written, the rest kept")
/// ```
public struct MapTileReport: Hashable, Sendable {
  /// The path as given; `-` for standard output.
  package let path: String
  /// True if existing tiles were kept, because they still show what is explored.
  package let isRenewal: Bool
  /// The tiles that were written.
  public internal(set) var written = 0
  /// The tiles that were removed.
  package internal(set) var removed = 0
}

/// The tiles to write: what is the same for every kind of archive.
struct MapTileJob {
  let coverage: Coverage
  let options: MapTileOptions
  let style: TileMaker.Style
  /// What the tiles depend on besides the cells, and a version that changes with the code that
  /// makes them.
  let purpose: String
  /// The purposes that tiles had before some of the store's privacy zones were added.
  let earlierPurposes: [String]
  /// The maker, and the pyramid of its tiles.
  let maker: TileMaker
  let pyramid: TilePyramid

  init(
    _ coverage: Coverage, _ options: MapTileOptions, compressed isCompressed: Bool, path: String
  ) throws(DatabaseError) {
    var options = options
    options.zooms = options.zooms.clamped(to: MapTileOptions.zoomRange)
    (self.coverage, self.options) = (coverage, options)
    style = TileMaker.Style(format: options.tileFormat, isCompressed: isCompressed)
    let subject =
      "1 \(style.description) \(options.zooms.lowerBound) \(options.zooms.upperBound) "
      + options.name + options.subject
    func purpose(_ zones: ArraySlice<String>) -> String {
      zones.isEmpty ? subject : "\(subject)\n\(zones.joined(separator: " "))"
    }
    self.purpose = purpose(options.zones[...])
    earlierPurposes = options.zones.indices.map { purpose(options.zones[..<$0]) }
    do {
      maker = try TileMaker(coverage, style)
    } catch {
      throw .cannotWrite(path: path, reason: "there is not enough memory to compress it")
    }
    pyramid = TilePyramid(maker, grid: coverage.grid, zooms: options.zooms)
  }

  /// The bounds of the tiles. Fog covers the world: a program that crops tiles to their bounds must
  /// not crop the fog. Shapes end with what is explored.
  var bounds: PMTilesWriter.Bounds {
    options.format == .png ? exploredBounds.widened : exploredBounds
  }

  /// The squares that have changed since tiles with these digests were written; nil if those show
  /// something else, or hide what these would show.
  func changes(_ digests: SquareDigests, since old: SquareDigests) -> [Int64]? {
    digests.changes(since: old, orWithPurpose: earlierPurposes, grid: coverage.grid)
  }

  /// The box around everything explored, as exact as the pixels of the highest zoom; the world for
  /// nothing.
  private var exploredBounds: PMTilesWriter.Bounds {
    guard let rows = coverage.rowBounds, let columns = coverage.columnBounds else { return .world }
    let grid = coverage.grid
    let southWest = grid.bounds(of: Cell(row: rows.lowerBound, column: columns.lowerBound))
    let northEast = grid.bounds(of: Cell(row: rows.upperBound, column: columns.upperBound))
    // Pixels of the highest zoom, in degrees of longitude; those of latitude are smaller.
    let pixel = 360 / Double(256 << options.zooms.upperBound)
    func units(_ degrees: Double, _ limit: Double, _ rule: FloatingPointRoundingRule) -> Int32 {
      let rounded = (degrees / pixel).rounded(rule) * pixel
      return Int32((max(-limit, min(limit, rounded)) * 1e7).rounded())
    }
    return PMTilesWriter.Bounds(
      west: units(southWest.westDegrees, 180, .down),
      south: units(southWest.southDegrees, 85.0511287, .down),
      east: units(northEast.eastDegrees, 180, .up),
      north: units(northEast.northDegrees, 85.0511287, .up),
      zoom: options.zooms.lowerBound)
  }
}
