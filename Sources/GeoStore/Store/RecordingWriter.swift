import Geodesy
import SQLiteLayer
import Synchronization

/// Writes a source that is being recorded. Every call stores its fixes, and the data derived from
/// them, in its own transaction, so that a crash loses nothing that was appended.
///
/// Other writers, including other recordings of the store, may write between two calls. If none
/// does, the regions and tiles around the recording and its last fixes stay in memory from one call
/// to the next.
///
/// Any thread may call it; fixes are stored in the order in which the calls start to write. A call
/// inside ``Store/write(_:)`` would wait for itself.
package final class RecordingWriter: Sendable {
  /// Capacity of the chunk that is rewritten with each call. Full chunks are merged with those
  /// before them, up to ``FixChunk/capacity``.
  static let openChunkCapacity = 16

  /// The number of the source.
  package let id: Int64
  private let store: Store
  /// The region of the last stored fix.
  private let lastEntered = Mutex<Int64?>(nil)

  init(id: Int64, store: Store) {
    self.id = id
    self.store = store
  }

  /// The result of storing fixes.
  package struct Appended {
    /// The changes to the store.
    package var changes: SourceChanges
    /// The store's privacy zones at that time. Fixes in them were left out.
    package let zones: PrivacyZones
    /// The store's settings at that time.
    package let settings: StoreSettings
    /// The number of transactions that had deleted data by then (``EvaluationBasis``).
    package let deletions: Int64
    /// The regions that the fixes entered, in order.
    package let entered: [EnteredRegion]
    /// The places that were reached for the first time.
    package let reached: [ReachedPlace]
  }

  /// Stores kept fixes in order, except those in privacy zones.
  ///
  /// - Parameter points: the number of positions since the last call, kept or not, which is added
  ///   to the source's count.
  /// - Parameter heights: those of all fixes of the recording so far, if they have changed, and the
  ///   privacy zones that the recording knows. If the zones have changed, they may be those of
  ///   deleted fixes, and are not stored.
  /// - Throws: ``DatabaseError``. Nothing of the call is stored then, and it may be retried unless
  ///   the error is ``StoreError/recordingForgotten(path:id:)``. With ``Durability/full``, the call
  ///   may be stored nevertheless if the disk fails to sync and the program ends right after.
  package func append(
    _ fixes: [KeptFix], points: Int, heights: (profile: HeightProfile, zones: PrivacyZones)? = nil
  ) throws -> Appended {
    let (appended, region) = try store.write { session in
      var tables = try session.tables(ofRecording: id)
      var withheld = WithheldFixes(zones: tables.zones)
      let fixes = withheld.outside(fixes)
      let derived = tables.derived
      derived.noteReached()
      derived.startCounting(
        source: id, isContinued: true, lastEntered: lastEntered.withLock { $0 })
      for fix in fixes { try add(fix, to: &tables.end, session.connection) }
      if !tables.end.openFixes.isEmpty { try writeOpenChunk(&tables.end, session.connection) }
      try derived.take(fixes)
      try derived.flush(keepingWindow: true)
      try updateSource(fixes, points: points, &tables.end, session.connection)
      if let heights, withheld.count == 0, heights.zones == tables.zones {
        try session.connection.setHeights(heights.profile, ofSource: id)
      }
      if withheld.isCutAtEnd {
        tables.end.isCut = true
        try session.connection.markCut(ofSource: id)
      }
      session.nextRecordingTables = tables
      var changes = derived.changes
      changes.kept = fixes.count
      changes.withheld = withheld.count
      session.change?.add(changes, ofSource: id)
      let appended = Appended(
        changes: changes, zones: tables.zones, settings: session.settings,
        deletions: tables.deletions, entered: derived.takeEntered(),
        reached: derived.takeReached())
      return (appended, derived.lastEntered)
    }
    lastEntered.withLock { $0 = region }
    return appended
  }

  /// Marks the last stored fixes as part of a flight, or as not part of one, in a transaction of
  /// its own.
  ///
  /// - Returns: the number of transactions that had deleted data before and after this one, which
  ///   may count as one (``EvaluationBasis``).
  /// - Throws: ``DatabaseError``; nothing is changed then.
  package func mark(_ marks: [FlightMark]) throws -> (before: Int64, after: Int64) {
    try store.write { session in
      let before = try session.connection.deletions()
      try session.mark(marks, ofSource: id)
      return (before, try session.connection.deletions())
    }
  }

  /// Ends the recording: writes its report and its times. A recording may be continued after its
  /// end; until the next end it has no report.
  ///
  /// If a privacy zone deleted fixes of the recording meanwhile, no report is stored, because it
  /// could reveal where the recording was.
  ///
  /// - Parameters:
  ///   - report: the import report, which the store does not read.
  ///   - times: first and last time of its points. If they are wider than those of the kept fixes,
  ///     they become the times of the source: a recording may go on for long after its last kept
  ///     fix.
  ///   - staysAtEnd: whether it stayed near its last kept fix until the end.
  /// - Throws: ``DatabaseError``; ``StoreError/recordingForgotten(path:id:)``.
  package func finish(
    report: String, times: ClosedRange<Timestamp>? = nil, staysAtEnd: Bool = false
  ) throws {
    try store.write { session in
      let connection = session.connection
      let known = [try connection.times(ofSource: id), times].compactMap { $0 }
      let update = try connection.cached(
        """
        UPDATE sources SET first_time = ?3, last_time = ?4, stays_at_end = ?5 AND NOT forgotten,
          report = CASE WHEN forgotten THEN '\(SourceDescription.noReport)' ELSE ?2 END
        WHERE id = ?1
        """)
      update.bind(id, at: 1)
      update.bind(report, at: 2)
      update.bind(known.map(\.lowerBound).min()?.iso8601, at: 3)
      update.bind(known.map(\.upperBound).max()?.iso8601, at: 4)
      update.bind(Int64(staysAtEnd ? 1 : 0), at: 5)
      try update.run()
      try checkPresence(connection)
      session.change?.sourcesChanged.insert(id)
    }
  }

  /// Checks that the source still exists. Call it right after writing the source's row.
  private func checkPresence(_ connection: Connection) throws {
    guard connection.changedRows == 1 else {
      throw StoreError.recordingForgotten(path: connection.path, id: id)
    }
  }

  private func add(_ fix: KeptFix, to end: inout RecordingEnd, _ connection: Connection)
    throws(DatabaseError)
  {
    if end.openFixes.count == Self.openChunkCapacity {
      try writeOpenChunk(&end, connection)
      try closeOpenChunk(&end, connection)
    }
    var fix = fix
    if end.isCut {
      fix.startsSegment = true
      end.isCut = false
      try connection.removeCut(ofSource: id)
    }
    end.openFixes.append(fix)
  }

  private func writeOpenChunk(_ end: inout RecordingEnd, _ connection: Connection)
    throws(DatabaseError)
  {
    if let openChunkID = end.openChunkID {
      try connection.replaceChunk(openChunkID, with: end.openFixes)
    } else {
      end.openChunkID = try connection.insertChunk(end.openFixes, ofSource: id)
    }
  }

  /// Merges the open chunk, which is full and written, with the preceding chunks that are no longer
  /// than the merged result so far, like the carry of a binary counter. A fix is thus packed again
  /// once per doubling, not with each call.
  ///
  /// Only chunks of this source are merged, and only adjacent ones: chunks are stored in the order
  /// in which fixes were taken. Chunks that other devices know stay as they are.
  private func closeOpenChunk(_ end: inout RecordingEnd, _ connection: Connection)
    throws(DatabaseError)
  {
    guard let openChunkID = end.openChunkID else { return }
    var (first, fixes) = (openChunkID, end.openFixes)
    let sealed = try connection.sealedChunk()
    while first - 1 > sealed, let count = try connection.fixCount(ofChunk: first - 1, ofSource: id),
      count <= fixes.count, count + fixes.count <= FixChunk.capacity
    {
      fixes = try connection.keptFixes(inChunk: first - 1) + fixes
      try connection.replaceChunk(first, with: [])
      first -= 1
    }
    if first < openChunkID { try connection.replaceChunk(first, with: fixes) }
    (end.openFixes, end.openChunkID) = ([], nil)
  }

  private func updateSource(
    _ fixes: [KeptFix], points: Int, _ end: inout RecordingEnd, _ connection: Connection
  ) throws {
    for time in fixes.lazy.compactMap(\.time) {
      let known = end.times ?? time...time
      end.times = min(known.lowerBound, time)...max(known.upperBound, time)
    }
    let update = try connection.cached(
      "UPDATE sources SET points = points + ?2, kept = kept + ?3, first_time = ?4, last_time = ?5 "
        + "WHERE id = ?1"
    )
    update.bind(id, at: 1)
    update.bind(Int64(points), at: 2)
    update.bind(Int64(fixes.count), at: 3)
    update.bind(end.times?.lowerBound.iso8601, at: 4)
    update.bind(end.times?.upperBound.iso8601, at: 5)
    try update.run()
    try checkPresence(connection)
  }
}

extension Store {
  /// Starts a source that is recorded live. A recording has no bytes to identify it by SHA-256, so
  /// pass a random number of 64 hexadecimal digits.
  ///
  /// - Throws: ``DatabaseError``, also if the identifier is already in the store.
  package func beginRecording(identifier: String, name: String, format: String)
    throws(DatabaseError)
    -> RecordingWriter
  {
    let id = try withSession { (session) throws(DatabaseError) in
      let id = try session.connection.nextSourceID()
      try session.connection.insertSource(
        SourceDescription(
          sha256: identifier, path: name, format: format, bytes: 0, points: 0, firstTime: nil,
          lastTime: nil,
          report: SourceDescription.noReport),
        id: id, kept: 0, importedAt: options.now())
      session.change?.sourcesChanged.insert(id)
      return id
    }
    return RecordingWriter(id: id, store: self)
  }
}
