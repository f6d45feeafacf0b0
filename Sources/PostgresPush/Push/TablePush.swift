import GeoStore

/// Makes the rows of one table those of the store: pieces that differ are deleted and written.
struct TablePush {
  let table: PushedTable
  let store: PushedStore
  let person: RemotePerson
  private var connection: PostgresConnection { person.connection }

  init(_ table: PushedTable, of store: PushedStore, to person: RemotePerson) {
    (self.table, self.store, self.person) = (table, store, person)
  }

  /// Does so.
  ///
  /// - Returns: what changed.
  /// - Throws: ``PostgresError``, `DatabaseError`, `CancellationError`.
  /// - Complexity: O(rows of the store), and O(pieces that differ) on the server; memory for the
  ///   rows of a piece and the digests of all.
  func run() throws -> PushReport.Table {
    var report = PushReport.Table(name: table.name)
    let known = try person.pieces(of: table)
    if known.isEmpty {
      // Nothing to compare with: one reading is enough. Rows without digests are of somebody who
      // wants everything to be written again.
      report.deleted = try delete([0], by: .whole)
      var written: [Int64: PieceDigest] = [:]
      report.written = try copy { piece, rows in
        written[piece] = PieceDigest(of: rows.bytes)
        return true
      }
      try put(written, replacing: [])
      return report
    }
    let changes = try compare(with: known)
    guard !changes.isEmpty else { return report }
    report.deleted = try delete(changes.deleted, by: changes.isEverything ? .whole : table.key)
    if !changes.written.isEmpty {
      report.written = try copy { piece, _ in changes.written[piece] != nil }
    }
    try put(changes.written, replacing: changes.deleted)
    return report
  }

  private struct Changes {
    /// The pieces to write, with their digests.
    var written: [Int64: PieceDigest] = [:]
    /// The pieces to delete: those that are written again, and those that the store has no longer.
    var deleted: [Int64] = []
    /// Whether nothing of the table stays as it is.
    var isEverything = false

    var isEmpty: Bool { written.isEmpty && deleted.isEmpty }
  }

  private func compare(with known: [Int64: PieceDigest]) throws -> Changes {
    var changes = Changes()
    var gone = known
    var kept = 0
    try table.forEachPiece(of: store) { piece, rows in
      try Cancellation.current?.check()
      let digest = PieceDigest(of: rows.bytes)
      gone[piece] = nil
      if known[piece] == digest {
        kept += 1
        return
      }
      changes.written[piece] = digest
      if known[piece] != nil { changes.deleted.append(piece) }
    }
    changes.deleted = (changes.deleted + gone.keys).sorted()
    changes.isEverything = kept == 0
    return changes
  }

  /// Deletes the rows of pieces, in ascending order. Returns their number.
  private func delete(_ pieces: [Int64], by key: PieceKey) throws(PostgresError) -> Int {
    guard !pieces.isEmpty else { return 0 }
    let (low, high) = key.ranges(of: pieces, person: person.key)
    return try connection.run(
      key.deletion(from: table.name), ["\(person.key)", low, high]
    ).changedCount
  }

  /// Copies the rows of the pieces that `isWritten` chooses. Returns the number of rows.
  private func copy(_ isWritten: (Int64, CopyRows) -> Bool) throws -> Int {
    let columns = (["person"] + table.columns).joined(separator: ", ")
    var count = 0
    try connection.copyIn("COPY roqua.\(table.name) (\(columns)) FROM STDIN BINARY") { send in
      try CopyRows.header.withUnsafeBytes(send)
      try withoutActuallyEscaping(isWritten) { isWritten in
        try withoutActuallyEscaping(send) { send in
          try table.forEachPiece(of: store) { piece, rows in
            try Cancellation.current?.check()
            guard isWritten(piece, rows) else { return }
            count += rows.count
            try rows.bytes.withUnsafeBytes(send)
          }
        }
      }
      try CopyRows.trailer.withUnsafeBytes(send)
    }
    return count
  }

  /// Stores the digests of pieces.
  private func put(_ written: [Int64: PieceDigest], replacing deleted: [Int64]) throws {
    if !deleted.isEmpty {
      let (low, high) = PieceKey.row("piece").ranges(of: deleted, person: person.key)
      try connection.run(
        """
        DELETE FROM roqua.pieces t USING unnest($3::bigint[], $4::bigint[]) AS gone(low, high)
        WHERE t.person = $1::bigint AND t.kind = $2::smallint
          AND t.piece BETWEEN gone.low AND gone.high
        """, ["\(person.key)", "\(table.kind)", low, high])
    }
    guard !written.isEmpty else { return }
    var rows = CopyRows()
    for (piece, digest) in written.sorted(by: { $0.key < $1.key }) {
      rows.begin(fields: 4)
      rows.put(person.key)
      rows.put(table.kind)
      rows.put(piece)
      rows.put(digest.bytes)
    }
    try connection.copyIn(
      "COPY roqua.pieces (person, kind, piece, digest) FROM STDIN BINARY"
    ) { send in
      for part in [CopyRows.header, rows.bytes, CopyRows.trailer] {
        try part.withUnsafeBytes(send)
      }
    }
  }
}
