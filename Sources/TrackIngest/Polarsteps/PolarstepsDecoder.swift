import Geodesy

/// Decodes the `locations.json` of a Polarsteps trip.
///
/// `docs/formats/polarsteps.md` lists the rules.
///
/// - Memory: a few kilobytes, whatever the file contains.
package struct PolarstepsDecoder: TrackDecoder {
  private var text = JSONText()
  private var builder: PolarstepsBuilder

  /// Creates a decoder at the start of a file.
  ///
  /// - Parameter now: the current time. A time more than a day later is impossible and ignored.
  package init(now: Timestamp) {
    builder = PolarstepsBuilder(
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
  /// - Returns: nil if the file has locations, even none; otherwise the reason to refuse it.
  package mutating func finish(into sink: inout some TrackSink) -> IngestError? {
    text.finish(with: &builder, into: &sink)
    guard builder.track.positions == 0 else { return nil }
    guard builder.isRecognized else {
      return IngestError(
        code: .unknownFormat, message: "It is a JSON file without the locations of a trip.")
    }
    if text.isCutOff {
      return IngestError(
        code: .malformed, line: text.line,
        message: "The file ends before its first position is complete.")
    }
    sink.warn(.leftOut, line: nil, "The trip has no location.")
    return nil
  }
}
