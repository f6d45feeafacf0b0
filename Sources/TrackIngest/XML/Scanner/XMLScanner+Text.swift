extension XMLScanner {
  /// Scans text up to `<` or `&`.
  mutating func scanText(
    _ byte: UInt8, _ start: Position, _ end: Position, _ handler: inout some XMLHandler,
    _ sink: inout some TrackSink
  ) -> Position {
    // Runs: of ignored text, of the value that is read, of white space between elements.
    let use = handler.textUse
    if use == .ignored || use == .captured, Self.isPlain(byte) {
      let at = Self.plainEnd(start, end)
      if use == .captured { handler.takeText(start, at, &lines, &sink) }
      checks.wasControl = false
      return at
    }
    if DecimalText.isSpace(byte) {
      var at = start + 1
      while at < end, DecimalText.isSpace(at.pointee) { at += 1 }
      sawAnyByte = true
      checks.wasControl = false
      return at
    }
    switch byte {
    case 0x3C:
      // Before the fast path, which skips the markup and the white space after it.
      checks.wasControl = false
      var at = start
      if handler.isFastPathOpen {
        at = handler.readPlain(start, end, &lines, &sink)
        guard at < end, at.pointee == 0x3C else { return at }
      }
      openToken(at, &handler)
      return at + 1
    case 0x26:
      checks.wasControl = false
      openReference(start, returningTo: .text)
    default: takeText(byte, start, &handler, &sink)
    }
    return start + 1
  }

  /// One byte of text without markup.
  private mutating func takeText(
    _ byte: UInt8, _ at: Position, _ handler: inout some XMLHandler, _ sink: inout some TrackSink
  ) {
    let isSpace = DecimalText.isSpace(byte)
    if !isSpace { handler.noteContent() }
    switch handler.textUse {
    case .ignored: break
    case .captured: handler.takeText(byte, line: lines.line(at: at), &sink)
    case .outside:
      if !isSpace { handler.noteJunk(line: lines.line(at: at), &sink) }
    case .unexpected:
      if byte == 0x3E || byte == 0x22 {
        handler.takeFragment(line: lines.line(at: at), &sink)
      }
    }
    sawAnyByte = true
    noteControl(byte, at, handler.textUse, &sink)
  }

  /// The end of a run of plain text that begins at `start`, eight bytes at a time.
  ///
  /// Sound: eight bytes are read only where eight lie before `end`.
  static func plainEnd(_ start: Position, _ end: Position) -> Position {
    var at = start
    while end - at >= 8 {
      let (count, isEnd) = XMLFastPath.plainRun(at)
      at += count
      if isEnd || (count < 8 && !isPlain(at.pointee)) { return at }
      if count < 8 { at += 1 }
    }
    while at < end, isPlain(at.pointee) { at += 1 }
    return at
  }

  /// The end of a run of plain text without a quotation mark that begins at `start`.
  @inline(__always)
  static func plainEnd(_ start: Position, _ end: Position, orAt quote: UInt8) -> Position {
    var at = start
    while at < end, at.pointee != quote, isPlain(at.pointee) { at += 1 }
    return at
  }

  /// Returns true if the byte is ASCII text without a special meaning.
  @inline(__always)
  static func isPlain(_ byte: UInt8) -> Bool {
    (byte >= 0x20 && byte < 0x80 && byte != 0x3C && byte != 0x26) || DecimalText.isSpace(byte)
  }

  /// Warns of the first of a run of control characters.
  mutating func noteControl(
    _ byte: UInt8, _ at: Position, _ use: XMLTextUse, _ sink: inout some TrackSink
  ) {
    let isControl = byte < 0x20 && !DecimalText.isSpace(byte)
    if isControl, !checks.wasControl, use != .outside {
      sink.warn(
        .malformed, line: lines.line(at: at),
        "The text contains zero bytes or control characters; they were kept.")
    }
    checks.wasControl = isControl
  }

  /// Warns of bytes that are not UTF-8.
  mutating func checkUTF8(_ byte: UInt8, _ at: Position, _ sink: inout some TrackSink) {
    guard checks.validatesUTF8 else { return }
    if !checks.utf8.take(byte) {
      sink.warn(
        .encoding, line: lines.line(at: at),
        "Some bytes are not valid UTF-8, the file's encoding; they were kept.")
      // The byte that broke a character may begin another.
      _ = checks.utf8.take(byte)
    }
    checks.isInCharacter = checks.utf8.isPending
  }
}
