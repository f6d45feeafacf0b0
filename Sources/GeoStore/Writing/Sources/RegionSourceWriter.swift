import Geodesy
import SQLiteLayer

/// Writes one source that has regions but no fixes, inside a write transaction. The data derived
/// from them appears only with ``WriteSession/rebuild()``, which must follow.
package final class RegionSourceWriter {
  private let session: WriteSession
  private let connection: Connection
  private let sourceID: Int64
  private let zones: PrivacyZones
  private var withheldCount = 0

  init(_ session: WriteSession) throws(DatabaseError) {
    self.session = session
    connection = session.connection
    zones = try session.zones()
    sourceID = try connection.nextSourceID()
  }

  /// Stores a region. A radius or count out of its range is replaced by the nearest value in it. A
  /// time that ISO 8601 cannot express with a four-digit year, and an accuracy that is not a
  /// number, become unknown.
  ///
  /// - Returns: false if the region was left out because its center lies in a privacy zone.
  @discardableResult
  package func append(_ region: SourceRegion) throws(DatabaseError) -> Bool {
    guard !zones.contains(region.center) else {
      withheldCount += 1
      return false
    }
    let insert = try connection.cached(
      """
      INSERT INTO source_regions (source_id, \(SourceRegion.columns))
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
      """)
    insert.bind(sourceID, at: 1)
    region.bind(to: insert)
    try insert.run(changing: 1)
    return true
  }

  /// Ends the source: writes its row.
  package func finish(_ description: SourceDescription) throws(DatabaseError) {
    var description = description
    if withheldCount > 0 { description.isWithheld = true }
    try connection.insertSource(
      description, id: sourceID, kept: 0, importedAt: session.options.now())
    session.change?.sourcesChanged.insert(sourceID)
  }
}

extension WriteSession {
  /// Starts a source that has regions but no fixes.
  package func beginRegionSource() throws(DatabaseError) -> RegionSourceWriter {
    try RegionSourceWriter(self)
  }
}
