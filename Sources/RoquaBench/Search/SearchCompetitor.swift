import Foundation
import GeoStore
import Geodesy

/// A region with the columns that Roqua returns too, and its distance.
struct CompetitorRow {
  let id: Int64
  let latitude: Double
  let longitude: Double
  let radius: Int64
  let start: String?
  let end: String?
  let visitCount: Int64
  let countryCode: String?
  let country: String?
  let region: String?
  let district: String?
  let city: String?
  var meters = 0.0

  /// The columns that ``init(_:)`` reads, in order.
  static let columns = [
    "id", "latitude", "longitude", "radius", "timestamp_start", "timestamp_end", "visit_count",
    "country_code",
    "country", "region", "district", "city",
  ]

  init(_ statement: CompetitorStatement) {
    id = statement.integer(0)
    latitude = statement.double(1)
    longitude = statement.double(2)
    radius = statement.integer(3)
    start = statement.text(4)
    end = statement.text(5)
    visitCount = statement.integer(6)
    countryCode = statement.text(7)
    country = statement.text(8)
    region = statement.text(9)
    district = statement.text(10)
    city = statement.text(11)
  }

  var coordinate: Coordinate? {
    try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }
}

/// A competitor in searches of the same regions: an index and the statements that use it best.
protocol SearchCompetitor {
  /// Its name in tables.
  var name: String { get }
  /// True if it measures on the ellipsoid by itself; the others return candidates, which Roqua's
  /// distance filters.
  var measuresItself: Bool { get }
  /// Rows in a box, with all columns.
  func rows(in box: BoundingBox) throws -> [CompetitorRow]
  /// Rows within a radius, with all columns and distances, nearest first.
  func rows(near center: Coordinate, radiusMeters: Double) throws -> [CompetitorRow]
}

extension SearchCompetitor {
  var measuresItself: Bool { false }

  /// Rows within a radius, from the candidates in the box around it: measured, filtered and sorted
  /// by Roqua's fast distance, so that only the index differs.
  func rows(near center: Coordinate, radiusMeters: Double) throws -> [CompetitorRow] {
    let frame = LocalFrame(center: center)
    let near = NearbyDistance(center: center)
    let reaches = near.reaches(radiusMeters)
    var found: [CompetitorRow] = []
    for var row in try rows(in: BoundingBox(around: frame, radiusMeters: radiusMeters)) {
      guard let coordinate = row.coordinate else { continue }
      row.meters =
        reaches
        ? near.meters(
          squaredChord: near.squaredChord(
            latitudeE7: coordinate.latitudeE7, longitudeE7: coordinate.longitudeE7))
        : center.distanceMeters(to: coordinate)
      if row.meters <= radiusMeters { found.append(row) }
    }
    found.sort { ($0.meters, $0.id) < ($1.meters, $1.id) }
    return found
  }
}

/// The Roqua app's index: latitude, then longitude.
struct PlainIndexCompetitor: SearchCompetitor {
  let name = "index on (latitude, longitude)"
  private let select: CompetitorStatement

  static func build(in database: CompetitorDatabase) throws {
    try database.execute("CREATE INDEX by_position ON regions (latitude, longitude)")
  }

  init(_ database: CompetitorDatabase) throws {
    select = try database.prepare(
      """
      SELECT \(CompetitorRow.columns.joined(separator: ", ")) FROM regions INDEXED BY by_position
      WHERE latitude BETWEEN ?1 AND ?2 AND longitude BETWEEN ?3 AND ?4
      """)
  }

  func rows(in box: BoundingBox) throws -> [CompetitorRow] { try select.rows(in: box) }
}

/// An index on the geohash as text, searched for the cells that cover the box, at the length that
/// takes at most nine. It holds the positions too, so that rows of those cells outside the box are
/// not read.
struct GeohashTextCompetitor: SearchCompetitor {
  let name = "index on geohash text"
  private let select: CompetitorStatement

  static func build(in database: CompetitorDatabase) throws {
    try database.execute("CREATE INDEX by_geohash ON regions (geohash, latitude, longitude)")
  }

  init(_ database: CompetitorDatabase) throws {
    select = try database.prepare(
      """
      SELECT \(CompetitorRow.columns.joined(separator: ", ")) FROM regions INDEXED BY by_geohash
      WHERE geohash >= ?5 AND geohash < ?6
        AND latitude BETWEEN ?1 AND ?2 AND longitude BETWEEN ?3 AND ?4
      """)
  }

  func rows(in box: BoundingBox) throws -> [CompetitorRow] {
    let lengths = stride(from: 8, to: 1, by: -1).lazy
    let fitting = lengths.map { ($0, Geohash.Cover(of: box, length: $0)) }.first { $0.1.count <= 9 }
    guard let (length, cover) = fitting else { return [] }
    var rows: [CompetitorRow] = []
    for row in cover.rows {
      for column in cover.columns.joined() {
        let range = Geohash(column: column, row: row, length: length).textRange
        select.bind(range.from, at: 5)
        select.bind(range.below, at: 6)
        rows += try select.rows(in: box)
      }
    }
    return rows
  }
}

/// SQLite's R*Tree, joined with the table for the columns.
struct RTreeCompetitor: SearchCompetitor {
  let name = "R*Tree joined"
  private let select: CompetitorStatement

  static func build(in database: CompetitorDatabase) throws {
    try database.execute(
      """
      CREATE VIRTUAL TABLE tree USING rtree(id, south, north, west, east);
      BEGIN;
      INSERT INTO tree SELECT id, latitude, latitude, longitude, longitude FROM regions;
      COMMIT;
      """)
  }

  init(_ database: CompetitorDatabase) throws {
    let columns = CompetitorRow.columns.map { "r.\($0)" }.joined(separator: ", ")
    select = try database.prepare(
      """
      SELECT \(columns) FROM tree AS t CROSS JOIN regions AS r ON r.id = t.id
      WHERE t.north >= ?1 AND t.south <= ?2 AND t.east >= ?3 AND t.west <= ?4
        AND r.latitude BETWEEN ?1 AND ?2 AND r.longitude BETWEEN ?3 AND ?4
      """)
  }

  func rows(in box: BoundingBox) throws -> [CompetitorRow] { try select.rows(in: box) }
}

extension CompetitorStatement {
  /// The rows in a box, bound as south, north, west and east.
  fileprivate func rows(in box: BoundingBox) throws -> [CompetitorRow] {
    var rows: [CompetitorRow] = []
    for range in box.longitudeRangesE7 {
      bind(box.south, at: 1)
      bind(box.north, at: 2)
      bind(Double(range.lowerBound) / 1e7, at: 3)
      bind(Double(range.upperBound) / 1e7, at: 4)
      defer { reset() }
      while try step() { rows.append(CompetitorRow(self)) }
    }
    return rows
  }
}
