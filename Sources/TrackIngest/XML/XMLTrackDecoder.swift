import Geodesy

/// Decodes an XML format of tracks from bytes in pieces of any size, down to one at a time, with
/// the same result: ``XMLTextReader``, ``XMLElementReader`` and the builder of the format.
struct XMLTrackDecoder<Builder: XMLTrackBuilder>: TrackDecoder {
  private var reader: XMLTextReader
  private(set) var elements: XMLElementReader<Builder>

  /// True if the fast path is used; tests compare both paths.
  var usesFastPath: Bool {
    get { elements.builder.usesFastPath }
    set { elements.builder.usesFastPath = newValue }
  }

  var scanner: XMLScanner { reader.scanner }

  /// A decoder at the start of a file, or after blanks that `reader` has read.
  init(_ builder: Builder, reader: XMLTextReader = XMLTextReader()) {
    elements = XMLElementReader(builder)
    self.reader = reader
  }

  mutating func decode(_ bytes: UnsafeRawBufferPointer, into sink: inout some TrackSink) {
    reader.read(bytes, into: &elements, &sink)
  }

  mutating func finish(into sink: inout some TrackSink) -> IngestError? {
    reader.finish(into: &elements, &sink)
    return elements.finish(line: reader.line, isInMarkup: reader.isInMarkup, &sink)
  }
}
