import Geodesy
import Synchronization

/// The tiles that searches have read, shared by all readers of a store. All belong to one revision
/// of the regions.
///
/// A reader passes the revision of its own snapshot. If it is newer, the outdated tiles are dropped
/// first: those announced by this process's writer, or all of them if another process has written.
/// If it is older, the reader does not use the cache (`docs/decisions/regions-in-memory.md`).
final class CachedTiles: Sendable {
  private struct State {
    var revision: Int64 = 0
    /// Tiles by the bits of their geohashes, which all have the same length: hashing a number is
    /// faster.
    var tiles: [UInt64: CachedTile] = [:]
    var byteCount = 0
    /// Tiles whose details were requested.
    var asked: Set<UInt64> = []
    /// The tiles changed by the transaction that is being committed; nil `tiles` means all.
    var announced: (revision: Int64, tiles: Set<Geohash>?)?
  }

  private let state = Mutex(State())
  /// Maximum size of the tiles in bytes.
  private let capacity: Int

  /// Creates an empty cache.
  ///
  /// - Parameter capacity: maximum size in bytes; 0 keeps no tile.
  init(capacity: Int) { self.capacity = capacity }

  /// Returns a tile of a revision if it is cached. Complexity: O(1).
  func tile(_ geohash: Geohash, at revision: Int64) -> CachedTile? {
    state.withLock { state in
      Self.advance(&state, to: revision)
      return state.revision == revision ? state.tiles[geohash.bits] : nil
    }
  }

  /// Returns whether the details of a tile's regions were requested before, and records this
  /// request. Always false if nothing is cached.
  func wasAsked(_ geohash: Geohash, at revision: Int64) -> Bool {
    state.withLock { state in
      Self.advance(&state, to: revision)
      guard capacity > 0, state.revision == revision else { return false }
      return !state.asked.insert(geohash.bits).inserted
    }
  }

  /// Caches a tile of a revision. If there is no room, arbitrary other tiles are dropped.
  func keep(_ tile: CachedTile, as geohash: Geohash, at revision: Int64) {
    let bytes = tile.byteCount
    guard bytes <= capacity else { return }
    state.withLock { state in
      Self.advance(&state, to: revision)
      guard state.revision == revision else { return }
      if let old = state.tiles.updateValue(tile, forKey: geohash.bits) {
        state.byteCount -= old.byteCount
      }
      state.byteCount += bytes
      guard state.byteCount > capacity else { return }
      // Drops a quarter at once, so that this is rare.
      for (key, old) in state.tiles where key != geohash.bits {
        state.tiles[key] = nil
        state.asked.remove(key)
        state.byteCount -= old.byteCount
        if state.byteCount <= capacity / 4 * 3 { break }
      }
    }
  }

  /// Announces the changes of the transaction that is about to be committed as `revision`. Called
  /// while the write lock is held.
  func announce(_ changes: RegionChanges, as revision: Int64) {
    let tiles = changes.isEverything ? nil : changes.tiles
    state.withLock { $0.announced = (revision, tiles) }
  }

  /// Withdraws the announcement, because the transaction was undone.
  func withdraw() {
    state.withLock { $0.announced = nil }
  }

  /// Size of the tiles in bytes.
  var byteCount: Int { state.withLock { $0.byteCount } }

  private static func advance(_ state: inout State, to revision: Int64) {
    guard revision > state.revision else { return }
    let announced = state.announced.take()
    if let announced, announced.revision == revision, state.revision == revision - 1,
      let changed = announced.tiles
    {
      for geohash in changed {
        state.asked.remove(geohash.bits)
        if let tile = state.tiles.removeValue(forKey: geohash.bits) {
          state.byteCount -= tile.byteCount
        }
      }
    } else {
      state.tiles.removeAll()
      state.asked.removeAll()
      state.byteCount = 0
    }
    state.revision = revision
  }
}
