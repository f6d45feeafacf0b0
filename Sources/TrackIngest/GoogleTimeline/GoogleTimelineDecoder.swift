import Geodesy

/// Decodes Google's location history in any of its five shapes: records, semantic history, the
/// timelines of Android and iOS, and timeline edits.
///
/// It has three parts, from bytes to fixes: `EncodedTextReader`, ``JSONScanner`` and
/// ``GoogleTimelineBuilder``. `docs/formats/google-timeline.md` lists the rules.
///
/// - Memory: at most about 4 MB, whatever the file contains: see ``GoogleTimelineLimits``.
package struct GoogleTimelineDecoder: TrackDecoder {
  private var text = JSONText()
  private var builder: GoogleTimelineBuilder

  /// Creates a decoder at the start of a file.
  ///
  /// - Parameter now: the current time. A time more than a day later is impossible and ignored.
  package init(now: Timestamp) {
    builder = GoogleTimelineBuilder(
      latestTime: now.millisecondsSince1970 &+ Timestamp.millisecondsPerDay)
  }

  /// Decodes the next bytes of the file, any number of them. They are only used during the call.
  ///
  /// - Complexity: O(bytes).
  package mutating func decode(_ bytes: UnsafeRawBufferPointer, into sink: inout some TrackSink) {
    text.decode(bytes, with: &builder, into: &sink)
  }

  /// Ends the file.
  ///
  /// - Returns: nil if the file is a location history, even an empty one; otherwise the reason to
  ///   refuse it.
  package mutating func finish(into sink: inout some TrackSink) -> IngestError? {
    text.finish(with: &builder, into: &sink)
    builder.releaseVisits(&sink)
    guard builder.track.positions == 0 else { return nil }
    guard builder.isRecognized else {
      return IngestError(
        code: .unknownFormat, message: "It is a JSON file without a location history of Google.")
    }
    if text.isCutOff {
      return IngestError(
        code: .malformed, line: text.line,
        message: "The file ends before its first position is complete.")
    }
    sink.warn(
      .leftOut, line: nil,
      "The location history has no position; frequent places and activities are not fixes.")
    return nil
  }
}
