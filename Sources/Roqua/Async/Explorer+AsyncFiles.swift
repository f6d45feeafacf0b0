import Foundation
import GeoStore
import Geodesy
import GridHash

// Files and names for async code, as in `Explorer+Async.swift`: each call runs on its own thread,
// and a canceled one throws `CancellationError`. A URL of another kind than a file's is a
// programming error.
extension Explorer {
  /// Writes a map as one self-contained HTML page, which any browser opens from disk without a
  /// connection. The file is readable by its owner only, gets its name once it is complete, and
  /// never replaces the store.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - query: what the map shows.
  ///   - isReplacing: true to replace an existing file.
  /// - Throws: `CancellationError`, `DatabaseError.fileExists(path:)`,
  ///   `DatabaseError.cannotWrite(path:reason:)`, and errors of reading the store.
  /// - Complexity: O(n log n) in kept fixes; memory for the coverage and the page.
  @discardableResult
  public func writeMap(
    to file: URL, of query: MapQuery = MapQuery(), replacing isReplacing: Bool = false
  ) async throws -> MapExport {
    let path = file.filePath
    return try await blocking { try $0.writeMap(to: path, of: query, replacing: isReplacing) }
  }

  /// Writes the explored area as map tiles: to an MBTiles file if the name ends with `.mbtiles`, to
  /// a PMTiles archive if it ends with `.pmtiles`, otherwise to a folder `ZOOM/COLUMN/ROW.png`.
  ///
  /// An MBTiles file or a folder that an earlier call wrote with the same options, of the same part
  /// of the store and with as many hidden zones, is renewed: only tiles that have changed are
  /// written. A file gets its name once it is complete; it never replaces the store, and is
  /// readable by its owner only.
  ///
  /// ```swift
  /// let file = URL(filePath: "explored.mbtiles")
  /// let report = try await explorer.writeMapTiles(to: file)
  /// print("\(report.written) tiles")
  /// ```
  ///
  /// - Parameters:
  ///   - file: the file or folder.
  ///   - options: the format and the zooms of the tiles, and the name of the map.
  ///   - query: which cells are shown. Nothing near a privacy zone is.
  ///   - isReplacing: true to replace a file or folder that cannot be renewed.
  /// - Throws: `CancellationError`, `DatabaseError.fileExists(path:)`,
  ///   `DatabaseError.cannotWrite(path:reason:)`, and errors of reading the store.
  @discardableResult
  public func writeMapTiles(
    to file: URL, options: MapTileOptions = MapTileOptions(), of query: MapQuery = MapQuery(),
    replacing isReplacing: Bool = false
  ) async throws -> MapTileReport {
    let path = file.filePath
    return try await blocking {
      try $0.writeMapTiles(to: path, options: options, of: query, replacing: isReplacing)
    }
  }

  /// Writes a picture of the explored area: PNG, WebP or SVG, a poster, or a film. The file is
  /// readable by its owner only, gets its name once it is complete, and never replaces the store.
  ///
  /// ```swift
  /// var options = PictureOptions(projection: .globe)
  /// options.isPoster = true
  /// let picture = try await explorer.writePicture(
  ///   to: URL(filePath: "globe.png"), options: options)
  /// print("\(picture.width) × \(picture.height)")
  /// ```
  ///
  /// - Parameters:
  ///   - file: the file, whose name ends with the format if the options give none.
  ///   - options: the format, the size in pixels, and how the area is drawn.
  ///   - query: what the picture shows. Nothing near a privacy zone is.
  ///   - isReplacing: true to replace an existing file.
  /// - Throws: `CancellationError`, `DatabaseError.fileExists(path:)`,
  ///   `DatabaseError.cannotWrite(path:reason:)`, and errors of reading the store.
  /// - Complexity: O(pixels + explored cells); memory for the coverage and some rows of pixels.
  @discardableResult
  public func writePicture(
    to file: URL, options: PictureOptions = PictureOptions(), of query: MapQuery = MapQuery(),
    replacing isReplacing: Bool = false
  ) async throws -> PictureReport {
    let path = file.filePath
    return try await blocking {
      try $0.writePicture(to: path, options: options, of: query, replacing: isReplacing)
    }
  }

  /// Copies the current state of the store to a file while imports continue.
  ///
  /// - Parameters:
  ///   - file: the copy. An existing file is left alone, unless `isReplacing`.
  ///   - isReplacing: true to replace an existing file.
  /// - Returns: the size of the file in bytes.
  /// - Throws: `CancellationError`, `DatabaseError.fileExists(path:)`,
  ///   `DatabaseError.cannotWrite(path:reason:)`, and errors of reading the store.
  @discardableResult
  public func backup(to file: URL, replacing isReplacing: Bool = false) async throws -> Int {
    let path = file.filePath
    return try await blocking { try $0.backup(to: path, replacing: isReplacing) }
  }

