import Geodesy
import SQLiteLayer

/// Tables that a recording's transaction leaves in memory for the next one, so that a fix does not
/// read its surroundings again.
///
/// They are valid as long as nothing else has written: another transaction of this store discards
/// them, and SQLite's `data_version` shows writes by other processes.
struct RecordingTables {
  let derived: DerivedTables
  /// The end of the recording that made the transaction. Another recording starts with its own end
  /// and the same derived tables.
  var end: RecordingEnd
  /// The privacy zones.
  let zones: PrivacyZones
  /// The number of transactions that deleted data so far (``EvaluationBasis``).
  let deletions: Int64
  /// `PRAGMA data_version` of the writing connection, which changes when another connection has
  /// written.
  fileprivate let dataVersion: Int64
}

/// The end of a recording: its open chunk, and the times in its row.
struct RecordingEnd {
  let sourceID: Int64
  /// The fixes of the chunk that is rewritten with each call.
  var openFixes: [KeptFix] = []
  /// The chunk's number; nil if it has no row yet.
  var openChunkID: Int64?
  /// First and last time in the row of the source.
  var times: ClosedRange<Timestamp>?
  /// Whether the previous fix was deleted, so that the next one starts a segment.
  var isCut = false
}

extension WriteSession {
  /// Returns the tables left by the last transaction if it was one of a recording and they are
  /// still valid; otherwise new tables, because something else was written since.
  ///
  /// The end is the one of `sourceID`. If that recording did not make the last call, its chunk is
  /// left unchanged, since fixes of another source may follow it or fixes may have been deleted,
  /// and its row is read.
  func tables(ofRecording sourceID: Int64) throws(DatabaseError) -> RecordingTables {
    let version = try connection.integer("PRAGMA data_version") ?? 0
    let known = recordingTables
    let isRight =
      known.map { $0.derived.settings == settings && $0.dataVersion == version } ?? false
    if isRight, let known, known.end.sourceID == sourceID { return known }
    let isCut = try connection.reopenRecording(sourceID)
    let times = try connection.times(ofSource: sourceID)
    let end = RecordingEnd(sourceID: sourceID, times: times, isCut: isCut)
    if isRight, let known {
      return RecordingTables(
        derived: known.derived, end: end, zones: known.zones, deletions: known.deletions,
        dataVersion: version)
    }
    let derived = try DerivedTables(
      connection: connection, changes: changes, settings: settings, options: options)
    return RecordingTables(
      derived: derived, end: end, zones: try zones(), deletions: try connection.deletions(),
      dataVersion: version)
  }
}
