import CSQLite
import Foundation
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// Reading databases that differ slightly from those of the app.
@Suite struct AppDatabaseTests {
  private let folder: TemporaryFolder
  private static let least =
    "latitude REAL, longitude REAL, timestamp_start TEXT, visit_count INTEGER"

  init() throws { folder = try TemporaryFolder() }

  private func connection(_ sql: String) throws -> Connection {
    let connection = try Connection(
      path: folder.file("app.sqlite"), flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    try connection.execute(sql)
    return connection
  }

  private func rows(_ sql: String) throws -> [AppRow] {
    let path = try { () throws in try connection(sql).path }()
    var rows: [AppRow] = []
    try AppDatabase(path: path).forEachRow { rows.append($0) }
    return rows
  }

  @Test func `rows of a table without an id column come in the order of its primary key`() throws {
    let rows = try rows(
      """
      CREATE TABLE visited_regions (uuid TEXT COLLATE NOCASE, part INTEGER, \(Self.least),
        PRIMARY KEY (part, uuid)) WITHOUT ROWID;
      INSERT INTO visited_regions VALUES ('b', 2, 1, 2, 'x', 1), ('a', 2, 3, 4, 'y', 1), \
      ('c', 1, 5, 6, 'z', 1);
      """)
    #expect(rows.map(\.id) == [1, 2, 3])
    #expect(rows.map { $0["latitude"] } == [.real(5), .real(3), .real(1)])
    #expect(rows.map { $0["timestamp_start"] } == [.text("z"), .text("y"), .text("x")])
  }

  @Test(arguments: [75, 700, 1_995])
  func `a table may have up to 1999 columns`(count: Int) throws {
    let extra = (0..<count).map { "c\($0)" }
    let rows = try rows(
      """
      CREATE TABLE visited_regions (\(Self.least), \(extra.joined(separator: ", ")));
      INSERT INTO visited_regions (latitude, c0, c\(count - 1)) VALUES (1.5, 'first', 'last');
      """)
    let original = try JSONTree(parsing: try #require(rows.first).original)
    #expect(original.latitude.double == 1.5 && original.c0.string == "first")
    #expect(rows[0].original.hasSuffix(",\"c\(count - 1)\":\"last\"}"))
  }

  @Test func `names of tables and columns are case-insensitive, as in SQLite`() throws {
    let rows = try rows(
      """
      CREATE TABLE Visited_Regions (RowID INTEGER, Latitude REAL, \
      LONGITUDE REAL, "Timestamp_Start" TEXT,
        visit_COUNT INTEGER, City TEXT, \"say \"\"hi\"\"\" TEXT);
      INSERT INTO visited_regions (_rowid_, rowid, latitude, longitude, city, \"say \"\"hi\"\"\")
        VALUES (9, 1, 2.5, 3.5, 'Bern', 'hello');
      """)
    #expect(rows.map(\.id) == [9])
    #expect(rows[0]["latitude"] == .real(2.5) && rows[0]["longitude"] == .real(3.5))
    #expect(rows[0]["city"] == .text("Bern"))
    #expect(
      rows[0].original
        == #"{"RowID":1,"Latitude":2.5,"LONGITUDE":3.5,"Timestamp_Start":null,"visit_COUNT":null,"#
        + #""City":"Bern","say \"hi\"":"hello"}"#
    )
  }

  /// Contents that SQLite would have to compute, for as long as the author of the SQL likes.
  @Test(arguments: [
    (
      """
      CREATE VIEW visited_regions AS
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT i AS latitude, i AS longitude, 'x' AS timestamp_start, 1 AS visit_count FROM n;
      """, "is a view, not a table"
    ),
    (
      """
      CREATE TABLE visited_regions (
        latitude REAL, longitude REAL, timestamp_start TEXT, visit_count INTEGER, \
      half REAL AS (latitude / 2));
      INSERT INTO visited_regions VALUES (1.5, 2.5, NULL, 1);
      """, "the column half of its table visited_regions is generated"
    ),
  ])
  func `a view in place of the table and generated columns are refused`(sql: String, word: String)
    throws
  {
    let writer = try connection(sql)
    let error = #expect(throws: StoreError.self) { try AppDatabase(path: writer.path) }
    #expect(error?.description.contains(word) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: Seeds.sample(4))
  func `every value can be restored from the original row`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let writer = try connection(
      "CREATE TABLE visited_regions (\(Self.least), real, whole, bytes, text)")
    var expected: [(real: Double, whole: Int64, bytes: [UInt8], text: String)] = []
    let insert = try Statement(
      "INSERT INTO visited_regions (real, whole, bytes, text) VALUES (?1, ?2, ?3, ?4)", on: writer)
    for index in 0..<300 {
      var real = Double(bitPattern: random.next())
      if real.isNaN { real = [.infinity, -.infinity, -0.0, .leastNonzeroMagnitude][index % 4] }
      let scalars = (0..<5).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &random))
      }
      let row = (
        real, Int64(bitPattern: random.next()),
        (0..<index % 9).map { _ in UInt8.random(in: 0...255, using: &random) },
        String(String.UnicodeScalarView(scalars)) + "\"\\\u{0}\n"
      )
      expected.append(row)
      insert.bind(row.0, at: 1)
      insert.bind(row.1, at: 2)
      insert.bind(row.2, at: 3)
      insert.bind(row.3, at: 4)
      try insert.run()
    }
    var originals: [String] = []
    try AppDatabase(path: writer.path).forEachRow { originals.append($0.original) }
    #expect(originals.count == expected.count)
    let extract = try Statement(
      "SELECT json_valid(?1), json_extract(?1, '$.real'), json_extract(?1, '$.whole')", on: writer)
    for (original, row) in zip(originals, expected) {
      extract.bind(original, at: 1)
      #expect(try extract.step() && extract.int(at: 0) == 1, "\(original)")
      #expect(extract.int64(at: 2) == row.whole)
      // SQLite parses only 15 digits exactly; the standard library parses all of them.
      if row.real.isInfinite { #expect(extract.double(at: 1) == row.real) }
      extract.reset()
      let digits = try #require(original.range(of: "\"real\":")).upperBound
      let number = Double(original[digits...].prefix { $0 != "," })
      #expect((number ?? .nan).bitPattern == row.real.bitPattern, "\(original)")
      let tree = try JSONTree(parsing: original.replacing("9e999", with: "0"))
      #expect(tree.text.string == row.text)
      #expect(tree.bytes.blob.string == row.bytes.map { String(format: "%02X", $0) }.joined())
    }
  }

  @Test func `text with invalid UTF-8 is kept as bytes, and UTF-16 is kept as text`() throws {
    let rows = try rows(
      """
      CREATE TABLE visited_regions (\(Self.least), city TEXT);
      INSERT INTO visited_regions (city) VALUES (CAST(X'63E9' AS TEXT));
      """)
    #expect(rows[0].original.hasSuffix(#""city":{"text":"63E9"}}"#))
    let wide = folder.file("wide.sqlite")
    do {
      let connection = try Connection(path: wide, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      try connection.execute(
        """
        PRAGMA encoding = 'UTF-16le'; CREATE TABLE visited_regions (\(Self.least), city TEXT);
        INSERT INTO visited_regions (city) VALUES ('Zürich');
        """)
    }
    var texts: [String] = []
    try AppDatabase(path: wide).forEachRow { texts.append($0.original) }
    #expect(texts.count == 1 && texts[0].hasSuffix(#""city":"Zürich"}"#))
  }

  @Test func `an error thrown by the caller's closure is rethrown unchanged`() throws {
    let path = try { () throws in
      try connection(
        "CREATE TABLE visited_regions (\(Self.least)); "
          + "INSERT INTO visited_regions VALUES (1, 2, 3, 4)"
      ).path
    }()
    let error = DatabaseError.damaged(path: "store", detail: "made up")
    #expect(throws: error) {
      try AppDatabase(path: path).forEachRow { (_) throws(DatabaseError) in throw error }
    }
  }
}
