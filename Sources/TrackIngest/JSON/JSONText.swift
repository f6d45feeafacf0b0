import ByteStreams

/// A JSON text in any encoding, in pieces of any size: decodes it, scans it, and lets a builder
/// make fixes.
struct JSONText {
  private var reader = EncodedTextReader()
  private var scanner: JSONScanner

  /// True once the scanner has the byte order marks, which are no text.
  private var isBegun = false

  /// True if the file ended inside its JSON; known after ``finish(with:into:)``.
  var isCutOff: Bool { scanner.isCutOff }
  /// The line reached, counted from 1.
  var line: Int { scanner.line }

  /// Creates a text; see ``JSONScanner/init(isAfterText:)``.
  init(isAfterText: Bool = false) { scanner = JSONScanner(isAfterText: isAfterText) }

  /// Decodes the next bytes. They are only used during the call.
  ///
  /// - Complexity: O(bytes).
  mutating func decode(
    _ bytes: UnsafeRawBufferPointer, with builder: inout some JSONBuilder,
    into sink: inout some TrackSink
  ) {
    // Any memory may be read as bytes; the buffer does not outlive the closure.
    bytes.withMemoryRebound(to: UInt8.self) { buffer in
      reader.read(buffer) { reader, text in
        if !isBegun { scanner.pass(3 * reader.markCount) }
        isBegun = true
        scanner.scan(text, into: &builder, &sink)
        return text.count
      }
    }
  }

  /// Ends the text.
  mutating func finish(
    with builder: inout some JSONBuilder, into sink: inout some TrackSink
  ) {
    reader.finish { _, text in
      scanner.scan(text, into: &builder, &sink)
      return text.count
    }
    scanner.finish(into: &builder, &sink)
    if reader.sawInvalid {
      sink.warn(
        .encoding, line: nil,
        "Some characters are invalid in the file's encoding; they were replaced by U+FFFD.")
    }
  }
}
