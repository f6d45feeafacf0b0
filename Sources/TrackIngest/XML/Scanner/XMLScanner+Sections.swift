import ByteStreams

/// Comments, CDATA sections, document types and processing instructions.
extension XMLScanner {
  /// Scans what follows `<!`: a comment, CDATA or a document type.
  mutating func scanDeclarationOpen(_ byte: UInt8, _ at: Position) -> Position {
    let cdata: StaticString = "[CDATA["
    switch (token.run, byte) {
    case (0, 0x2D): token.run = 1
    case (1, 0x2D):
      state = .comment
      token.run = 0
    case (0, 0x5B): token.run = 2
    // The run is 2...7, so the index is within the 7 bytes of the static string.
    case (2...7, _) where byte == cdata.utf8Start[token.run - 1]:
      token.run += 1
      if token.run == 8 {
        state = .cdata
        token.run = 0
      }
    default:
      state = .documentType
      documentType = XMLDocumentTypeSkipper()
      return at
    }
    return at + 1
  }

  /// Ends a document type.
  mutating func closeDocumentType(_ sink: inout some TrackSink) {
    state = .text
    guard documentType.hasSubset else { return }
    sink.warn(
      .leftOut, line: token.line,
      "A document type has declarations; they were ignored, and nothing was expanded or fetched.")
  }

  /// Scans a comment.
  mutating func scanComment(_ byte: UInt8, _ start: Position, _ end: Position) -> Position {
    if byte == 0x2D {
      token.run += 1
    } else if byte == 0x3E, token.run >= 2 {
      state = .text
    } else {
      token.run = 0
      var at = start + 1
      while at < end, at.pointee != 0x2D, at.pointee < 0x80, !checks.isInCharacter { at += 1 }
      return at
    }
    return start + 1
  }

  /// Scans CDATA, which is literal text up to `]]>`.
  mutating func scanCDATA(
    _ byte: UInt8, _ start: Position, _ end: Position, _ handler: inout some XMLHandler,
    _ sink: inout some TrackSink
  ) -> Position {
    if byte == 0x5D {
      token.run += 1
      return start + 1
    }
    let isEnd = byte == 0x3E && token.run >= 2
    switch handler.textUse {
    case .captured:
      let line = lines.line(at: start)
      for _ in 0..<min(isEnd ? token.run - 2 : token.run, XMLLimits.valueBytes + 1) {
        handler.takeText(0x5D, line: line, &sink)
      }
      if !isEnd { handler.takeText(byte, line: line, &sink) }
    case .outside: handler.noteJunk(line: token.line, &sink)
    case .ignored, .unexpected: break
    }
    token.run = 0
    if isEnd { state = .text }
    guard !isEnd, handler.textUse == .ignored else { return start + 1 }
    var at = start + 1
    while at < end, at.pointee != 0x5D, at.pointee < 0x80, !checks.isInCharacter { at += 1 }
    return at
  }

  /// Scans a processing instruction; only the XML declaration matters.
  mutating func scanInstruction(
    _ byte: UInt8, _ at: Position, _ handler: inout some XMLHandler, _ sink: inout some TrackSink
  ) -> Position {
    // An XML declaration has no `>` inside, so the first one ends it even if the `?` is missing.
    if byte == 0x3E, token.run == 1 || instruction.isXML {
      state = .text
      if instruction.isXML { takeDeclaration(&handler, &sink) }
      return at + 1
    }
    token.run = byte == 0x3F ? 1 : 0
    instruction.take(byte)
    return at + 1
  }

  /// Takes the XML declaration: after the start of the file, it begins another document.
  private mutating func takeDeclaration(
    _ handler: inout some XMLHandler, _ sink: inout some TrackSink
  ) {
    guard token.isAtStart else { return handler.beginDocument(line: token.line, &sink) }
    guard !isWideText, let name = instruction.encodingName else { return }
    switch ByteEncoding.declared(name) {
    case .use(.utf8): break
    case .use(.asciiCompatible): checks.validatesUTF8 = false
    case .use(let encoding): requestedEncoding = encoding
    case .contradicted:
      sink.warn(
        .encoding, line: token.line,
        "The file declares the encoding \(name) but does not use it; it was read as UTF-8.")
    case .unknown:
      checks.validatesUTF8 = false
      sink.warn(
        .encoding, line: token.line, "The encoding \(name) is unknown; the file was read as ASCII.")
    }
  }
}
