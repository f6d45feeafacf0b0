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
  /// This blocks. Open the explorer in a detached task, not on the main actor.
  ///
  /// - Parameters:
  ///   - storePath: the path of the store's file.
  ///   - creating: true to allow a store that does not exist yet. The first change creates the
  ///     file; reading alone does not.
  ///   - isForRepair: true to open a store even if its tables differ from those that Roqua creates,
  ///     so that it can be checked and repaired (`check(isQuick:)`, `repair()`).
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

  /// The visited regions whose center lies within a radius (inclusive) of a point, nearest first.
  ///
  /// - Throws: `DatabaseError`.
  public func regions(
    near center: Coordinate, radiusMeters: Double, limit: Int? = nil
  ) throws -> [RegionMatch] {
    try read { snapshot in
      try snapshot.regions(near: center, radiusMeters: radiusMeters, limit: limit)
    }
  }

  /// The visited regions whose center lies in a box, ordered by id. The box may cross ±180°.
  ///
  /// - Throws: `DatabaseError`.
  public func regions(
    in box: BoundingBox, limit: Int? = nil
  ) throws -> [VisitedRegion] {
    try read { snapshot in try snapshot.regions(in: box, limit: limit) }
  }

  /// Returns the place of a coordinate.
  public func place(at coordinate: Coordinate) -> Place { geocoder.place(at: coordinate) }

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
  public func write<T>(_ body: (WriteSession) throws -> T) throws -> T { try store.write(body) }
}
