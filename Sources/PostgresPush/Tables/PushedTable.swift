import ByteStreams
import Geodesy
import GeoStore
import GridHash
import SQLiteLayer

/// A table on the server that a push fills from the store.
struct PushedTable: Sendable {
  /// The number of the table in `roqua.pieces`, which is never used for another one.
  let kind: Int16
  /// Its name, without the schema.
  let name: String
  /// Its columns after `person`.
  let columns: [String]
  /// How its rows are divided.
  let key: PieceKey
  /// Writes the rows of a store, the rows of a piece one after another.
  private let write: @Sendable (PushedStore, inout PieceRows) throws -> Void

  init(
    kind: Int16, name: String, columns: [String], key: PieceKey,
    write: @escaping @Sendable (PushedStore, inout PieceRows) throws -> Void
  ) {
    (self.kind, self.name, self.columns) = (kind, name, columns)
    (self.key, self.write) = (key, write)
  }

  /// Calls `take` with each piece and its rows.
  ///
  /// - Throws: `DatabaseError`, `PackedBytesError`, and any error that `take` throws.
  func forEachPiece(
    of store: PushedStore, _ take: @escaping (Int64, CopyRows) throws -> Void
  ) throws {
    var rows = PieceRows(person: store.person, fields: columns.count + 1, take)
    try write(store, &rows)
    try rows.finish()
  }

  /// All tables.
  static let all = [
    settings, sources, keptFixes, fixes, sourceTiles, sourceRegions, places, regions, visits, tiles,
    achievements,
  ]
}

/// A state of a store, as it is pushed.
struct PushedStore {
  let snapshot: Snapshot
  /// The key of the person.
  let person: Int64
  /// Whether kept fixes are written one by one as well.
  let hasFixRows: Bool
  /// The numbers and hashes of the sources.
  let hashes: [(id: Int64, sha256: [UInt8])]

  /// - Throws: `DatabaseError`, ``PostgresError/damaged(table:reason:)``.
  init(snapshot: Snapshot, person: Int64, hasFixRows: Bool) throws {
    (self.snapshot, self.person, self.hasFixRows) = (snapshot, person, hasFixRows)
    hashes = try snapshot.history.sourceRecords().map { ($0.id, try Self.sha256($0.source)) }
  }

  /// The exploration radius in millimeters.
  var gridMillimeters: Int32 { Int32(snapshot.settings.grid.explorationRadiusMillimeters) }

  /// Counts changes of this program in what it writes for the same store.
  private static let rowFormat = 1

  /// A digest of what is pushed, which does not read what is derived from the sources.
  ///
  /// - Complexity: O(sources + chunks).
  func content() throws -> String {
    var hash = SHA256()
    for table in [PushedTable.settings, .sources, .achievements] {
      try table.forEachPiece(of: self) { _, rows in hash.update(rows.bytes) }
      hash.update([0])
    }
    let numbers = try snapshot.history.contentNumbers()
    hash.update(Array("\(numbers), \(gridMillimeters), \(hasFixRows), \(Self.rowFormat)".utf8))
    return hash.finalizeHexadecimal()
  }
}

extension CopyRows {
  /// A value of the store in a column of the same type: integers are `bigint`, real numbers `double
  /// precision`.
  mutating func put(_ value: DatabaseValue) {
    switch value {
    case .null: null()
    case .integer(let value): put(value)
    case .real(let value): put(value)
    case .text(let value): put(value)
    case .blob(let value): put(value)
    }
  }
}
