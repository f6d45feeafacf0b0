import SQLiteLayer

/// A run of fixes of one source in the order of import, which devices that share a history have in
/// common.
package struct ArrangedRun: Sendable {
  /// Where its fixes are.
  package enum Content: Sendable {
    /// In chunks of the store that come after the last one that stays in its place.
    case stored(ClosedRange<Int64>)
    /// Not in the store.
    case new
  }

  /// The number of the source.
  package let source: Int64
  /// Where its fixes are.
  package let content: Content

  /// Creates a run.
  package init(source: Int64, content: Content) {
    (self.source, self.content) = (source, content)
  }
}

/// A run of fixes as it was stored.
package struct StoredRun: Hashable, Sendable {
  /// Its chunks; nil if it has no fixes.
  package var chunks: ClosedRange<Int64>?
  /// Whether it differs from the given one because of a privacy zone: fixes in it were left out, or
  /// the first one starts a segment because the one before it was.
  package var isWithheld = false
}

/// What remains of a run of fixes, where another device deleted some.
package struct ReducedRun: Sendable {
  /// The number of the source.
  package let source: Int64
  /// Its chunks.
  package let chunks: ClosedRange<Int64>
  /// The fixes that stay, in order.
  package let fixes: [KeptFix]
  /// Those that are deleted.
  package let removed: Set<FixKey>

  /// Creates a run.
  package init(
    source: Int64, chunks: ClosedRange<Int64>, fixes: [KeptFix], removed: Set<FixKey>
  ) {
    (self.source, self.chunks, self.fixes, self.removed) = (source, chunks, fixes, removed)
  }
}

extension WriteSession {
  /// The numbers of chunks while they wait for their new place.
  private static var parkedOffset: Int64 { StoredRange.lastNumberedRow }

  /// Gives the fixes after a chunk a new order, with new ones among them. Regions, visits and
  /// coverage change only near the fixes that move, unless there are many: then ``rebuild()`` must
  /// follow.
  ///
  /// - Parameters:
  ///   - lastKept: the last chunk that stays in its place; 0 for none.
  ///   - runs: the runs in their new order.
  ///   - dropped: stored runs that others replace.
  ///   - cut: the sources of whose stored fixes a privacy zone kept out the last one
  ///     (``cutSources()``), so that their next fix starts a segment.
  ///   - isDerived: whether regions, visits and coverage are updated at all; false if the caller
  ///     will rebuild them anyway.
  ///   - load: returns the fixes of a new run, given its index.
  /// - Returns: the runs as stored, and whether everything must be rebuilt.
  /// - Throws: `DatabaseError.damaged(path:detail:cause:)` if the store has fixes that are in no
  ///   run: nothing is ever deleted because nobody mentioned it.
  /// - Complexity: O(kept fixes) if fixes move, since the latitudes of all are read; otherwise
  ///   O(new fixes).
  package func arrange(
    after lastKept: Int64, _ runs: [ArrangedRun], dropping dropped: [ArrangedRun] = [],
    cut: Set<Int64> = [], isDerived: Bool = true, load: (Int) throws -> [PackedFixes]
  ) throws -> (runs: [StoredRun], mustRebuild: Bool) {
    let isMoving = try connection.integer("SELECT max(id) FROM kept_fixes") ?? 0 > lastKept
    var mustRebuild = !isDerived
    if isMoving {
      if isDerived { mustRebuild = try removeDerived(ofFixesAfter: lastKept) }
      try park(after: lastKept)
    }
    let derived =
      mustRebuild
      ? nil
      : try DerivedTables(
        connection: connection, changes: changes, settings: settings, options: options)
    var sources = WithheldSources(zones: try zones(), cut: cut, runs)
    var next = lastKept + 1
    var stored: [StoredRun] = []
    for (index, run) in runs.enumerated() {
      let first = next
      var withheld = sources.state(before: index, of: run.source)
      let withheldBefore = withheld.count
      var isChanged = false
      derived?.startCounting(source: run.source, isContinued: true)
      switch run.content {
      case .stored(let chunks):
        let parked = chunks.lowerBound + Self.parkedOffset...chunks.upperBound + Self.parkedOffset
        for chunk in try chunkIDs(parked, ofSource: run.source) {
          try move(chunk, to: next)
          if withheld.isCutAtEnd {
            let fixes = try connection.keptFixes(inChunk: next)
            let left = withheld.outside(fixes)
            if left != fixes {
              try connection.replaceChunk(next, with: left)
              isChanged = true
            }
          }
          if let derived { try derived.take(connection.keptFixes(inChunk: next)) }
          next += 1
        }
      case .new:
        for packed in try load(index) {
          let fixes: [KeptFix]
          do {
            fixes = try packed.fixes()
          } catch {
            throw DatabaseError.damaged(path: connection.path, detail: "kept fixes to be added")
          }
          let before = withheld.count
          let left = withheld.outside(fixes)
          let isSame = withheld.count == before && left == fixes
          if !isSame { isChanged = true }
          if !left.isEmpty {
            try insert(
              isSame ? packed : PackedFixes(count: left.count, payload: FixChunk.encode(left)),
              ofSource: run.source, as: next)
            try derived?.take(left)
            next += 1
          }
          try connection.trimCache()
        }
      }
      stored.append(
        StoredRun(
          chunks: next > first ? first...next - 1 : nil,
          isWithheld: withheld.count > withheldBefore || isChanged))
      sources.keep(withheld, after: index, of: run.source)
      change?.sourcesChanged.insert(run.source)
    }
    try derived?.flush()
    for source in sources.cutAtEnd { try connection.markCut(ofSource: source) }
    for run in dropped {
      guard case .stored(let chunks) = run.content else { continue }
      let parked = chunks.lowerBound + Self.parkedOffset...chunks.upperBound + Self.parkedOffset
      for chunk in try chunkIDs(parked, ofSource: run.source) {
        try connection.replaceChunk(chunk, with: [])
      }
    }
    if let left = try history.chunks(after: Self.parkedOffset).first {
      throw DatabaseError.damaged(
        path: connection.path,
        detail: "kept fixes, chunk \(left.id - Self.parkedOffset): the devices do not know it")
    }
    if isMoving { change?.isIncomplete = true }
    return (stored, mustRebuild)
  }