  /// Exports the visited regions to a database of the Roqua app: one file with the app's table and
  /// indexes, which the app can open. Imports can continue meanwhile.
  ///
  /// Rows are numbered from 1 in the order of their first times. Times are whole seconds, the only
  /// form that the app reads. A region without a time gets an empty text, since the app's column
  /// does not allow NULL; the app does not list it. `docs/formats/roqua-app.md` describes every
  /// column.
  ///
  /// The file is readable by its owner only and gets its name once it is complete. It never
  /// replaces the store.
  ///
  /// - Parameters:
  ///   - file: the new file. An existing file is left alone, unless `isReplacing`.
  ///   - isReplacing: true to replace an existing file.
  /// - Complexity: O(regions · log regions); memory does not grow with their number.
  /// - Throws: `CancellationError`, `DatabaseError.fileExists(path:)` or
  ///   `DatabaseError.cannotWrite(path:reason:)`, and the errors of reading the store. No new file
  ///   is left behind.
  @discardableResult
  public func exportAppDatabase(
    to file: URL, replacing isReplacing: Bool = false
  ) async throws -> AppDatabaseExport {
    let path = file.filePath
    return try await blocking {
      try $0.exportAppDatabase(to: path, replacing: isReplacing)
    }
  }

  /// Imports the cells of a coverage file as a source without fixes, in one transaction. The store
  /// keeps the cells; importing a file with the same bytes again changes nothing.
  ///
  /// - Throws: `StoreError.gridMismatch` if the store has another exploration radius;
  ///   `CancellationError`, `DatabaseError`.
  @discardableResult
  public func importCoverage(_ file: CoverageFile) async throws -> CoverageImport {
    try await blocking { try $0.importCoverage(file) }
  }

  /// Writes the coverage, or its part in a box, to a coverage file. The same cells give the same
  /// bytes. Nothing near a privacy zone is in it; the result's `notes` say whether that left
  /// something out. The file is readable by its owner only and gets its name once it is complete.
  /// It never replaces the store.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - box: writes only cells whose center lies in the box; nil for all.
  ///   - query: writes only the cells of its place and range of time.
  ///   - isReplacing: true to replace an existing file.
  /// - Throws: `CancellationError`, `DatabaseError.fileExists(path:)`,
  ///   `DatabaseError.cannotWrite(path:reason:)`, and errors of reading the store.
  @discardableResult
  public func exportCoverage(
    to file: URL, in box: BoundingBox? = nil, of query: StatisticsQuery = StatisticsQuery(),
    replacing isReplacing: Bool = false
  ) async throws -> CoverageExport {
    let path = file.filePath
    return try await blocking {
      try $0.exportCoverage(to: path, in: box, of: query, replacing: isReplacing)
    }
  }

  /// Adopts stores of the Roqua app, each as a source without fixes that has its own regions or
  /// cells. Runs in one transaction, then rebuilds regions, visits and coverage. The rules are in
  /// `docs/formats/roqua-app.md`.
  ///
  /// A store that was adopted before with the same content changes nothing. The app's files are
  /// only read.
  ///
  /// - Throws: `StoreError.notAnAppDatabase(path:reason:)` if the database belongs to another
  ///   program, ``ExplorerError/file(path:reason:)`` if a file is not a list;
  ///   `CancellationError`, `DatabaseError`. Nothing is stored then.
  @discardableResult
  public func adopt(_ request: AdoptRequest) async throws -> AdoptReport {
    try await blocking { try $0.adopt(request) }
  }

  /// Repairs what can be repaired in a store that was opened with `isForRepair`
  /// (``init(storePath:creating:isForRepair:savesMemory:durability:profileID:)``).
  ///
  /// - Throws: `CancellationError`, `DatabaseError`.
  @discardableResult
  public func repair() async throws -> MaintenanceReport { try await blocking { try $0.repair() } }

  /// The place of these names; each nil for any. Names are compared without case and accents.
  ///
  /// A region or city is looked for among the names of the store, which may be spelled as the Roqua
  /// app spelled them, and among those of the bundled data. One name may be that of several
  /// cities, also in several countries: all of them are meant. A name that is not English is looked
  /// for in the user's language, then in all others that the data have.
  ///
  /// - Parameters:
  ///   - country: its ISO 3166-1 code of two or three letters, or its name.
  ///   - region: a first-level division, in that country if one is named: a name, or an ISO 3166-2
  ///     code, which names its country too.
  ///   - city: a city, in that country and that region if they are named.
  ///   - locale: the user's language, in which the place may be named.
  /// - Throws: ``PlaceNameError`` for a name that nothing has, or nothing in the country and the
  ///   region that are named, and ``PlaceNameError/ambiguous(name:candidates:)`` for a name of
  ///   several countries; `CancellationError`, `DatabaseError`.
  public func place(
    country: String? = nil, region: String? = nil, city: String? = nil, locale: Locale? = nil
  ) async throws -> NamedPlace {
    try await blocking {
      try $0.place(country: country, region: region, city: city, locale: locale)
    }
  }
}
