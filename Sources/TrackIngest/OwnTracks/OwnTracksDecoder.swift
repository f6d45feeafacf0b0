import Geodesy

/// Decodes OwnTracks recordings: `.rec` files of the recorder, messages as JSON lines, and the
/// answers of the recorder's API.
///
/// `docs/formats/owntracks.md` lists the rules.
///
/// - Memory: a few kilobytes, whatever the file contains.
package struct OwnTracksDecoder: TrackDecoder {
  /// Each line of a `.rec` file has a time and a topic before its message.
  private var text = JSONText(isAfterText: true)
  private var builder: OwnTracksBuilder

  /// Creates a decoder at the start of a file.
  ///
  /// - Parameter now: the current time. A time more than a day later is impossible and ignored.
  package init(now: Timestamp) {
    builder = OwnTracksBuilder(
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
  /// - Returns: nil if the file has messages of OwnTracks, even without any location; otherwise the
  ///   reason to refuse it.
  package mutating func finish(into sink: inout some TrackSink) -> IngestError? {
    text.finish(with: &builder, into: &sink)
    guard builder.track.positions == 0 else { return nil }
    if text.isCutOff {
      return IngestError(
        code: .malformed, line: text.line,
        message: "The file ends before its first position is complete.")
    }
    guard builder.isRecognized else {
      return IngestError(code: .unknownFormat, message: "It is not a recording of OwnTracks.")
    }
    sink.warn(
      .leftOut, line: nil, "The recording has no location; messages of other types are not fixes.")
    return nil
  }
}