  /// Deletes fixes that another device deleted. Regions, visits and coverage change only near them,
  /// unless there are many: then ``rebuild()`` must follow.
  ///
  /// - Parameter isDerived: whether regions, visits and coverage are updated at all.
  /// - Returns: whether everything must be rebuilt.
  package func reduce(
    _ runs: [ReducedRun], isDerived: Bool = true
  ) throws(DatabaseError) -> Bool {
    guard !runs.isEmpty else { return false }
    var removed: [Int64: Set<FixKey>] = [:]
    for run in runs { removed[run.source, default: []].formUnion(run.removed) }
    let update =
      isDerived
      ? try derivedUpdate { () throws(DatabaseError) in try loader(removing: .single(removed)) }
      : nil
    for run in runs {
      var parts = PackedFixes.pack(run.fixes)[...]
      for chunk in try chunkIDs(run.chunks, ofSource: run.source) {
        if let part = parts.popFirst() {
          try replace(chunk, with: part)
        } else {
          try connection.replaceChunk(chunk, with: [])
        }
      }
      // Fewer fixes never need more chunks.
      assert(parts.isEmpty)
      change?.sourcesChanged.insert(run.source)
    }
    change?.isIncomplete = true
    try connection.outdateEvaluations()
    try oweErasure()
    return try apply(update)
  }

  /// Forgets sources that another device has forgotten.
  package func forgetShared(_ ids: [Int64]) throws(DatabaseError) {
    var found: [Int64: StoredSource] = [:]
    for id in ids { found[id] = try connection.source(id: id) }
    if !found.isEmpty { _ = try forget(found) }
  }

  /// Removes what is derived from the fixes after a chunk, which stay. Returns whether everything
  /// must be rebuilt instead.
  private func removeDerived(ofFixesAfter chunk: Int64) throws(DatabaseError) -> Bool {
    let update = try derivedUpdate { () throws(DatabaseError) in
      try loader(removing: .afterChunk(chunk))
    }
    return try apply(update)
  }

  /// Applies an update. Returns whether everything must be rebuilt instead.
  private func apply(_ update: DerivedUpdate?) throws(DatabaseError) -> Bool {
    guard let update else { return true }
    do {
      _ = try update.carryOut()
      return false
    } catch {
      guard error.isDamage || error.isConstraint else { throw error }
      return true
    }
  }

  /// The numbers of a source's chunks in a range, ascending.
  private func chunkIDs(
    _ range: ClosedRange<Int64>, ofSource source: Int64
  ) throws(DatabaseError) -> [Int64] {
    let select = try connection.cached(
      "SELECT id FROM kept_fixes WHERE id BETWEEN ?1 AND ?2 AND source_id = ?3 ORDER BY id")
    select.bind(range.lowerBound, at: 1)
    select.bind(range.upperBound, at: 2)
    select.bind(source, at: 3)
    var ids: [Int64] = []
    while try select.step() { ids.append(select.int64(at: 0)) }
    return ids
  }

  private func park(after last: Int64) throws(DatabaseError) {
    let park = try connection.cached("UPDATE kept_fixes SET id = id + ?2 WHERE id > ?1")
    park.bind(last, at: 1)
    park.bind(Self.parkedOffset, at: 2)
    try park.run()
  }

  private func move(_ chunk: Int64, to id: Int64) throws(DatabaseError) {
    let move = try connection.cached("UPDATE kept_fixes SET id = ?2 WHERE id = ?1")
    move.bind(chunk, at: 1)
    move.bind(id, at: 2)
    try move.run(changing: 1)
  }

  private func insert(
    _ packed: PackedFixes, ofSource source: Int64, as id: Int64
  ) throws(DatabaseError) {
    let insert = try connection.cached(
      "INSERT INTO kept_fixes (id, source_id, count, payload) VALUES (?1, ?2, ?3, ?4)")
    insert.bind(id, at: 1)
    insert.bind(source, at: 2)
    insert.bind(Int64(packed.count), at: 3)
    insert.bind(packed.payload, at: 4)
    try insert.run(changing: 1)
  }

  private func replace(_ chunk: Int64, with packed: PackedFixes) throws(DatabaseError) {
    let update = try connection.cached(
      "UPDATE kept_fixes SET count = ?2, payload = ?3 WHERE id = ?1")
    update.bind(chunk, at: 1)
    update.bind(Int64(packed.count), at: 2)
    update.bind(packed.payload, at: 3)
    try update.run(changing: 1)
  }
}
