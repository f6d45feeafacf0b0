import Foundation
import Geodesy
import SQLiteLayer

/// Finds or adds the rows of `places` for place names, inside a write transaction.
///
/// It caches all rows once several names were asked for, so nothing else may write to the table
/// while it exists.
final class PlaceWriter {
  private let connection: Connection
  private let insert: Statement
  private var known: [[UInt8]: Int64]?
  private var nextID: Int64 = 1
  /// The number of names that were looked up in the table.
  private var lookups = 0
  /// The number of names that are looked up in the table before all rows are cached. Forgetting a
  /// zone, or recording a few fixes, often needs no more.
  private static let lookupsAtMost = 2
  /// Consecutive fixes of a track usually have the same names.
  private var last: (names: PlaceNames, id: Int64)?
  /// The countries, regions, districts and cities of all rows; nil if nobody asks what was reached.
  private var visited: VisitedLevels?
  /// The places reached for the first time since ``takeReached()``.
  private var reached: [ReachedPlace] = []

  init(_ connection: Connection) throws(DatabaseError) {
    self.connection = connection
    insert = try Statement(
      "INSERT INTO places (id, \(StoredPlaces.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
      on: connection)
  }

  /// Returns the number of the row with these names, adding the row if it is missing; nil if there
  /// are no names.
  ///
  /// - Complexity: O(1) on average; O(places) the first times.
  func id(of names: PlaceNames) throws(DatabaseError) -> Int64? {
    if let last, Self.areSame(last.names, names) { return last.id }
    if names.isEmpty { return nil }
    let names = names.clipped
    if known == nil, visited == nil, lookups < Self.lookupsAtMost {
      lookups += 1
      let id = try look(for: names)
      last = (names, id)
      return id
    }
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
      if visited != nil { reached += visited?.insert(names) ?? [] }
      nextID += 1
    }
    last = (names, id)
    return id
  }

  /// Starts to note places that no row had before. Call it before the first name is written.
  func noteReached() { visited = visited ?? VisitedLevels() }

  /// Returns the places reached for the first time since the last call, in that order.
  func takeReached() -> [ReachedPlace] {
    defer { reached = [] }
    return reached
  }

  /// Returns the bytes of all names. As in SQL, "ş" as one character and as two are different
  /// names.
  private static func key(_ names: PlaceNames) -> [UInt8] {
    var key: [UInt8] = []
    for name in [
      names.quarter, names.city, names.district, names.region, names.regionCode, names.country,
      names.countryCode,
    ] {
      // A marker that distinguishes a missing name from an empty one, and separates names: UTF-8
      // never contains these bytes.
      key.append(name == nil ? 0xFE : 0xFF)
      if let name { key.append(contentsOf: name.utf8) }
    }
    return key
  }

  /// Returns whether all names have the same bytes.
  private static func areSame(_ left: PlaceNames, _ right: PlaceNames) -> Bool {
    func areSame(_ left: String?, _ right: String?) -> Bool {
      guard let left, let right else { return left == nil && right == nil }
      let same = left.utf8.withContiguousStorageIfAvailable { left in
        right.utf8.withContiguousStorageIfAvailable { right in Self.areSame(left, right) }
      }
      return (same ?? nil) ?? left.utf8.elementsEqual(right.utf8)
    }
    return areSame(left.quarter, right.quarter) && areSame(left.city, right.city)
      && areSame(left.district, right.district) && areSame(left.region, right.region)
      && areSame(left.regionCode, right.regionCode) && areSame(left.country, right.country)
      && areSame(left.countryCode, right.countryCode)
  }

  /// Returns whether two names have the same bytes. `elementsEqual` compares them one by one, which
  /// a profile of an import shows.
  private static func areSame(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard left.count == right.count else { return false }
    guard let first = left.baseAddress, let second = right.baseAddress else { return true }
    return memcmp(first, second, left.count) == 0
  }

  /// Returns the number of the row with these names, adding the row if it is missing, without the
  /// cache.
  private func look(for names: PlaceNames) throws(DatabaseError) -> Int64 {
    let select = try connection.cached(
      """
      SELECT id FROM places
      WHERE id BETWEEN 1 AND \(StoredRange.lastNumberedRow) AND quarter IS ?1 AND city IS ?2
        AND district IS ?3 AND region IS ?4 AND region_code IS ?5 AND country IS ?6
        AND country_code IS ?7
      """)
    bind(names, to: select, from: 1)
    if try select.step() {
      let id = select.int64(at: 0)
      select.reset()
      return id
    }
    let highest = try connection.integer(
      "SELECT max(id) FROM places WHERE id BETWEEN 1 AND \(StoredRange.lastNumberedRow)")
    let id = (highest ?? 0) + 1
    try write(names, as: id)
    return id
  }

  /// Takes the cache out of the property, so that it has one owner while it changes.
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
      let id = select.int64(at: 7)
      let names = PlaceNames(row: select, from: 0)
      known[Self.key(names)] = id
      if visited != nil { _ = visited?.insert(names) }
      nextID = max(nextID, id + 1)
    }
    return known
  }

  private func write(_ names: PlaceNames, as id: Int64) throws(DatabaseError) {
    insert.bind(id, at: 1)
    bind(names, to: insert, from: 2)
    try insert.run(changing: 1)
  }

  private func bind(_ names: PlaceNames, to statement: borrowing Statement, from first: Int32) {
    statement.bind(names.quarter, at: first)
    statement.bind(names.city, at: first + 1)
    statement.bind(names.district, at: first + 2)
    statement.bind(names.region, at: first + 3)
    statement.bind(names.regionCode, at: first + 4)
    statement.bind(names.country, at: first + 5)
    statement.bind(names.countryCode, at: first + 6)
  }
}
