import Geodesy

/// Decodes Keyhole Markup Language from bytes in pieces of any size, down to one at a time,
/// with the same result. `docs/formats/kml.md` lists the rules.
///
/// - Memory: a few kilobytes; times or positions of a track that come before the others wait in at
///   most 32 MiB: see ``XMLLimits`` and ``KMLLimits``.
package struct KMLDecoder: TrackDecoder {
  private(set) var decoder: XMLTrackDecoder<KMLTrackBuilder>

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
      KMLTrackBuilder(latestTime: now.millisecondsSince1970 &+ TimeText.dayMilliseconds),
      reader: blanks.reader)
  }

  /// Decodes the next bytes of the file, any number of them. They are only used during the call.
  ///
  /// - Complexity: O(bytes).
  package mutating func decode(_ bytes: UnsafeRawBufferPointer, into sink: inout some TrackSink) {
    decoder.decode(bytes, into: &sink)
  }

  /// Ends the file: closes what is open, and reports what is missing or why nothing in it is KML.
  ///
  /// - Returns: nil if the file is KML, even an empty one; otherwise the reason to refuse it.
  package mutating func finish(into sink: inout some TrackSink) -> IngestError? {
    decoder.finish(into: &sink)
  }
}
