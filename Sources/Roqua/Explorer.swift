import Geocode
import GeoStore
import Geodesy
import TrackIngest
import SQLiteLayer

/// The toolkit's face: a store, the places of the world, and what joins them.
///
/// Safe from any thread, as its store is.
///
/// ```swift
/// let explorer = try Explorer(storePath: "tracks.roqua")
/// let report = try await explorer.importTracks(at: [URL(filePath: "walk.gpx")])
/// print("\(report.kept) fixes kept, \(try await explorer.statistics().cells) cells explored")
/// ```
public final class Explorer: Sendable {
  /// The store of record.
  public let store: Store
  /// The places of the world, offline.
  public let geocoder: Geocoder

  /// Opens the store in a file, with the bundled places.
  ///
  /// - Parameters:
  ///   - storePath: the path of the file.
  ///   - creating: whether there may be no store yet. The first change makes it: asking alone
  ///     leaves no file.
  ///   - isForRepair: whether a store is opened whose tables are not all as Roqua made them, so
  ///     that it can be checked and repaired (`check(isQuick:)`, `rebuild(changing:)`).
  /// - Throws: `DatabaseError`, and `GeocodeError` where the bundled places cannot be read.
  public init(
    storePath: String, creating: Bool = true, isForRepair: Bool = false
  ) throws {
    geocoder = try Geocoder.bundled
    let namer = PlaceNamer(geocoder: geocoder)
    var options = StoreOptions(placeNames: { namer.names(at: $0) })
    options.isMadeByFirstChange = true
    options.acceptsAlteredSchema = isForRepair
    options.reportMembers = JSONObjectText.members
    store = try Store(path: storePath, creating: creating, options: options)
  }

  /// Reads tracks from files and folders into the store, each file whole or not at all: a large one
  /// in a transaction of its own, small ones several in one.
  ///
  /// A file that cannot be read is no error but a refused file of the report. Where the store fails
  /// in the middle, the import ends, and the report has its ``ImportReport/failure``; files that
  /// were finished before stay in it.
  ///
  /// - Throws: `DatabaseError` where the store cannot be read at the start.
  public func importTracks(
    _ paths: [String], options: ImportOptions = ImportOptions()
  ) throws -> ImportReport {
    defer { options.meter?.end() }
    return Importer(
      store: store, filter: try filterSettings(), options: options, now: store.options.now()
    ).run(paths)
  }

  /// What importing would read and keep into a new store with default settings. Makes nothing.
  public static func preview(
    _ paths: [String], options: ImportOptions = ImportOptions()
  ) -> ImportReport {
    var options = options
    options.isDryRun = true
    return Importer(
      store: nil, filter: FilterSettings(), options: options, now: StoreOptions().now()
    ).run(paths)
  }

  /// Whether any of some paths is there: a store need not be made for what is not.
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

  /// The visited regions whose center lies in a box, by id. The box may cross ±180°.
  public func regions(
    in box: BoundingBox, limit: Int? = nil
  ) throws -> [VisitedRegion] {
    try read { snapshot in try snapshot.regions(in: box, limit: limit) }
  }

  /// Where a point is, in words.
  public func place(at coordinate: Coordinate) -> Place { geocoder.place(at: coordinate) }

  /// The store's settings.
  public func settings() throws -> StoreSettings {
    try read { snapshot in snapshot.settings }
  }

  /// Changes a setting; regions, visits and coverage are rebuilt where they depend on it.
  public func set(_ key: SettingKey, to value: Double) throws {
    try store.write { session in try session.set(key, to: value) }
  }

  /// Changes settings; regions, visits and coverage are rebuilt, once, where they depend on one of
  /// them.
  ///
  /// ```swift
  /// try await explorer.changeSettings { $0.visitGapMinutes = 45 }
  /// ```
  ///
  /// - Throws: `StoreError.setting(key:reason:)` for a value out of range; nothing is changed then.
  ///   `DatabaseError`.
  public func changeSettings(_ change: (inout StoreSettings) -> Void) throws {
    try store.write { session in
      var settings = session.settings
      change(&settings)
      let changed = SettingKey.allCases.filter {
        settings[$0] != session.settings[$0] || settings.isSet($0) != session.settings.isSet($0)
      }
      let values = changed.map { ($0, settings[$0]) }
      if changed.contains(where: \.shapesDerivedTables) {
        try session.rebuild(changing: Dictionary(uniqueKeysWithValues: values))
      } else {
        for (key, value) in values { try session.set(key, to: value) }
      }
    }
  }

  /// What the store's settings ask of a fix of a file.
  package func filterSettings() throws -> FilterSettings {
    let settings = try settings()
    return FilterSettings(
      maximumAccuracyMeters: settings[.maximumAccuracyMeters],
      trackingDistanceMeters: settings[.trackingDistanceMeters],
      minimumIntervalSeconds: settings[.minimumIntervalSeconds],
      maximumSpeedMetersPerSecond: settings[.maximumSpeedMetersPerSecond])
  }

  /// The committed changes of the store, also those of other processes.
  public var changes: StoreChanges { store.changes }

  /// Reads one unchanging state of the store.
  ///
  /// - Throws: `DatabaseError`, and what `body` throws.
  public func read<T>(_ body: (Snapshot) throws -> T) throws -> T { try store.read(body) }

  /// Writes in one transaction: all of it or, where `body` throws, nothing. Waits for other
  /// writers.
  ///
  /// - Precondition: it is not called inside another write of the same store on the same thread.
  /// - Throws: `DatabaseError`, and what `body` throws.
  public func write<T>(_ body: (WriteSession) throws -> T) throws -> T { try store.write(body) }
}
