import SQLiteLayer

/// Gives names of places their rows of `places`, inside a write transaction.
///
/// It knows all rows from its first question on, so nobody else may write any while it lives.
final class PlaceWriter {
  private let connection: Connection
  private let insert: Statement
  private var known: [[UInt8]: Int64]?
  private var nextID: Int64 = 1
  /// Along a track the same names come again and again.
  private var last: (names: PlaceNames, id: Int64)?

  init(_ connection: Connection) throws(DatabaseError) {
    self.connection = connection
    insert = try Statement(
      "INSERT INTO places (id, \(StoredPlaces.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
      on: connection)
  }

  /// The number of the row with these names; nil if there are no names. A row that is missing is
  /// written.
  ///
  /// - Complexity: O(1) on average; O(places) the first time.
  func id(of names: PlaceNames) throws(DatabaseError) -> Int64? {
    if let last, Self.areSame(last.names, names) { return last.id }
    if names.isEmpty { return nil }
    let names = names.clipped
    var known = try takeKnown()
    defer { self.known = known }
    let id: Int64
    let key = Self.key(names)
    if let found = known[key] {
      id = found
    } else {
      id = nextID
      try write(names, as: id)
      known[key] = id
      nextID += 1
    }
    last = (names, id)
    return id
  }

  /// The bytes of all names: "ş" in one character and in two are names of their own, as in SQL.
  private static func key(_ names: PlaceNames) -> [UInt8] {
    var key: [UInt8] = []
    for name in [names.city, names.district, names.region, names.country, names.countryCode] {
      // Told from an empty name, and ended: no UTF-8 has these bytes.
      key.append(name == nil ? 0xFE : 0xFF)
      if let name { key.append(contentsOf: name.utf8) }
    }
    return key
  }

  /// Whether all names have the same bytes.
  private static func areSame(_ left: PlaceNames, _ right: PlaceNames) -> Bool {
    func areSame(_ left: String?, _ right: String?) -> Bool {
      guard let left, let right else { return left == nil && right == nil }
      return left.utf8.elementsEqual(right.utf8)
    }
    return areSame(left.city, right.city) && areSame(left.district, right.district)
      && areSame(left.region, right.region) && areSame(left.country, right.country)
      && areSame(left.countryCode, right.countryCode)
  }

  /// What is known, given up so that it has one owner while it changes.
  private func takeKnown() throws(DatabaseError) -> [[UInt8]: Int64] {
    if let known {
      self.known = nil
      return known
    }
    return try read()
  }

  private func read() throws(DatabaseError) -> [[UInt8]: Int64] {
    let select = try Statement(
      """
      SELECT \(StoredPlaces.columns), id FROM places
      WHERE id BETWEEN 1 AND \(StoredRange.lastNumberedRow)
      """, on: connection)
    var known: [[UInt8]: Int64] = [:]
    while try select.step() {
      let id = select.int64(at: 5)
      known[Self.key(PlaceNames(row: select, from: 0))] = id
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
