import GeoStore
import Geodesy

/// What an export contains, and in which format.
///
/// ```swift
/// var options = ExportOptions(format: .geoPackage)
/// options.layers = [.regions, .tracks]
/// let report = try await explorer.export(to: URL(filePath: "history.gpkg"), options: options)
/// print(report.layers.map { "\($0.features) \($0.layer.rawValue)" })
/// ```
public struct ExportOptions: Sendable {
  /// The formats of exports. `docs/formats` has a page about each.
  public enum Format: String, Sendable, CaseIterable {
    /// GeoJSON (RFC 7946): one collection of features.
    case geoJSON = "geojson"
    /// GeoJSON with one feature a line.
    case geoJSONLines = "geojsonl"
    /// GeoPackage 1.3, an SQLite database.
    case geoPackage = "gpkg"
    /// FlatGeobuf, with an index of places.
    case flatGeobuf = "fgb"
    /// GeoParquet 1.1.
    case geoParquet = "parquet"
    /// A SpatiaLite database.
    case spatiaLite = "spatialite"
    /// GPX 1.1: the kept fixes as tracks.
    case gpx
    /// KML 2.2.
    case kml
    /// KML in a zip archive.
    case kmz
    /// Comma-separated values.
    case csv
    /// A `Sync` folder of Fog of World.
    case fogOfWorld = "fog-of-world"
    /// A folder with Parquet files of the visited regions and the explored tiles of a person, for
    /// questions about many people.
    case parquetDataset = "parquet-dataset"
  }

  /// What features of an export are.
  public enum Layer: String, Sendable, CaseIterable {
    /// Visited regions: the centers of their discs.
    case regions
    /// Visits: the center of the region for each visit with a known time.
    case visits
    /// Tracks: the kept fixes of each segment as lines.
    case tracks
    /// Kept fixes, a point each.
    case fixes
    /// The explored area: a polygon for each connected set of cells.
    case coverage
    /// Visited countries, regions and cities: the most visited region of each.
    case places
  }

  /// The format.
  public var format: Format
  /// The layers; nil for all but single fixes, which tracks contain. A format whose file has one
  /// layer has the visited regions then, or the only layer that it can have.
  ///
  /// ``Format/fogOfWorld`` can only have ``Layer/coverage``, and ``Format/parquetDataset`` only
  /// ``Layer/regions`` and ``Layer/coverage``. In ``Format/gpx``, ``Layer/tracks`` and
  /// ``Layer/fixes`` are the same, and there are no others. ``Format/flatGeobuf``,
  /// ``Format/geoParquet`` and ``Format/csv`` can have any layer, but one only. An export with
  /// other layers throws `DatabaseError.cannotWrite(path:reason:)`.
  public var layers: [Layer]?
  /// The place and the range of time; its breakdowns and clock are ignored.
  public var selection = StatisticsQuery()
  /// The box in which positions must lie; nil for everywhere. It may cross ±180°.
  public var box: BoundingBox?
  /// The ids of the sources; nil for all.
  public var sources: Set<Int64>?
  /// Areas that this export leaves out, in addition to the store's privacy zones.
  public var hiddenZones: [PrivacyZone] = []
  /// Whether the layer ``Layer/coverage`` is the union of the discs around the kept fixes instead
  /// of the cells. This needs SpatiaLite on this computer. Fog of World always has cells.
  package var drawsDiscs = false

  /// The name of the person whose dataset it is, which ``Format/parquetDataset`` needs.
  public var person: String?

  /// Creates the options for all that the store has.
  public init(format: Format) { self.format = format }
}

extension ExportOptions {
  /// The layers of the file.
  var writtenLayers: [Layer] {
    // GPX has its tracks point by point.
    format == .gpx ? [.fixes] : layers ?? format.defaultLayers
  }

  /// Why the format cannot have the layers; nil if it can.
  var layerProblem: String? {
    if let refusal = format.refusal(of: layers ?? []) { return refusal }
    return format.hasOneLayer && writtenLayers.count > 1
      ? "a file of \(format.rawValue) has one layer" : nil
  }
}

extension ExportOptions.Format {
  /// The endings of file names, with the dot; none for a folder.
  package var endings: [String] {
    switch self {
    case .geoJSON: [".geojson", ".json"]
    case .geoJSONLines: [".geojsonl", ".geojsons", ".ndjson", ".jsonl"]
    case .geoPackage: [".gpkg"]
    case .flatGeobuf: [".fgb"]
    case .geoParquet: [".parquet", ".geoparquet"]
    case .spatiaLite: [".sqlite", ".db"]
    case .gpx: [".gpx"]
    case .kml: [".kml"]
    case .kmz: [".kmz"]
    case .csv: [".csv"]
    case .fogOfWorld, .parquetDataset: []
    }
  }

  /// The format of a path by its ending; nil if no format has it.
  package init?(path: String) {
    let path = path.lowercased()
    guard
      let format = Self.allCases.first(where: { $0.endings.contains(where: path.hasSuffix) })
    else { return nil }
    self = format
  }

  /// The layers that the format can have. In GPX, ``ExportOptions/Layer/tracks`` and
  /// ``ExportOptions/Layer/fixes`` are the same: the kept fixes as tracks, which the report calls
  /// `fixes`.
  package var possibleLayers: [ExportOptions.Layer] {
    switch self {
    case .gpx: [.tracks, .fixes]
    case .fogOfWorld: [.coverage]
    case .parquetDataset: [.regions, .coverage]
    default: ExportOptions.Layer.allCases
    }
  }

  /// Why the format cannot have one of these layers, as a sentence without a full stop; nil if it
  /// can have each of them.
  package func refusal(of layers: [ExportOptions.Layer]) -> String? {
    guard let layer = layers.first(where: { !possibleLayers.contains($0) }) else { return nil }
    let possible = possibleLayers.map(\.rawValue).joined(separator: ", ")
    return "\(rawValue) cannot have the layer \(layer.rawValue); it has \(possible)"
  }

  /// Whether a file has one layer only.
  package var hasOneLayer: Bool {
    switch self {
    case .flatGeobuf, .geoParquet, .csv, .gpx, .fogOfWorld: true
    case .geoJSON, .geoJSONLines, .geoPackage, .spatiaLite, .kml, .kmz, .parquetDataset: false
    }
  }

  /// Whether the export is a folder, which must be new or empty.
  package var isFolder: Bool { self == .fogOfWorld || self == .parquetDataset }

  /// The layers of an export that names none. A file with one layer has the visited regions; the
  /// other ones have all but single fixes, which tracks contain.
  package var defaultLayers: [ExportOptions.Layer] {
    if self == .parquetDataset { return possibleLayers }
    if !hasOneLayer { return [.regions, .visits, .tracks, .coverage, .places] }
    return switch self {
    case .gpx: [.fixes]
    case .fogOfWorld: [.coverage]
    default: [.regions]
    }
  }

  /// Whether files are bytes that a terminal cannot show.
  package var isBinary: Bool {
    switch self {
    case .geoPackage, .flatGeobuf, .geoParquet, .spatiaLite, .kmz, .fogOfWorld, .parquetDataset:
      true
    case .geoJSON, .geoJSONLines, .gpx, .kml, .csv: false
    }
  }

  /// Whether the format can be written to standard output while it is made.
  package var isStreamable: Bool {
    switch self {
    case .geoJSON, .geoJSONLines, .geoParquet, .gpx, .kml, .kmz, .csv: true
    case .geoPackage, .flatGeobuf, .spatiaLite, .fogOfWorld, .parquetDataset: false
    }
  }
}
