import ByteStreams
import Geodesy
import GeoStore
import GridHash
import SQLiteLayer

/// What a database has of a person's sources, as of one moment.
struct PulledPerson {
  let connection: PostgresConnection
  let key: Int64

  private func copy(
    _ columns: [String], from table: String, order: String, where condition: String = "true",
    _ body: (inout CopyRowReader) throws -> Void
  ) throws {
    let sql = """
      COPY (SELECT \(columns.joined(separator: ", ")) FROM roqua.\(table)
      WHERE person = \(key) AND \(condition) ORDER BY \(order)) TO STDOUT BINARY
      """
    try connection.copyOut(sql) { message in
      guard var row = try CopyRowReader(message, fields: columns.count, of: table) else { return }
      try body(&row)
    }
  }

  /// The settings that were set.
  func settings() throws -> [String: SettingRecord?] {
    var settings: [String: SettingRecord?] = [:]
    try copy(PushedTable.settings.columns, from: "settings", order: "key") { row in
      let key = try row.required(row.text())
      let value = try row.required(row.double())
      settings[key] = try SettingRecord(value: value, changed: row.required(row.int64()))
    }
    return settings
  }

  /// The rows of the sources, in the order of import.
  func sources() throws -> [SourceRecord] {
    var sources: [SourceRecord] = []
    try copy(PushedTable.sources.columns, from: "sources", order: "number") { row in
      let sha256 = Hexadecimal.text(try row.required(row.data()))
      _ = try row.int64()
      let withheld = try row.required(row.int64())
      let columns = try SourceRecord.columnNames.map { name -> DatabaseValue in
        switch name {
        case "bytes", "points", "forgotten", "is_cut", "stays_at_end":
          try row.int64().map(DatabaseValue.integer) ?? .null
        case "highest_m", "lowest_m": try row.double().map(DatabaseValue.real) ?? .null
        default: try row.text().map(DatabaseValue.text) ?? .null
        }
      }
      sources.append(SourceRecord(sha256: sha256, withheld: withheld, columns: columns))
    }
    return sources
  }

  /// The sources of the chunks of kept fixes, in order.
  func chunkSources() throws -> [String] {
    var sources: [String] = []
    try copy(["chunk", "sha256"], from: "kept_fixes", order: "chunk") { row in
      guard try row.int64() == Int64(sources.count) else {
        throw PostgresError.missingChunks
      }
      sources.append(Hexadecimal.text(try row.required(row.data())))
    }
    return sources
  }

  /// Some chunks of kept fixes, in order.
  func chunks(_ range: Range<Int>) throws -> [PackedFixes] {
    var chunks: [PackedFixes] = []
    try copy(
      ["count", "payload"], from: "kept_fixes", order: "chunk",
      where: "chunk BETWEEN \(range.lowerBound) AND \(range.upperBound - 1)"
    ) { row in
      let count = Int(try row.required(row.int32()))
      chunks.append(PackedFixes(count: count, payload: try row.required(row.data())))
    }
    return chunks
  }

  /// What came with sources without fixes, by their hashes.
  func broughtData() throws -> [String: BroughtData] {
    var data: [String: BroughtData] = [:]
    try copy(PushedTable.sourceTiles.columns, from: "source_tiles", order: "tile") { row in
      let sha256 = Hexadecimal.text(try row.required(row.data()))
      let key = try row.required(row.int64())
      let tile = Tile(rows: try row.bits())
      data[sha256, default: BroughtData()].tiles.append(
        BroughtData.Tile(key: key, cells: tile.count, bits: tile.serialized()))
    }
    try copy(PushedTable.sourceRegions.columns, from: "source_regions", order: "number") { row in
      let sha256 = Hexadecimal.text(try row.required(row.data()))
      _ = try row.int32()
      let values = try BroughtData.regionColumnNames.map { name -> DatabaseValue in
        switch name {
        case "latitude", "longitude", "accuracy":
          try row.double().map(DatabaseValue.real) ?? .null
        case "radius", "start_ms", "end_ms", "visit_count":
          try row.int64().map(DatabaseValue.integer) ?? .null
        default: try row.text().map(DatabaseValue.text) ?? .null
        }
      }
      data[sha256, default: BroughtData()].regions.append(values)
    }
    return data
  }

  /// The tiers of achievements that were reached.
  func achievements() throws -> [AchievementRow] {
    var rows: [AchievementRow] = []
    try copy(PushedTable.achievements.columns, from: "achievements", order: "id, tier") { row in
      let id = try row.required(row.text())
      let tier = try row.required(row.double())
      let time = try row.int64().map(Timestamp.init(millisecondsSince1970:))
      let given = try row.required(Timestamp(iso8601: row.required(row.text())))
      rows.append(
        AchievementRow(id: id, tier: tier, time: time, generation: 0, givenAt: given))
    }
    return rows
  }
}
