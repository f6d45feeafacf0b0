import ByteStreams

/// Finds the tags and texts of an XML file in its bytes and passes them to an ``XMLHandler``.
///
/// Two paths give the same result. The *exact path* is a state machine over single bytes that keeps
/// no text except the attribute value being read; it alone handles anything unusual. The handler's
/// *fast path* (``XMLFastPath``) reads whole plain elements that lie within one piece, and gives up
/// at the first byte it does not expect.
struct XMLScanner {
  /// A position in the piece that is scanned: valid only during ``scan(_:into:_:)``, and read only
  /// before the end of the piece.
  typealias Position = UnsafePointer<UInt8>

  /// The state of the exact path between two bytes.
  enum State: UInt8 {
    case text, reference
    case tagOpen, startName, tagSpace, tagSlash, afterValue, endName, endSpace
    case attributeName, afterAttributeName, beforeValue, quotedValue, unquotedValue
    case declarationOpen, comment, cdata, documentType, instruction
  }

  var state = State.text
  var lines = LineCounter()
  /// True if any byte except those of byte order marks was read.
  var sawAnyByte = false
  /// The checks of bytes in text.
  var checks = XMLTextChecks()

  /// The `<` of the token that is read.
  var token = XMLToken()
  /// The start or end tag that is read.
  var tag = XMLTag()
  /// The attribute value that is read, and its quotation mark.
  var value = BoundedText(limit: XMLLimits.valueBytes)
  var quote: UInt8 = 0
  /// The reference that is read.
  var reference = XMLReference()
  /// The processing instruction that is read.
  var instruction = XMLDeclaration()
  /// The document type that is read.
  var documentType = XMLDocumentTypeSkipper()

  /// True if the text was UTF-16 or UTF-32, which no declaration can change.
  var isWideText = false
  /// An encoding that a declaration asked for.
  var requestedEncoding: ByteEncoding?

  /// The line reached, counted from 1.
  var line: Int { lines.line }
  /// True if the last byte was inside markup.
  var isInMarkup: Bool { state != .text }

  /// Scans a piece of text.
  ///
  /// - Returns: how many bytes were consumed, and the encoding of the rest if a declaration changed
  ///   it.
  mutating func scan(
    _ text: UnsafeBufferPointer<UInt8>, into handler: inout some XMLHandler,
    _ sink: inout some TrackSink
  ) -> (taken: Int, encoding: ByteEncoding?) {
    guard let start = text.baseAddress, !text.isEmpty else { return (0, nil) }
    lines.beginChunk(text)
    var taken = scan(start, start + text.count, &handler, &sink) - start
    let encoding = requestedEncoding
    requestedEncoding = nil
    if encoding == nil { taken = text.count }
    lines.endChunk(at: start + taken)
    return (taken, encoding)
  }

  /// Ends the text.
  mutating func finish(into handler: inout some XMLHandler, _ sink: inout some TrackSink) {
    if state == .reference { closeBareAmpersand(&handler, &sink) }
  }

  /// Scans bytes one at a time, or runs of those without meaning. Returns the position where it
  /// stopped: `end`, or earlier if a declaration asked for another encoding. `start` and `end`
  /// bound initialized memory.
  private mutating func scan(
    _ start: Position, _ end: Position, _ handler: inout some XMLHandler,
    _ sink: inout some TrackSink
  ) -> Position {
    var at = start
    while at < end {
      let byte = at.pointee
      if byte >= 0x80 || checks.isInCharacter { checkUTF8(byte, at, &sink) }
      switch state {
      case .text: at = scanText(byte, at, end, &handler, &sink)
      case .reference: at = scanReference(byte, at, &handler, &sink)
      case .startName, .tagSpace, .tagSlash, .afterValue, .attributeName, .afterAttributeName,
        .beforeValue, .unquotedValue:
        at = scanStartTag(byte, at, end, &handler, &sink)
      case .quotedValue: at = scanQuotedValue(byte, at, end, &handler, &sink)
      case .tagOpen: at = scanTagOpen(byte, at, &handler, &sink)
      case .endName, .endSpace: at = scanEndTag(byte, at, end, &handler, &sink)
      case .declarationOpen: at = scanDeclarationOpen(byte, at)
      case .comment: at = scanComment(byte, at, end)
      case .cdata: at = scanCDATA(byte, at, end, &handler, &sink)
      case .documentType:
        if documentType.take(byte) { closeDocumentType(&sink) }
        at += 1
      case .instruction:
        at = scanInstruction(byte, at, &handler, &sink)
        if requestedEncoding != nil { return at }
      }
    }
    return at
  }
}

/// The `<` of a token.
struct XMLToken {
  /// Its line.
  var line = 1
  /// True if it is the first byte of the file.
  var isAtStart = false
  /// The number of bytes read of a mark: of `--`, `[CDATA[`, `]]>`, `?>`.
  var run = 0
}

/// The checks of bytes in text.
struct XMLTextChecks {
  var utf8 = UTF8Validator()
  /// True if a character of several bytes is incomplete: a copy of the validator's own answer,
  /// because it is asked for at every byte.
  var isInCharacter = false
  /// True if the text is UTF-8 and has to be valid.
  var validatesUTF8 = true
  /// True if the last byte was a control character.
  var wasControl = false
}
