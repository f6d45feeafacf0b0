import Geodesy

/// Writes one source inside a write transaction: its kept fixes in chunks, and what follows from them.
///
/// Memory is bounded by a chunk and the windows of regions and tiles, not by the source.
public final class SourceWriter {
  private let connection: Connection
  private let options: StoreOptions
  private let derived: DerivedTables
  private let sourceID: Int64
  private var pending: [KeptFix] = []
  private var kept = 0

  init(connection: Connection, settings: StoreSettings, options: StoreOptions) throws(StoreError) {
    self.connection = connection
    self.options = options
    derived = try DerivedTables(connection: connection, settings: settings, options: options)
    sourceID = try connection.nextSourceID()
    pending.reserveCapacity(FixChunk.capacity)
  }

  /// Takes kept fixes, in the order of the source, one after the other: they need not be in memory together.
  public func append(_ fixes: some Sequence<KeptFix>) throws(StoreError) {
    for fix in fixes {
      pending.append(fix)
      if pending.count == FixChunk.capacity { try writeChunk() }
    }
  }

  /// Takes kept fixes, in the order of the source, by the chunk.
  public func append(_ fixes: [KeptFix]) throws(StoreError) {
    var rest = fixes[...]
    while !rest.isEmpty {
      let part = rest.prefix(FixChunk.capacity - pending.count)
      pending += part
      rest = rest[part.endIndex...]
      if pending.count == FixChunk.capacity { try writeChunk() }
    }
  }

  /// Ends the source: writes what is pending, and its row.
  ///
  /// - Throws: ``StoreError``; a source whose SHA-256 is in the store already is one too, so ask
  ///   ``WriteSession/hasSource(sha256:)`` first.
  public func finish(_ description: SourceDescription) throws(StoreError) -> SourceChanges {
    if !pending.isEmpty { try writeChunk() }
    try derived.flush()
    try connection.insertSource(description, id: sourceID, kept: kept, importedAt: options.now())
    try connection.trimCache()
    var changes = derived.changes
    changes.kept = kept
    return changes
  }

  private func writeChunk() throws(StoreError) {
    _ = try connection.insertChunk(pending, ofSource: sourceID)
    try derived.take(pending)
    kept += pending.count
    pending.removeAll(keepingCapacity: true)
    try connection.trimCache()
  }
}
