import SQLiteLayer

/// Gives names of places their rows of `places`, inside a write transaction.
///
/// It knows all rows from its first question on, so nobody else may write any while it lives.
final class PlaceWriter {
  private let connection: Connection
  private let insert: Statement
  private var known: [PlaceNames: Int64]?
  private var nextID: Int64 = 1
  /// Along a track the same names come again and again.
  private var last: (names: PlaceNames, id: Int64)?

  init(_ connection: Connection) throws(DatabaseError) {
    self.connection = connection
    insert = try Statement(
      "INSERT INTO places (id, \(StoredPlaces.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
      on: connection)
  }

  /// The number of the row with these names, which is written if there is none; nil for no names.
  ///
  /// - Complexity: O(1) on average; O(places) the first time.
  func id(of names: PlaceNames) throws(DatabaseError) -> Int64? {
    if let last, last.names == names { return last.id }
    if names.isEmpty { return nil }
    var known = try takeKnown()
    defer { self.known = known }
    let id: Int64
    if let found = known[names] {
      id = found
    } else {
      id = nextID
      try write(names, as: id)
      known[names] = id
      nextID += 1
    }
    last = (names, id)
    return id
  }

  /// What is known, given up so that it has one owner while it changes.
  private func takeKnown() throws(DatabaseError) -> [PlaceNames: Int64] {
    if let known {
      self.known = nil
      return known
    }
    return try read()
  }

  private func read() throws(DatabaseError) -> [PlaceNames: Int64] {
    let select = try Statement("SELECT \(StoredPlaces.columns), id FROM places", on: connection)
    var known: [PlaceNames: Int64] = [:]
    while try select.step() {
      let id = try select.int64(
        at: 5, in: 1...StoredRange.lastNumberedRow, of: "places, row \(select.int64(at: 5))")
      known[PlaceNames(row: select, from: 0)] = id
      nextID = max(nextID, id + 1)
    }
    return known
  }

  private func write(_ names: PlaceNames, as id: Int64) throws(DatabaseError) {
    insert.bind(id, at: 1)
    insert.bind(names.city, at: 2)
    insert.bind(names.district, at: 3)
    insert.bind(names.region, at: 4)
    insert.bind(names.country, at: 5)
    insert.bind(names.countryCode, at: 6)
    try insert.run(changing: 1)
  }
}
