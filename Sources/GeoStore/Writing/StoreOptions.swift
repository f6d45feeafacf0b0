import Foundation
import Geodesy
import SQLiteLayer

/// Options for opening a store.
///
/// ```swift
/// var options = StoreOptions { coordinate in
///   let place = geocoder.place(at: coordinate)
///   return PlaceNames(countryCode: place.countryCode, country: place.country, city: place.city)
/// }
/// options.durability = .full
/// let store = try Store(path: "tracks.roqua", creating: true, options: options)
/// ```
public struct StoreOptions: Sendable {
  /// Returns the names of the place of a coordinate, for regions that are added. Called on the
  /// writing thread.
  public var placeNames: @Sendable (Coordinate) -> PlaceNames { didSet { namesPlaces = true } }
  /// Whether ``placeNames`` was given. Otherwise the names in a store cannot be checked.
  private(set) var namesPlaces: Bool
  /// Returns the current time, for `imported_at`.
  package var now: @Sendable () -> Timestamp
  /// Which of the latest writes a power cut may lose.
  public var durability = Durability.normal
  /// The identification of the profile that opens the store; nil for none. A store without one
  /// belongs to the first profile that opens it, and is then refused to any other
  /// (`DatabaseRefusal.otherProfile`). Without a profile, every store can be opened.
  public var profileID: String?
  /// Maximum memory in bytes for cached tiles of regions, which make later searches nearby
  /// independent of the file. 256 MB by default. A region takes 16 bytes, and about 60 more once
  /// its details are requested. 0 disables the cache.
  package var cachedTileBytes = 256 << 20
  /// Whether readers copy pages into a cache of 8 MB instead of mapping up to 256 MB of the file.
  /// The mapped pages count as memory of the process; copying them takes a little longer.
  public var savesMemory = false
  /// Whether a missing file is created only by the first change, so that querying an empty store
  /// leaves no file.
  package var isMadeByFirstChange = false
  /// Whether to open a store whose tables differ from those that Roqua made
  /// (``DatabaseError/alteredSchema(path:detail:)``), in order to check and repair it.
  package var acceptsAlteredSchema = false
  /// Reads the members of a source's report that repeat columns of its row, by name; the inner nil
  /// stands for null. Returns nil if the text is not a report. ``Store/check(isQuick:)`` and a sync
  /// compare the members; without this closure they do not.
  package var reportMembers: (@Sendable (String) -> [String: String?]?)?
  /// Reads from a source's report how many points each limit of the filter dropped. Without this
  /// closure, they are not counted.
  package var droppedPoints: (@Sendable (_ report: String) -> [SettingKey: Int])?
  /// Maximum number of regions in memory while fixes are written.
  var regionWindowCapacity = RegionWriter.windowCapacity
  /// Number of regions in a geohash cell of 5 characters from which cells of 6 characters are read
  /// while fixes are written.
  var denseRegionCount = RegionWindow.denseCount
  /// The name of SQLite's file system (VFS); nil for the default.
  var fileSystem: String?
  /// Size in bytes up to which the writer's page cache grows; up to four times that for a large
  /// file.
  var writerCacheBytes = Connection.writerCacheBytes
  /// Maximum number of fixes near deleted ones for which regions, visits and coverage are
  /// recomputed only there; beyond it, they are rebuilt.
  var replayedFixLimit = 400_000
  /// Time in milliseconds for which a deletion waits for readers of older states.
  var eraseTimeoutMilliseconds = 10_000

  /// Creates options. By default there are no place names, and the time is the system clock's.
  public init(
    placeNames: (@Sendable (Coordinate) -> PlaceNames)? = nil,
    now: @escaping @Sendable () -> Timestamp = {
      Timestamp(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000))
    }
  ) {
    self.placeNames = placeNames ?? { _ in PlaceNames() }
    namesPlaces = placeNames != nil
    self.now = now
  }

  /// The options for opening the store's file.
  var database: DatabaseOptions {
    var options = DatabaseOptions(format: Schema.format)
    options.durability = durability
    options.acceptsAlteredSchema = acceptsAlteredSchema
    options.writerCacheBytes = writerCacheBytes
    options.fileSystem = fileSystem
    options.savesMemory = savesMemory
    return options
  }
}
