/// The use of text.
enum XMLTextUse: UInt8 {
  /// The text is ignored: names, descriptions, extensions.
  case ignored
  /// The text is passed to the handler.
  case captured
  /// The text is before or after the root.
  case outside
  /// No text belongs here: a fragment of a tag is reported to the handler.
  case unexpected
}

/// Receives the tags and texts that an ``XMLScanner`` finds, in the order of the file.
///
/// The scanner is generic over its handler, so that calls inside this module can be inlined.
protocol XMLHandler {
  /// A position in the piece that is scanned: valid only during the call.
  typealias Position = UnsafePointer<UInt8>

  /// The use of text between the last tag and the next.
  var textUse: XMLTextUse { get }
  /// True if ``readPlain(_:_:_:_:)`` may be called at the next `<`.
  var isFastPathOpen: Bool { get }

  /// A start tag begins: attributes of an earlier one are forgotten.
  mutating func beginTag()
  /// Returns true if the value of an attribute is to be read.
  func readsAttribute(_ name: BoundedText) -> Bool
  /// Takes an attribute of the tag that is read. Returns false if it is not well formed.
  mutating func takeAttribute(_ name: BoundedText, _ value: BoundedText, of element: XMLName)
    -> Bool
  /// Opens an element, and closes it if it is empty.
  mutating func startElement(
    _ name: XMLName, line: Int, isEmpty: Bool, _ sink: inout some TrackSink)
  /// Closes the innermost element with a name, and those inside it.
  mutating func endElement(_ name: NameHash, line: Int, _ sink: inout some TrackSink)
  /// A tag is cut off: it is ignored.
  mutating func discardTag()

  /// Takes one byte of captured text.
  mutating func takeText(_ byte: UInt8, line: Int, _ sink: inout some TrackSink)
  /// Takes a run of captured ASCII text. `start` and `end` bound initialized memory.
  mutating func takeText(
    _ start: Position, _ end: Position, _ lines: inout LineCounter, _ sink: inout some TrackSink)
  /// Takes a `>` or `"` where no text belongs, which must come from broken markup.
  mutating func takeFragment(line: Int, _ sink: inout some TrackSink)
  /// Reads plain elements from `start`, which is `<`. Returns the position of the first byte that
  /// is not consumed. `start` and `end` bound initialized memory.
  mutating func readPlain(
    _ start: Position, _ end: Position, _ lines: inout LineCounter, _ sink: inout some TrackSink
  ) -> Position

  /// There is something other than white space.
  mutating func noteContent()
  /// There is text outside the root.
  mutating func noteJunk(line: Int, _ sink: inout some TrackSink)
  /// An XML declaration is not at the start: another document begins.
  mutating func beginDocument(line: Int, _ sink: inout some TrackSink)
}
