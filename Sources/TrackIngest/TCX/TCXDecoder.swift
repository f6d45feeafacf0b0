import Geodesy

/// Decodes Garmin's Training Center XML from bytes in pieces of any size, down to one at a time,
/// with the same result. `docs/formats/tcx.md` lists the rules.
///
/// - Memory: a few kilobytes, whatever the file contains: see ``XMLLimits``.
package struct TCXDecoder: TrackDecoder {
  private(set) var decoder: XMLTrackDecoder<TCXTrackBuilder>

  /// True if the fast path is used; tests compare both paths.
  var usesFastPath: Bool {
    get { decoder.usesFastPath }
    set { decoder.usesFastPath = newValue }
  }

  /// Creates a decoder at the start of a file.
  ///
  /// - Parameter now: the current time. A time more than a day later is impossible and ignored.
  package init(now: Timestamp) { self.init(now: now, after: GPXDecoder(now: now)) }

  /// Creates a decoder after blanks at the start of a file, which a decoder of GPX has read.
  init(now: Timestamp, after blanks: GPXDecoder) {
    decoder = XMLTrackDecoder(
      TCXTrackBuilder(latestTime: now.millisecondsSince1970 &+ TimeText.dayMilliseconds),
      reader: blanks.reader)
  }

  /// Decodes the next bytes of the file, any number of them. They are only used during the call.
  ///
  /// - Complexity: O(bytes).
  package mutating func decode(_ bytes: UnsafeRawBufferPointer, into sink: inout some TrackSink) {
    decoder.decode(bytes, into: &sink)
  }

  /// Ends the file: closes what is open, and reports what is missing or why nothing in it is TCX.
  ///
  /// - Returns: nil if the file is TCX, even an empty one; otherwise the reason to refuse it.
  package mutating func finish(into sink: inout some TrackSink) -> IngestError? {
    decoder.finish(into: &sink)
  }
}
