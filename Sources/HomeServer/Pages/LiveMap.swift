import GeoStore
import Roqua
import Synchronization

/// The map page and the tiles of one state of the store, made again when the store has changed.
final class LiveMap: Sendable {
  private struct State {
    /// The number of changes that were seen.
    var revision = 0
    var page: (revision: Int, page: LivePage)?
    var tiles: (revision: Int, tiles: FogTileSource)?
  }

  /// A random number: the revisions of another run are others.
  private let run = UInt64.random(in: .min ... .max)
  private let explorer: Explorer
  private let state = Mutex(State())
  /// Held while a page or the tiles are made, so that requests at the same time make them once.
  private let making = Mutex(())

  init(_ explorer: Explorer) { self.explorer = explorer }

  /// Notes that the store has changed.
  func noteChange() { state.withLock { $0.revision += 1 } }

  /// The number of changes so far.
  var revision: Int { state.withLock { $0.revision } }

  /// The entity tag of what is made from a revision, which no other run of a server gives.
  func tag(ofRevision revision: Int) -> String {
    "\"\(String(run, radix: 16))-\(revision)\""
  }

  /// The page of the present state. Blocks.
  func page() throws -> LivePage {
    try making.withLock { _ in
      let (revision, known) = state.withLock { ($0.revision, $0.page) }
      if let known, known.revision == revision { return known.page }
      let page = LivePage(map: try explorer.mapPage(), tag: tag(ofRevision: revision))
      state.withLock { $0.page = (revision, page) }
      return page
    }
  }

  /// The tiles of the present state, and its number. Blocks.
  func tiles() throws -> (revision: Int, tiles: FogTileSource) {
    try making.withLock { _ in
      let (revision, known) = state.withLock { ($0.revision, $0.tiles) }
      if let known, known.revision == revision { return known }
      let tiles = try explorer.fogTiles()
      state.withLock { $0.tiles = (revision, tiles) }
      return (revision, tiles)
    }
  }
}
