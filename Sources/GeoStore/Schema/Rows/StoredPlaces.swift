import Geodesy
import SQLiteLayer

/// Place names for regions that are being read: one object for each row of `places`, read once.
///
/// Not `Sendable`: it belongs to one connection and one state of the store.
final class StoredPlaces {
  private let connection: Connection
  private var known: [Int64: SharedPlaceNames] = [:]
  private var last: (id: Int64, names: SharedPlaceNames)?

  init(_ connection: Connection) { self.connection = connection }

  /// The columns of `places` with names, in the order of ``PlaceNames/init(row:from:)``.
  static let columns = "quarter, city, district, region, region_code, country, country_code"

  /// Returns the names of the place whose number is in a column; none for NULL.
  ///
  /// - Throws: ``DatabaseError/damaged(path:detail:cause:)`` if there is no such place.
  func names(
    _ row: borrowing Statement, at column: Int32, of region: Int64
  ) throws(DatabaseError) -> SharedPlaceNames {
    if row.isNull(at: column) { return .none }
    let id = row.int64(at: column)
    if let last, last.id == id { return last.names }
    let names: SharedPlaceNames
    if let found = known[id] {
      names = found
    } else {
      guard let read = try connection.placeNames(id) else {
        throw row.damaged(column, of: "regions, row \(region)")
      }
      names = SharedPlaceNames(read)
      known[id] = names
    }
    last = (id, names)
    return names
  }

  /// Approximate size of the names in bytes.
  var byteCount: Int { known.count * 250 }
}

extension PlaceNames {
  /// The number of columns with names.
  static let columnCount: Int32 = 7

  /// Creates names from the columns of a row.
  init(row: borrowing Statement, from column: Int32) {
    self.init(
      countryCode: row.text(at: column + 6), country: row.text(at: column + 5),
      regionCode: row.text(at: column + 4), region: row.text(at: column + 3),
      district: row.text(at: column + 2), city: row.text(at: column + 1),
      quarter: row.text(at: column))
  }

  /// The names in the order of the columns of `places`.
  package var inColumns: [String?] {
    [quarter, city, district, region, regionCode, country, countryCode]
  }

  /// Maximum size of a stored name in bytes, because every listing of many regions repeats it.
  static let longestStoredBytes = 1_000

  /// The names, each truncated to the maximum size.
  var clipped: PlaceNames {
    func clip(_ name: String?) -> String? {
      guard let name, name.utf8.count > Self.longestStoredBytes else { return name }
      var clipped = ""
      for scalar in name.unicodeScalars {
        guard clipped.utf8.count + UTF8.width(scalar) <= Self.longestStoredBytes else { break }
        clipped.unicodeScalars.append(scalar)
      }
      return clipped
    }
    return PlaceNames(
      countryCode: clip(countryCode), country: clip(country),
      regionCode: clip(regionCode), region: clip(region), district: clip(district),
      city: clip(city), quarter: clip(quarter))
  }

  /// Whether all names are nil.
  var isEmpty: Bool {
    quarter == nil && city == nil && district == nil && region == nil && regionCode == nil
      && country == nil && countryCode == nil
  }
}

extension Connection {
  /// Returns the names in the row of `places` with this number; nil if there is no such row.
  fileprivate func placeNames(_ id: Int64) throws(DatabaseError) -> PlaceNames? {
    let select = try cached("SELECT \(StoredPlaces.columns) FROM places WHERE id = ?1")
    select.bind(id, at: 1)
    guard try select.step() else { return nil }
    for column in 0..<PlaceNames.columnCount
    where try select.withBytes(at: column, { $0.count > PlaceNames.longestStoredBytes }) {
      throw select.damaged(column, of: "places, row \(id)")
    }
    return PlaceNames(row: select, from: 0)
  }
}
