import Foundation
import Geodesy
import SQLiteLayer

/// What a store needs to know beyond its file.
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
  /// Names the place of a coordinate, for regions that are added. Called on the writing thread.
  public var placeNames: @Sendable (Coordinate) -> PlaceNames { didSet { namesPlaces = true } }
  /// Whether ``placeNames`` was given. Otherwise nobody can say whether names in a store are right.
  private(set) var namesPlaces: Bool
  /// Returns the time, for `imported_at`.
  public var now: @Sendable () -> Timestamp
  /// What a power cut may take of what was written last.
  public var durability = Durability.normal
  /// Bytes of memory for cached tiles of regions that were searched, so that the next search nearby
  /// reads nothing: 256 MB unless set otherwise, 16 bytes a region, and some 60 more where all
  /// details were asked for. 0 caches nothing.
  public var cachedTileBytes = 256 << 20
  /// Whether a file that is missing is created by the first change, and not before: querying an
  /// empty store leaves none.
  package var isMadeByFirstChange = false
  /// Whether a store is opened whose tables differ from those that Roqua made
  /// (``DatabaseError/alteredSchema(path:detail:)``): to check and to repair it.
  package var acceptsAlteredSchema = false
  /// Reads the members of a source's report that repeat columns of its row, by name, nil inside for
  /// null; nil where the text is no report. ``Store/check(isQuick:)`` compares them; without this
  /// it does not.
  package var reportMembers: (@Sendable (String) -> [String: String?]?)?
  /// Regions in memory while fixes are written.
  var regionWindowCapacity = RegionWriter.windowCapacity
  /// Regions in a geohash cell of 5 characters from which on cells of 6 are read while fixes are
  /// written.
  var denseRegionCount = RegionWindow.denseCount
  /// The name of SQLite's file system (VFS); nil for the usual one.
  var fileSystem: String?
  /// Bytes of cached pages that the writer keeps.
  var writerCacheBytes = Connection.writerCacheBytes
  /// Fixes near those that are deleted, up to which regions, visits and coverage are worked out
  /// again only there; beyond, they are rebuilt.
  var replayedFixLimit = 400_000
  /// How long a deletion waits for readers of older states, in milliseconds.
  var eraseTimeoutMilliseconds = 10_000

  /// Options: no place names, and the system's clock, unless given.
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

  /// How the store's file is opened.
  var database: DatabaseOptions {
    var options = DatabaseOptions(format: Schema.format)
    options.durability = durability
    options.acceptsAlteredSchema = acceptsAlteredSchema
    options.writerCacheBytes = writerCacheBytes
    options.fileSystem = fileSystem
    return options
  }
}
