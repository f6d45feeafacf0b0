/// The rows of an inbox that hold no fix: all their numbers, at 8 bytes each, and the damage of the
/// first ones.
struct SetAsideRows: Sendable {
  /// The maximum number of rows of which the damage is kept.
  private let mostNamed: Int
  private var rows: Set<Int64> = []
  /// The damage of the rows with the lowest numbers.
  private(set) var named: [Int64: RowDamage] = [:]

  /// Creates an empty list that keeps the damage of at most `mostNamed` rows.
  init(mostNamed: Int) { self.mostNamed = mostNamed }

  /// The number of rows.
  var count: Int { rows.count }

  /// Adds a row, or changes its damage. Returns whether it is new.
  mutating func insert(_ row: Int64, _ damage: RowDamage) -> Bool {
    let isNew = rows.insert(row).inserted
    if named[row] == nil, named.count >= mostNamed, let last = named.keys.max() {
      guard row < last else { return isNew }
      named[last] = nil
    }
    named[row] = damage
    return isNew
  }

  /// Removes a row. Returns whether it was there.
  mutating func remove(_ row: Int64) -> Bool {
    named[row] = nil
    return rows.remove(row) != nil
  }
}
