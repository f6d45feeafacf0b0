import Geocode
import Geodesy
import GeoStore
import GridHash
import Roqua
import RoquaSQL
import TestSupport
import Testing

/// The scalar functions, against the libraries that they call.
@Suite struct ScalarFunctionTests {
  private let fixture: SQLFixture

  init() throws { fixture = try SQLFixture() }

  @Test(arguments: Seeds.sample(100))
  func `roqua_distance is the distance of the library`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (a, b) = (Coordinate.random(using: &random), Coordinate.random(using: &random))
    let meters = try fixture.value(
      "SELECT roqua_distance(:a, :b, :c, :d)",
      [
        "a": .real(a.latitudeDegrees), "b": .real(a.longitudeDegrees),
        "c": .real(b.latitudeDegrees), "d": .real(b.longitudeDegrees),
      ])
    #expect(meters == .real(a.distanceMeters(to: b)))
  }

  @Test(arguments: Seeds.sample(100))
  func `roqua_place and roqua_country name the place of the geocoder`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let coordinate = Coordinate.random(using: &random)
    let place = fixture.explorer.place(at: coordinate)
    let parameters: [String: SQLValue] = [
      "a": .real(coordinate.latitudeDegrees), "b": .real(coordinate.longitudeDegrees),
    ]
    let row = try fixture.rows(
      """
      SELECT roqua_place(:a, :b), roqua_country(:a, :b), roqua_place(:a, :b, 'countryCode'),
        roqua_place(:a, :b, 'city'), roqua_place(:a, :b, 'cityDistanceMeters'),
        roqua_place(:a, :b, 'sea')
      """, parameters)
    #expect(
      row == [
        [
          .text(place.json(at: coordinate).description), place.countryCode.sql,
          place.countryCode.sql, place.city.sql,
          place.cityDistanceMeters.map { .real($0) } ?? .null,
          place.sea.sql,
        ]
      ])
  }

  @Test(arguments: Seeds.sample(50))
  func `roqua_cell is the cell of the grid`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let coordinate = Coordinate.random(using: &random)
    let radius = Double.random(in: 1...100_000, using: &random)
    let row = try fixture.rows(
      "SELECT roqua_cell(:a, :b), roqua_cell(:a, :b, :r)",
      [
        "a": .real(coordinate.latitudeDegrees), "b": .real(coordinate.longitudeDegrees),
        "r": .real(radius),
      ])
    let grid = try Grid(explorationRadiusMeters: radius)
    #expect(
      row == [
        [
          .text(Grid.standard.cell(containing: coordinate).gridHash),
          .text(grid.cell(containing: coordinate).gridHash),
        ]
      ])
  }

  @Test func `without a radius, roqua_cell uses the grid of the store, also after it has changed`()
    throws
  {
    let sql = "SELECT roqua_cell(48.5, 7.7)"
    let before = try fixture.value(sql)
    try fixture.explorer.set(.explorationRadiusMeters, to: 300)
    let after = try fixture.value(sql)
    #expect(after != before)
    #expect(try fixture.value("SELECT roqua_cell(48.5, 7.7, 300)") == after)
    // Every cell of the table is the cell of its own center.
    #expect(
      try fixture.value(
        "SELECT count(*) FROM roqua_cells WHERE hash <> roqua_cell(latitude, longitude)")
        == .integer(0))
  }

  @Test(arguments: [
    "roqua_distance(NULL, 1, 2, 3)", "roqua_distance(1, 2, 3, NULL)",
    "roqua_distance(NULL, 'x', 2, 3)", "roqua_place(NULL, 7)", "roqua_place(48, NULL, 'city')",
    "roqua_place(48, 7, NULL)", "roqua_country(48, NULL)", "roqua_cell(NULL, 7)",
    "roqua_cell(48, 7, NULL)",
  ])
  func `a NULL gives NULL`(call: String) throws {
    #expect(try fixture.value("SELECT \(call)") == .null)
  }

  @Test(arguments: [
    ("roqua_distance(91, 1, 2, 3)", "latitude"), ("roqua_distance(1, 1, -90.1, 3)", "latitude"),
    ("roqua_distance('north', 1, 2, 3)", "latitude must be a number"),
    ("roqua_distance(1, x'00', 2, 3)", "longitude must be a number"),
    ("roqua_distance(1, 9e999, 2, 3)", "longitude must be finite"),
    ("roqua_distance(1, 2)", "wrong number of arguments"),
    ("roqua_place(48, 7, 'town')", "countryCode"), ("roqua_place(48, 7, 1)", "must be a text"),
    ("roqua_country(1e99, 7)", "latitude"), ("roqua_cell(48, 7, 0)", "from 1 to 100000"),
    ("roqua_cell(48, 7, 'far')", "radius must be a number"),
  ])
  func `wrong arguments give an error that names them`(call: String, words: String) throws {
    let message = try fixture.failure("SELECT \(call)")
    #expect(message?.contains(words) == true, "\(message ?? "no error")")
  }

  @Test func `numbers may be given as text, and longitudes wrap`() throws {
    #expect(
      try fixture.rows(
        "SELECT roqua_cell('48.5', ' 7.7') = roqua_cell(48.5, 7.7), "
          + "roqua_distance(10, 181, 10, -179)") == [[.integer(1), .real(0)]])
  }

  @Test func `the functions may be used where only deterministic and innocuous ones may`() throws {
    let connection = try MemoryDatabase()
    try connection.execute("CREATE TABLE t (a REAL, b REAL)")
    try connection.execute("CREATE INDEX i ON t (roqua_country(a, b))")
    try connection.execute("CREATE INDEX j ON t (roqua_cell(a, b, 150))")
    try connection.execute("CREATE VIEW v AS SELECT roqua_distance(a, b, 0, 0) FROM t")
    try connection.execute("CREATE VIEW w AS SELECT * FROM roqua_fixes(1)")
    try connection.execute("PRAGMA trusted_schema = OFF")
    try connection.execute("SELECT * FROM v")
    // The result depends on the settings of the store.
    #expect(throws: DatabaseError.self) {
      try connection.execute("CREATE INDEX k ON t (roqua_cell(a, b))")
    }
    // The database is no store: that is the only reason.
    let message = #expect(throws: DatabaseError.self) { try connection.execute("SELECT * FROM w") }
    #expect(message?.description.contains("must be the main database") == true)
  }
}

extension String? {
  /// The text, or NULL.
  fileprivate var sql: SQLValue { map { .text($0) } ?? .null }
}
