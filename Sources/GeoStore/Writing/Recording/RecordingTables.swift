import Geodesy
import SQLiteLayer

/// What a recording's transaction leaves in memory for the next one, so that a fix does not read
/// its surroundings again.
///
/// It is right as long as nobody else has written: no other transaction of this store, which takes
/// it away, and no other process, which SQLite's `data_version` tells.
struct RecordingTables {
  let derived: DerivedTables
  /// How the recording ended whose transaction it was; others start again with the same derived
  /// tables.
  var end: RecordingEnd
  fileprivate let settings: StoreSettings
  /// `PRAGMA data_version` of the writing connection: another number where another connection has
  /// written.
  fileprivate let dataVersion: Int64
}

/// The end of a recording: its open chunk, and what its row says of its times.
struct RecordingEnd {
  let sourceID: Int64
  /// The fixes of the chunk that is rewritten with each call.
  var openFixes: [KeptFix] = []
  /// The chunk's number; nil where it has no row yet.
  var openChunkID: Int64?
  /// First and last time in the row of the source.
  var times: ClosedRange<Timestamp>?
  /// Whether the fix before was taken out, so that the next one starts a segment.
  var isCut = false
}

extension WriteSession {
  /// What the last transaction left, where it was one of a recording and is still right, else new
  /// tables: then somebody else has written since.
  ///
  /// The end is that of `sourceID`: where its call was not the last one, its chunk is left as it
  /// is, since another's fixes have come after it or somebody took fixes back, and its row is read.
  func tables(ofRecording sourceID: Int64) throws(DatabaseError) -> RecordingTables {
    let version = try connection.integer("PRAGMA data_version") ?? 0
    let known = recordingTables
    let isRight = known.map { $0.settings == settings && $0.dataVersion == version } ?? false
    if isRight, let known, known.end.sourceID == sourceID { return known }
    let isCut = try connection.reopenRecording(sourceID)
    let times = try connection.times(ofSource: sourceID)
    let end = RecordingEnd(sourceID: sourceID, times: times, isCut: isCut)
    if isRight, let known {
      return RecordingTables(
        derived: known.derived, end: end, settings: settings, dataVersion: version)
    }
    let derived = try DerivedTables(
      connection: connection, changes: changes, settings: settings, options: options)
    return RecordingTables(derived: derived, end: end, settings: settings, dataVersion: version)
  }
}
