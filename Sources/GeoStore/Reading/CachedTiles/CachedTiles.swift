import Geodesy
import Synchronization

/// The pages that searches have read, for all readers of a store: those of one revision of the
/// regions.
///
/// A reader asks with the revision of its own snapshot. Where that is newer, what changed since is
/// given up first: the pages that this process's writer announced, or everything where another
/// process has written. Where it is older, the reader does without
/// (`docs/decisions/regions-in-memory.md`).
final class CachedTiles: Sendable {
  private struct State {
    var revision: Int64 = 0
    /// By the bits of their geohashes, which are all as long: a number is found sooner.
    var pages: [UInt64: CachedTile] = [:]
    var byteCount = 0
    /// Pages whose regions were asked for with all that is known of them.
    var asked: Set<UInt64> = []
    /// The tiles that the transaction which is being committed changes; nil for all of them.
    var announced: (revision: Int64, tiles: Set<Geohash>?)?
  }

  private let state = Mutex(State())
  /// Bytes of memory that pages may take.
  private let capacity: Int

  /// No pages.
  ///
  /// - Parameter capacity: bytes; 0 keeps none.
  init(capacity: Int) { self.capacity = capacity }

  /// A page of a revision, where it is at hand. Complexity: O(1).
  func page(_ geohash: Geohash, at revision: Int64) -> CachedTile? {
    state.withLock { state in
      Self.advance(&state, to: revision)
      return state.revision == revision ? state.pages[geohash.bits] : nil
    }
  }

  /// Whether all that is known of a page's regions was asked for before; from now on it was. Never
  /// where nothing is kept.
  func wasAsked(_ geohash: Geohash, at revision: Int64) -> Bool {
    state.withLock { state in
      Self.advance(&state, to: revision)
      guard capacity > 0, state.revision == revision else { return false }
      return !state.asked.insert(geohash.bits).inserted
    }
  }

  /// Keeps a page of a revision. Where there is no room, others are given up, whichever come first.
  func keep(_ page: CachedTile, as geohash: Geohash, at revision: Int64) {
    let bytes = page.byteCount
    guard bytes <= capacity else { return }
    state.withLock { state in
      Self.advance(&state, to: revision)
      guard state.revision == revision else { return }
      if let old = state.pages.updateValue(page, forKey: geohash.bits) {
        state.byteCount -= old.byteCount
      }
      state.byteCount += bytes
      guard state.byteCount > capacity else { return }
      // A quarter at once, so that this is rare.
      for (key, old) in state.pages where key != geohash.bits {
        state.pages[key] = nil
        state.asked.remove(key)
        state.byteCount -= old.byteCount
        if state.byteCount <= capacity / 4 * 3 { break }
      }
    }
  }

  /// Says what the transaction changes that is about to be committed as `revision`. Called while
  /// the write lock is held.
  func announce(_ changes: RegionChanges, as revision: Int64) {
    let tiles = changes.isEverything ? nil : changes.tiles
    state.withLock { $0.announced = (revision, tiles) }
  }

  /// Takes back what was announced: the transaction was undone.
  func withdraw() {
    state.withLock { $0.announced = nil }
  }

  /// Bytes that the pages take.
  var byteCount: Int { state.withLock { $0.byteCount } }

  private static func advance(_ state: inout State, to revision: Int64) {
    guard revision > state.revision else { return }
    let announced = state.announced.take()
    if let announced, announced.revision == revision, state.revision == revision - 1,
      let changed = announced.tiles
    {
      for geohash in changed {
        state.asked.remove(geohash.bits)
        if let page = state.pages.removeValue(forKey: geohash.bits) {
          state.byteCount -= page.byteCount
        }
      }
    } else {
      state.pages.removeAll()
      state.asked.removeAll()
      state.byteCount = 0
    }
    state.revision = revision
  }
}
