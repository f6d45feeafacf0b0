/// A person in a database.
struct RemotePerson {
  let connection: PostgresConnection
  let name: String
  let key: Int64

  /// The person of this name.
  ///
  /// - Throws: ``PostgresError``, also if the tables are not those of this program.
  init(_ name: String, on connection: PostgresConnection) throws(PostgresError) {
    let key = try connection.run("SELECT roqua.person_key($1)", [name])
    guard let key = key[0, 0].flatMap({ Int64($0) }) else {
      throw .damaged(table: "roqua.person_key", reason: "it gives no number")
    }
    (self.connection, self.name, self.key) = (connection, name, key)
  }

  /// What the database says about the person.
  struct Row {
    let mark: String
    let hasFixRows: Bool
  }

  /// Locks the person's rows until the transaction ends: a push from another device waits.
  ///
  /// - Returns: what the database says; nil for somebody new, whose row is made.
  /// - Throws: ``PostgresError``.
  func lock() throws(PostgresError) -> Row? {
    let insert = try connection.run(
      """
      INSERT INTO roqua.people (person, name, grid_mm, mark, pushed_at)
      VALUES ($1::bigint, $2, 0, '00000000-0000-0000-0000-000000000000', now())
      ON CONFLICT DO NOTHING
      """, ["\(key)", name])
    let row = try connection.run(
      "SELECT name, mark, fix_rows FROM roqua.people WHERE person = $1::bigint FOR UPDATE",
      ["\(key)"])
    guard row.count == 1, let found = row[0, 0], let mark = row[0, 1] else {
      throw .damaged(table: "roqua.people", reason: "\(name) has no row")
    }
    guard found == name else { throw .nameTaken(name: name, by: found) }
    if insert.changedCount == 1 { return nil }
    return Row(mark: mark, hasFixRows: row[0, 2] == "t")
  }

  /// What the database says about a source.
  struct Source {
    let withheld: Int64
    let forgotten: Int64
  }

  /// The person's sources by their hashes.
  func sources() throws(PostgresError) -> [String: Source] {
    let rows = try connection.run(
      """
      SELECT encode(sha256, 'hex'), withheld, forgotten FROM roqua.sources
      WHERE person = $1::bigint
      """, ["\(key)"])
    var sources: [String: Source] = [:]
    for row in 0..<rows.count {
      guard let sha256 = rows[row, 0], let withheld = rows[row, 1].flatMap({ Int64($0) }),
        let forgotten = rows[row, 2].flatMap({ Int64($0) })
      else { throw .damaged(table: "roqua.sources", reason: "a row has no numbers") }
      sources[sha256] = Source(withheld: withheld, forgotten: forgotten)
    }
    return sources
  }

  /// The digests of the pieces of a table.
  func pieces(of table: PushedTable) throws(PostgresError) -> [Int64: PieceDigest] {
    let rows = try connection.run(
      """
      SELECT piece, digest FROM roqua.pieces WHERE person = $1::bigint AND kind = $2::smallint
      """, ["\(key)", "\(table.kind)"])
    var pieces: [Int64: PieceDigest] = [:]
    pieces.reserveCapacity(rows.count)
    for row in 0..<rows.count {
      guard let piece = rows[row, 0].flatMap({ Int64($0) }),
        let digest = rows[row, 1].flatMap({ PieceDigest(uuid: $0) })
      else { throw .damaged(table: "roqua.pieces", reason: "row of \(table.name)") }
      pieces[piece] = digest
    }
    return pieces
  }
}
