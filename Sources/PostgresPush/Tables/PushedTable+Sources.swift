import GeoStore
import GridHash
import SQLiteLayer

/// What the store has of its sources: the truth, from which all else can be rebuilt.
extension PushedTable {
  /// The settings that were set.
  static let settings = PushedTable(
    kind: 1, name: "settings", columns: ["key", "value", "changed_ms"], key: .whole
  ) { store, rows in
    let records = try store.snapshot.history.settingRecords()
    for (key, record) in records.sorted(by: { $0.key < $1.key }) {
      try rows.add(to: 0) { row in
        row.put(key)
        row.put(record.value)
        row.put(record.changed)
      }
    }
  }

  /// One row for each source.
  static let sources = PushedTable(
    kind: 2, name: "sources",
    columns: ["sha256", "number", "withheld"] + SourceRecord.columnNames, key: .source
  ) { store, rows in
    for (number, entry) in try store.sourcesInOrder().enumerated() {
      let sha256 = try PushedStore.sha256(entry.source)
      try rows.add(to: PieceKey.piece(sha256: sha256)) { row in
        row.put(sha256)
        row.put(Int64(number))
        row.put(entry.source.withheld)
        for value in entry.source.columns { row.put(value) }
      }
    }
  }

  /// The kept fixes as the store packs them, in the order of import.
  static let keptFixes = PushedTable(
    kind: 3, name: "kept_fixes", columns: ["chunk", "sha256", "count", "payload"],
    key: .row("chunk")
  ) { store, rows in
    try store.forEachChunk { number, sha256, packed in
      try rows.add(to: number) { row in
        row.put(number)
        row.put(sha256)
        row.put(Int32(packed.count))
        row.put(packed.payload)
      }
    }
  }

  /// The kept fixes one by one, if asked for.
  static let fixes = PushedTable(
    kind: 4, name: "fixes",
    columns: [
      "chunk", "number", "fix_time", "position", "accuracy", "starts_segment", "is_in_flight",
    ],
    key: .row("chunk")
  ) { store, rows in
    guard store.hasFixRows else { return }
    try store.forEachChunk { chunk, _, packed in
      for (number, fix) in try packed.fixes().enumerated() {
        try rows.add(to: chunk) { row in
          row.put(chunk)
          row.put(Int32(number))
          row.put(fix.time)
          row.put(fix.coordinate)
          row.put(fix.accuracyMeters)
          row.put(fix.startsSegment)
          row.put(fix.isInFlight)
        }
      }
    }
  }

  /// Cells that came with sources.
  static let sourceTiles = PushedTable(
    kind: 5, name: "source_tiles", columns: ["sha256", "tile", "bits"], key: .source
  ) { store, rows in
    for (id, sha256) in store.hashes {
      for stored in try store.snapshot.history.broughtData(ofSource: id).tiles {
        let tile = try Tile(serialized: stored.bits)
        try rows.add(to: PieceKey.piece(sha256: sha256)) { row in
          row.put(sha256)
          row.put(stored.key)
          row.put(bits: (0..<64).lazy.map { tile[row: $0] })
        }
      }
    }
  }

  /// Regions that came with sources.
  static let sourceRegions = PushedTable(
    kind: 6, name: "source_regions",
    columns: ["sha256", "number"] + BroughtData.regionColumnNames, key: .source
  ) { store, rows in
    for (id, sha256) in store.hashes {
      let regions = try store.snapshot.history.broughtData(ofSource: id).regions
      for (number, region) in regions.enumerated() {
        try rows.add(to: PieceKey.piece(sha256: sha256)) { row in
          row.put(sha256)
          row.put(Int32(number))
          for value in region { row.put(value) }
        }
      }
    }
  }

  /// Tiers of achievements that were reached.
  static let achievements = PushedTable(
    kind: 11, name: "achievements",
    columns: ["id", "tier", "unlocked_ms", "given_at"], key: .whole
  ) { store, rows in
    for reached in try store.snapshot.history.achievementRows() {
      try rows.add(to: 0) { row in
        row.put(reached.id)
        row.put(reached.tier)
        row.put(reached.time?.millisecondsSince1970)
        row.put(reached.givenAt.iso8601)
      }
    }
  }
}

extension PushedStore {
  /// The sources in the order of their times of import, which devices that share a history have in
  /// common; those of one millisecond in the order of the store.
  fileprivate func sourcesInOrder() throws -> [(id: Int64, source: SourceRecord)] {
    Self.ordered(try snapshot.history.sourceRecords())
  }

  /// Orders sources; times that cannot be read come first.
  static func ordered(
    _ sources: [(id: Int64, source: SourceRecord)]
  ) -> [(id: Int64, source: SourceRecord)] {
    let timed = sources.map { source in
      (
        milliseconds: source.source.importedAt?.millisecondsSince1970 ?? .min,
        id: source.id, source: source.source
      )
    }
    return timed.sorted { ($0.milliseconds, $0.id) < ($1.milliseconds, $1.id) }
      .map { ($0.id, $0.source) }
  }

  /// The hash of a source as bytes.
  static func sha256(_ source: SourceRecord) throws(PostgresError) -> [UInt8] {
    guard let bytes = SHA256Text.bytes(source.sha256) else {
      throw .damaged(table: "sources of the store", reason: "\(source.sha256) is no SHA-256")
    }
    return bytes
  }

  /// Calls `body` with the chunks of kept fixes, numbered from 0 on in the order of import.
  func forEachChunk(
    _ body: (_ number: Int64, _ sha256: [UInt8], PackedFixes) throws -> Void
  ) throws {
    let known = Dictionary(uniqueKeysWithValues: hashes.map { ($0.id, $0.sha256) })
    var number: Int64 = 0
    for chunk in try snapshot.history.chunks() {
      guard let sha256 = known[chunk.source] else { continue }
      for packed in try snapshot.history.packedFixes(chunk.id...chunk.id, ofSource: chunk.source) {
        try body(number, sha256, packed)
        number += 1
      }
    }
  }
}
