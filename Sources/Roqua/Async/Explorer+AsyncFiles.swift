import Foundation
import GeoStore
import Geodesy
import GridHash

// Files, settings and names for async code, as in `Explorer+Async.swift`: each call runs on its own
// thread, and a canceled one throws `CancellationError`.
extension Explorer {
  /// Writes a map as one self-contained HTML page (``writeMap(to:of:replacing:)``).
  @discardableResult
  public func writeMap(
    to path: String, of query: MapQuery = MapQuery(), replacing isReplacing: Bool = false
  ) async throws -> MapExport {
    try await blocking { try $0.writeMap(to: path, of: query, replacing: isReplacing) }
  }

  /// Writes tiles of the explored area for other maps
  /// (``writeMapTiles(to:options:of:replacing:)``).
  @discardableResult
  public func writeMapTiles(
    to path: String, options: MapTileOptions = MapTileOptions(), of query: MapQuery = MapQuery(),
    replacing isReplacing: Bool = false
  ) async throws -> MapTileReport {
    try await blocking {
      try $0.writeMapTiles(to: path, options: options, of: query, replacing: isReplacing)
    }
  }

  /// Writes explorer tiles to a file (``writeExplorerTiles(_:as:to:replacing:)``).
  @discardableResult
  public func writeExplorerTiles(
    _ tiles: some Sequence<ExplorerTile> & Sendable, as format: ExplorerTileFormat,
    to path: String, replacing isReplacing: Bool = false
  ) async throws -> ExplorerTileExport {
    try await blocking {
      try $0.writeExplorerTiles(tiles, as: format, to: path, replacing: isReplacing)
    }
  }

  /// Imports the cells of a coverage file (``importCoverage(_:)``).
  @discardableResult
  public func importCoverage(_ file: CoverageFile) async throws -> CoverageImport {
    try await blocking { try $0.importCoverage(file) }
  }

  /// Writes the coverage, or a part of it, to a coverage file
  /// (``exportCoverage(to:in:of:replacing:)``).
  @discardableResult
  public func exportCoverage(
    to path: String, in box: BoundingBox? = nil, of query: StatisticsQuery = StatisticsQuery(),
    replacing isReplacing: Bool = false
  ) async throws -> CoverageExport {
    try await blocking {
      try $0.exportCoverage(to: path, in: box, of: query, replacing: isReplacing)
    }
  }

  /// Adopts stores of the Roqua app (``adopt(_:)``).
  @discardableResult
  public func adopt(_ request: AdoptRequest) async throws -> AdoptReport {
    try await blocking { try $0.adopt(request) }
  }

  /// Changes a setting (``set(_:to:)``).
  @discardableResult
  public func set(_ key: SettingKey, to value: Double) async throws -> SettingsImpact {
    try await blocking { try $0.set(key, to: value) }
  }

  /// Returns a setting to its default (``reset(_:)``).
  @discardableResult
  public func reset(_ key: SettingKey) async throws -> SettingsImpact {
    try await blocking { try $0.reset(key) }
  }

  /// Repairs what can be repaired (``repair()``).
  @discardableResult
  public func repair() async throws -> MaintenanceReport { try await blocking { try $0.repair() } }

  /// The place of these names (``place(country:region:city:locale:)``).
  public func place(
    country: String? = nil, region: String? = nil, city: String? = nil, locale: Locale? = nil
  ) async throws -> NamedPlace {
    try await blocking {
      try $0.place(country: country, region: region, city: city, locale: locale)
    }
  }
}
