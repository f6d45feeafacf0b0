import ByteStreams

/// Reads XML in any encoding from bytes in pieces of any size, down to one at a time, with the same
/// result: ``EncodedTextReader`` converts the encoding to bytes with ASCII markup, and
/// ``XMLScanner`` finds tags and text in them for a handler.
struct XMLTextReader {
  private var text = EncodedTextReader()
  private(set) var scanner = XMLScanner()

  /// The line reached, counted from 1.
  var line: Int { scanner.line }
  /// True if the last byte was inside markup.
  var isInMarkup: Bool { scanner.isInMarkup }

  /// Reads the next bytes, any number of them. They are only used during the call.
  ///
  /// - Complexity: O(bytes).
  mutating func read(
    _ bytes: UnsafeRawBufferPointer, into handler: inout some XMLHandler,
    _ sink: inout some TrackSink
  ) {
    // Any memory may be read as bytes; the buffer does not outlive the closure.
    bytes.withMemoryRebound(to: UInt8.self) { buffer in
      var reader = EncodedTextReader()
      swap(&reader, &text)
      reader.read(buffer) { reader, text in scan(text, from: &reader, into: &handler, &sink) }
      swap(&reader, &text)
    }
  }

  /// Ends the text.
  mutating func finish(into handler: inout some XMLHandler, _ sink: inout some TrackSink) {
    var reader = EncodedTextReader()
    swap(&reader, &text)
    reader.finish { reader, text in scan(text, from: &reader, into: &handler, &sink) }
    swap(&reader, &text)
    if text.sawInvalid {
      sink.warn(
        .encoding, line: nil,
        "Some characters are invalid in the file's encoding; they were replaced by U+FFFD.")
    }
    scanner.finish(into: &handler, &sink)
  }

  /// Scans a piece of text. Returns how many bytes were consumed: of a large piece only a part that
  /// stays in the processor's cache while it is read twice, or the part before the declaration of
  /// another encoding.
  private mutating func scan(
    _ whole: UnsafeBufferPointer<UInt8>, from reader: inout EncodedTextReader,
    into handler: inout some XMLHandler, _ sink: inout some TrackSink
  ) -> Int {
    let text = UnsafeBufferPointer(rebasing: whole.prefix(1 << 17))
    if case .utf16 = reader.encoding { scanner.isWideText = true }
    if case .utf32 = reader.encoding { scanner.isWideText = true }
    if !text.isEmpty, !scanner.sawAnyByte, reader.markCount > 1 {
      sink.warn(
        .encoding, line: 1,
        "The file begins with \(reader.markCount) byte order marks; all were ignored.")
    }
    let (taken, encoding) = scanner.scan(text, into: &handler, &sink)
    if let encoding { reader.switchEncoding(to: encoding) }
    return taken
  }
}
