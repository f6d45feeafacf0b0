import GeoStore

/// What must be done to the pieces of the store, and their order.
struct PiecePlan {
  /// Where a piece is in the shared state.
  struct Place: Hashable {
    let name: SourceName
    let number: Int
  }

  /// Where the fixes of a piece are.
  enum Content {
    case stored(ClosedRange<Int64>)
    case file(FileReference)
    case computed([PackedFixes])
  }

  /// A piece that has fixes.
  struct Item {
    let position: PiecePosition
    let place: Place
    let source: Int64
    let content: Content
  }

  /// The pieces that have fixes.
  private(set) var items: [Item] = []
  /// What other devices deleted fixes from.
  var reduced: [ReducedRun] = []
  /// The stored runs that others replace.
  var dropped: [ArrangedRun] = []
  /// What came with sources, by their numbers, and the file that says so.
  var brought: [Int64: (path: SyncPath, data: BroughtData)] = [:]
  /// The pieces whose content changes, with the digest and count that they get.
  var changed: [Place: (digest: Digest, count: UInt64)] = [:]

  /// Adds a piece; one without fixes has no content.
  mutating func add(
    _ place: Place, at position: PiecePosition, of source: Int64, _ content: Content?
  ) {
    guard let content else { return }
    items.append(Item(position: position, place: place, source: source, content: content))
  }

  /// The pieces that have fixes, in the order of all devices.
  var itemsInOrder: [Item] {
    items.sorted {
      ($0.position, $0.place.name, $0.place.number) < ($1.position, $1.place.name, $1.place.number)
    }
  }
}
