import GeoStore

/// The rows of sources, and which pieces they have.
extension Apply {
  /// Plans one source.
  mutating func plan(
    _ source: PresentSource, _ name: SourceName, into plan: inout PiecePlan
  ) throws {
    if let held = local.held[name], held.generation == source.generation {
      try applyRow(source, held, name)
    } else {
      guard try insert(source, name) else { return keep(source, name, in: &plan) }
    }
    guard let id = local.held[name]?.id else { return }
    if source.pieces.count > 1 || source.pieces.contains(where: { $0.alternatives[0].isErased }) {
      changedByMany.insert(id)
    }
    for number in source.pieces.indices {
      let place = PiecePlan.Place(name: name, number: number)
      let count = local.held[name]?.pieces.count ?? 0
      if number < count {
        try planHeld(source.pieces[number], place, id, into: &plan)
      } else {
        // Pieces come in their order.
        guard number == count, try planNew(source.pieces[number], place, id, into: &plan) else {
          break
        }
      }
    }
  }

  /// Keeps what the store has of an earlier generation until the files of the new one are there.
  func keep(_ source: PresentSource, _ name: SourceName, in plan: inout PiecePlan) {
    guard let held = local.held[name], let first = source.pieces.first else { return }
    for (number, piece) in held.pieces.enumerated() {
      plan.add(
        PiecePlan.Place(name: name, number: number), at: first.position, of: held.id,
        piece.chunks.map { .stored($0) })
    }
  }

  /// Stores the row of a source that is new here, in place of an earlier generation. Returns false
  /// if its files are not there.
  mutating func insert(_ source: PresentSource, _ name: SourceName) throws -> Bool {
    // Not before the first piece is there, so that a source is never seen empty.
    guard let (record, path) = try row(of: source, name), let first = source.pieces.first,
      try isUsable(first, of: name)
    else { return false }
    if let held = local.held[name] {
      try session.forgetShared([held.id])
      local.held[name] = nil
    }
    let id = try storing(path) { try session.insert(record) }
    local.held[name] = HeldSource(
      id: id, generation: source.generation, row: source.row.digest, pieces: [])
    changes.sourcesAdded += 1
    return true
  }

  /// Reads the row of a source; nil if its file is not there.
  ///
  /// - Throws: ``UnreadableFile`` if the file has none, or that of another source.
  private mutating func row(
    of source: PresentSource, _ name: SourceName
  ) throws -> (record: SourceRecord, path: SyncPath)? {
    guard let payload = try payload(source.row.file, of: name) else { return nil }
    let path = SyncPath.source(name, source.row.file.name)
    return try reading(path) {
      guard let row = payload.row, Digest(of: row) == source.row.digest else {
        throw SyncFormatError(.notAuthentic, in: "row", at: 0)
      }
      let record = try RowContent.record(row, withheld: source.withheld)
      guard files.name(ofSource: record.sha256) == name else {
        throw SyncFormatError(.notAuthentic, in: "row", at: 0)
      }
      return (record, path)
    }
  }

  mutating func applyRow(
    _ source: PresentSource, _ held: HeldSource, _ name: SourceName
  ) throws {
    if source.row.digest != held.row {
      guard let (record, path) = try row(of: source, name) else { return }
      try storing(path) { try session.update(held.id, to: record) }
      touched.insert(held.id)
      changedByMany.insert(held.id)
      local.held[name]?.row = source.row.digest
      changes.sourcesChanged += 1
    } else {
      try session.setWithheld(Int64(source.withheld), ofSource: held.id)
    }
  }

  /// Whether the files of a piece are there and fit the store.
  mutating func isUsable(_ piece: PieceState, of name: SourceName) throws -> Bool {
    for version in piece.alternatives {
      guard let content = try payload(version.file, of: name)?.piece else { return false }
      let radius = session.settings[.explorationRadiusMeters]
      if !content.tiles.isEmpty, content.gridRadiusMeters != radius {
        pending.append(
          PendingFile(
            path: .source(name, version.file.name),
            reason: .otherGrid(radiusMeters: content.gridRadiusMeters)))
        return false
      }
    }
    return true
  }
}
