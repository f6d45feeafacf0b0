import ByteStreams
import Geodesy

/// Decodes GPX of any version from bytes in pieces of any size, down to one at a time, with the
/// same result.
///
/// It has three parts, from bytes to fixes: ``EncodedTextReader`` converts any encoding to bytes
/// with ASCII markup, ``GPXScanner`` finds tags and text in them, and ``GPXTrackBuilder`` makes
/// fixes from these. Strict XML readers refuse real files because of an undeclared prefix or a bare
/// `&`, so Roqua has its own scanner. No entity is expanded, nothing is fetched, and every point
/// that is certainly right is kept. `docs/formats/gpx.md` lists the rules.
///
/// - Memory: a few kilobytes, whatever the file contains: see ``GPXLimits``.
package struct GPXDecoder: TrackDecoder {
  private var reader = EncodedTextReader()
  private(set) var scanner = GPXScanner()
  private(set) var builder: GPXTrackBuilder

  /// True if the fast path is used; tests compare both paths.
  var usesFastPath: Bool {
    get { scanner.plainPoints.isEnabled }
    set { scanner.plainPoints.isEnabled = newValue }
  }

  /// Creates a decoder at the start of a file.
  ///
  /// - Parameter now: the current time. A time more than a day later is impossible and ignored.
  package init(now: Timestamp) {
    builder = GPXTrackBuilder(latestTime: now.millisecondsSince1970 &+ GPXTime.dayMilliseconds)
  }

  /// Decodes the next bytes of the file, any number of them. They are only used during the call.
  ///
  /// - Complexity: O(bytes).
  package mutating func decode(_ bytes: UnsafeRawBufferPointer, into sink: inout some TrackSink) {
    // Any memory may be read as bytes; the buffer does not outlive the closure.
    bytes.withMemoryRebound(to: UInt8.self) { buffer in
      var reader = EncodedTextReader()
      swap(&reader, &self.reader)
      reader.read(buffer) { reader, text in scan(text, from: &reader, into: &sink) }
      swap(&reader, &self.reader)
    }
  }

  /// Ends the file: closes what is open, and reports what is missing or why nothing in it is GPX.
  ///
  /// - Returns: nil if the file is GPX, even an empty one; otherwise the reason to refuse it.
  package mutating func finish(into sink: inout some TrackSink) -> IngestError? {
    var reader = EncodedTextReader()
    swap(&reader, &self.reader)
    reader.finish { reader, text in scan(text, from: &reader, into: &sink) }
    swap(&reader, &self.reader)
    if self.reader.sawInvalid {
      sink.warn(
        .encoding, line: nil,
        "Some characters are invalid in the file's encoding; they were replaced by U+FFFD.")
    }
    scanner.finish(into: &builder, &sink)
    return builder.finish(line: scanner.line, isInMarkup: scanner.isInMarkup, &sink)
  }

  /// Scans a piece of text. Returns how many bytes were consumed: of a large piece only a part that
  /// stays in the processor's cache while it is read twice, or the part before the declaration of
  /// another encoding.
  private mutating func scan(
    _ whole: UnsafeBufferPointer<UInt8>, from reader: inout EncodedTextReader,
    into sink: inout some TrackSink
  ) -> Int {
    let text = UnsafeBufferPointer(rebasing: whole.prefix(1 << 17))
    if case .utf16 = reader.encoding { scanner.isWideText = true }
    if case .utf32 = reader.encoding { scanner.isWideText = true }
    if !text.isEmpty, !scanner.sawAnyByte, reader.markCount > 1 {
      sink.warn(
        .encoding, line: 1,
        "The file begins with \(reader.markCount) byte order marks; all were ignored.")
    }
    let (taken, encoding) = scanner.scan(text, into: &builder, &sink)
    if let encoding { reader.switchEncoding(to: encoding) }
    return taken
  }
}
