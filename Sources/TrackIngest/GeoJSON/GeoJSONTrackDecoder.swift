import Geodesy

/// Decodes GeoJSON: one text, or one after another, as lines or as a text sequence.
///
/// `docs/formats/geojson.md` lists the rules.
///
/// - Memory: at most about 35 MB, whatever the file contains: see ``GeoJSONLimits``.
package struct GeoJSONTrackDecoder: TrackDecoder {
  private var text = JSONText()
  private var builder: GeoJSONBuilder

  /// Creates a decoder at the start of a file.
  ///
  /// - Parameter now: the current time. A time more than a day later is impossible and ignored.
  package init(now: Timestamp) {
    self.init(now: now, waitingPositions: GeoJSONLimits.waitingPositions)
  }

  /// Creates a decoder with another limit of positions that wait, for tests.
  init(now: Timestamp, waitingPositions: Int) {
    builder = GeoJSONBuilder(
      latestTime: now.millisecondsSince1970 &+ Timestamp.millisecondsPerDay, limit: waitingPositions
    )
  }

  /// Decodes the next bytes of the file, any number of them. They are only used during the call.
  ///
  /// - Complexity: O(bytes).
  package mutating func decode(_ bytes: UnsafeRawBufferPointer, into sink: inout some TrackSink) {
    text.decode(bytes, with: &builder, into: &sink)
  }

  /// Ends the file.
  ///
  /// - Returns: nil if the file is GeoJSON, even without any line; otherwise the reason to refuse
  ///   it.
  package mutating func finish(into sink: inout some TrackSink) -> IngestError? {
    text.finish(with: &builder, into: &sink)
    guard builder.track.positions == 0 else { return nil }
    guard builder.isRecognized else {
      return IngestError(code: .unknownFormat, message: "It is a JSON file that is not GeoJSON.")
    }
    if text.isCutOff {
      return IngestError(
        code: .malformed, line: text.line,
        message: "The file ends before its first position is complete.")
    }
    sink.warn(.leftOut, line: nil, "The file has no line and no point; areas are not tracks.")
    return nil
  }
}
