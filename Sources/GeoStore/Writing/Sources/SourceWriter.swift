import Geodesy
import SQLiteLayer

/// Writes one source inside a write transaction: its kept fixes in chunks, and the data derived
/// from them.
///
/// Memory is bounded by one chunk and the windows of regions and tiles, independent of the size of
/// the source; only each region of other sources that it visits again takes 24 to 48 bytes until it
/// ends.
///
/// ```swift
/// func add(_ fixes: [KeptFix], as source: SourceDescription, to store: Store) async throws {
///   let changes = try await store.write { session in
///     let writer = try session.beginSource()
///     try writer.append(fixes)
///     return try writer.finish(source)
///   }
///   print("\(changes.cellsAdded) new cells")
/// }
/// ```
public final class SourceWriter {
  private let session: WriteSession
  private let connection: Connection
  private let sourceID: Int64
  /// Created with the first write, so that it includes what the transaction wrote before.
  private(set) var tables: DerivedTables?
  private var pending: [KeptFix] = []
  private var withheld: WithheldFixes
  private var kept = 0

  init(_ session: WriteSession) throws(DatabaseError) {
    self.session = session
    connection = session.connection
    withheld = WithheldFixes(zones: try session.zones())
    sourceID = try connection.nextSourceID()
    pending.reserveCapacity(FixChunk.capacity)
  }

  /// Adds kept fixes in the order of the source, without holding them all in memory. Those in a
  /// privacy zone are left out.
  package func append(_ fixes: some Sequence<KeptFix>) throws(DatabaseError) {
    for fix in fixes {
      guard let fix = withheld.outside(fix) else { continue }
      pending.append(fix)
      if pending.count == FixChunk.capacity { try writeChunk() }
    }
  }

  /// Adds kept fixes in the order of the source. Those in a privacy zone are left out.
  ///
  /// - Throws: `DatabaseError`.
  public func append(_ fixes: [KeptFix]) throws(DatabaseError) {
    var rest = withheld.outside(fixes)[...]
    while !rest.isEmpty {
      let part = rest.prefix(FixChunk.capacity - pending.count)
      pending += part
      rest = rest[part.endIndex...]
      if pending.count == FixChunk.capacity { try writeChunk() }
    }
  }

  /// Number of fixes left out so far because they lie in a privacy zone.
  package var withheldCount: Int { withheld.count }

  /// Ends the source: writes pending fixes and its row.
  ///
  /// - Throws: `DatabaseError`, also if a source with the same SHA-256 is already in the store;
  ///   call `WriteSession.hasSource(sha256:)` first.
  public func finish(_ description: SourceDescription) throws(DatabaseError) -> SourceChanges {
    if !pending.isEmpty { try writeChunk() }
    let tables = try takenTables()
    try tables.flush(keepingWindow: true)
    var description = description
    // The heights include those of fixes that were left out here.
    if withheld.count > 0 { (description.isWithheld, description.heights) = (true, nil) }
    try connection.insertSource(
      description, id: sourceID, kept: kept, importedAt: session.options.now())
    try connection.trimCache()
    try session.giveBack(tables)
    var changes = tables.changes
    changes.kept = kept
    changes.withheld = withheld.count
    if session.notesReached { changes.reached = tables.takeReached() }
    session.change?.add(changes, ofSource: sourceID)
    return changes
  }

  private func takenTables() throws(DatabaseError) -> DerivedTables {
    if let tables { return tables }
    let taken = try session.takeTables(ofSource: sourceID)
    tables = taken
    return taken
  }

  private func writeChunk() throws(DatabaseError) {
    // Must come first: afterwards this source's own rows would look like foreign writes.
    let tables = try takenTables()
    _ = try connection.insertChunk(pending, ofSource: sourceID)
    try tables.take(pending)
    kept += pending.count
    pending.removeAll(keepingCapacity: true)
    try connection.trimCache()
  }
}
