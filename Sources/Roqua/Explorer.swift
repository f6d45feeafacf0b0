import Geocode
import GeoStore
import Geodesy
import Session
import TrackIngest
import SQLiteLayer

/// The entry point of the toolkit: combines a store with an offline geocoder.
///
/// An explorer can be used from any thread.
///
/// ```swift
/// let explorer = try Explorer(storePath: "tracks.roqua")
/// let report = try await explorer.importTracks(at: [URL(filePath: "walk.gpx")])
/// print("\(report.kept) fixes kept, \(try await explorer.statistics().cells) cells explored")
/// ```
public final class Explorer: Sendable {
  /// The store with the tracks.
  public let store: Store
  /// The offline geocoder.
  public let geocoder: Geocoder
  /// Passes events to the listeners of ``events``.
  let eventChannel = EventChannel<ExplorationEvent> { .missed($0) }

  /// Opens the store in a file, with the bundled geodata.
  ///
  /// - Parameters:
  ///   - storePath: the path of the store's file.
  ///   - creating: true to allow a store that does not exist yet. The first change creates the
  ///     file; reading alone does not.
  ///   - isForRepair: true to open a store even if its tables differ from those that Roqua creates,
  ///     so that it can be checked and repaired (`check(isQuick:)`, `rebuild(changing:)`).
  ///   - savesMemory: true to copy what is read from the file into a small cache instead of mapping
  ///     the file (``/GeoStore/StoreOptions/savesMemory``).
  ///   - durability: which of the latest writes a power failure may lose. A recording whose every
  ///     fix must survive one needs `Durability.full`.
  ///   - profileID: the profile that opens the store (``/GeoStore/StoreOptions/profileID``); nil
  ///     for none.
  /// - Throws: `DatabaseError`, or `GeocodeError` if the bundled geodata cannot be read.
  public init(
    storePath: String, creating: Bool = true, isForRepair: Bool = false, savesMemory: Bool = false,
    durability: Durability = .normal, profileID: String? = nil
  ) throws {
    geocoder = try Geocoder.bundled
    let namer = PlaceNamer(geocoder: geocoder)
    var options = StoreOptions(placeNames: { namer.names(at: $0) })
    options.isMadeByFirstChange = true
    options.acceptsAlteredSchema = isForRepair
    options.savesMemory = savesMemory
    options.durability = durability
    options.profileID = profileID
    options.reportMembers = JSONObjectText.members
    options.droppedPoints = TrackReport.droppedPoints(inReport:)
    store = try Store(path: storePath, creating: creating, options: options)
  }

  /// Imports the tracks in files and folders. Each file is imported as a whole or not at all. A
  /// large file has its own transaction; several small files share one.
  ///
  /// A file that cannot be read does not throw: the report lists it as refused. If the store fails
  /// during an import, the import ends and the report contains the ``ImportReport/failure``; files
  /// that were finished before remain imported.
  ///
  /// - Throws: `DatabaseError` if the store cannot be read at the start.
  public func importTracks(
    _ paths: [String], options: ImportOptions = ImportOptions()
  ) throws -> ImportReport {
    defer { options.meter?.end() }
    var options = options
    options.events = eventChannel
    var report = Importer(
      store: store, filter: try filterSettings(), options: options, now: store.options.now(),
      grid: try read { $0.settings.grid }
    ).run(paths)
    // They are an extra: what fails or takes long is done when they are next asked for.
    if report.count(.imported) > 0, report.failure == nil, !options.isDryRun, !report.isCancelled {
      let achievements = (try? updateAchievementsIfCheap()) ?? nil
      report.newlyUnlocked = achievements?.newlyUnlocked ?? []
      report.isUnlockingKnown = achievements != nil
      eventChannel.send(report.newlyUnlocked.map { .achievementUnlocked($0) })
    }
    return report
  }

  /// Reports what an import into a new store with default settings would read and keep. Writes
  /// nothing.
  package static func preview(
    _ paths: [String], options: ImportOptions = ImportOptions()
  ) -> ImportReport {
    var options = options
    options.isDryRun = true
    return Importer(
      store: nil, filter: FilterSettings(), options: options, now: StoreOptions().now()
    ).run(paths)
  }

  /// Returns true if any of the paths exists, so that no store is created for missing files.
  package static func finds(anyOf paths: [String]) -> Bool {
    FileFinder.find(paths).contains { $0.failure == nil }
  }

  /// The visited regions whose center lies within a radius (inclusive) of a point, nearest first.
  public func regions(
    near center: Coordinate, radiusMeters: Double, limit: Int? = nil
  ) throws -> [RegionMatch] {
    try read { snapshot in
      try snapshot.regions(near: center, radiusMeters: radiusMeters, limit: limit)
    }
  }

  /// The visited regions whose center lies in a box, ordered by id. The box may cross ±180°.
  public func regions(
    in box: BoundingBox, limit: Int? = nil
  ) throws -> [VisitedRegion] {
    try read { snapshot in try snapshot.regions(in: box, limit: limit) }
  }

  /// Returns the place of a coordinate.
  public func place(at coordinate: Coordinate) -> Place { geocoder.place(at: coordinate) }

  /// The filter settings for files, from the store's settings and privacy zones.
  package func filterSettings() throws -> FilterSettings {
    let (settings, zones) = try read { ($0.settings, try $0.privacyZones().map(\.zone)) }
    var filter = FilterSettings(settings)
    filter.zones = PrivacyZones(zones)
    return filter
  }

  /// The committed changes to the store, including those by other processes.
  public var changes: StoreChanges { store.changes }

  /// Reads from one unchanging state of the store.
  ///
  /// - Throws: `DatabaseError`, and any error that `body` throws.
  public func read<T>(_ body: (Snapshot) throws -> T) throws -> T { try store.read(body) }

  /// Writes in one transaction. If `body` throws, nothing is changed. Waits for other writers.
  ///
  /// - Precondition: the call is not made inside another write to the same store on the same
  ///   thread.
  /// - Throws: `DatabaseError`, and any error that `body` throws.
  package func write<T>(_ body: (WriteSession) throws -> T) throws -> T { try store.write(body) }
}
