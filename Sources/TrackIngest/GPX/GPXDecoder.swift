import Geodesy

/// Decodes GPX of any version from bytes in pieces of any size, down to one at a time, with the
/// same result.
///
/// It has two parts, from bytes to fixes: ``XMLTextReader`` finds tags and text in any encoding,
/// and ``GPXTrackBuilder`` makes fixes from these. Strict XML readers refuse real files because of
/// an undeclared prefix or a bare `&`, so Roqua has its own scanner. No entity is expanded, nothing
/// is fetched, and every point that is certainly right is kept. `docs/formats/gpx.md` lists the
/// rules.
///
/// - Memory: a few kilobytes, whatever the file contains: see ``XMLLimits`` and ``GPXLimits``.
package struct GPXDecoder: TrackDecoder {
  private(set) var reader = XMLTextReader()
  private(set) var builder: GPXTrackBuilder

  var scanner: XMLScanner { reader.scanner }

  /// True if the fast path is used; tests compare both paths.
  var usesFastPath: Bool {
    get { builder.plainPoints.isEnabled }
    set { builder.plainPoints.isEnabled = newValue }
  }

  /// Creates a decoder at the start of a file.
  ///
  /// - Parameter now: the current time. A time more than a day later is impossible and ignored.
  package init(now: Timestamp) {
    builder = GPXTrackBuilder(latestTime: now.millisecondsSince1970 &+ TimeText.dayMilliseconds)
  }

  /// Decodes the next bytes of the file, any number of them. They are only used during the call.
  ///
  /// - Complexity: O(bytes).
  package mutating func decode(_ bytes: UnsafeRawBufferPointer, into sink: inout some TrackSink) {
    reader.read(bytes, into: &builder, &sink)
  }

  /// Ends the file: closes what is open, and reports what is missing or why nothing in it is GPX.
  ///
  /// - Returns: nil if the file is GPX, even an empty one; otherwise the reason to refuse it.
  package mutating func finish(into sink: inout some TrackSink) -> IngestError? {
    reader.finish(into: &builder, &sink)
    return builder.finish(line: reader.line, isInMarkup: reader.isInMarkup, &sink)
  }
}
