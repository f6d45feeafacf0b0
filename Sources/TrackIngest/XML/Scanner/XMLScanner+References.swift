extension XMLScanner {
  /// Begins a reference at `&`.
  mutating func openReference(_ at: Position, returningTo state: State) {
    self.state = .reference
    reference.reset(line: lines.line(at: at), isInText: state == .text)
    sawAnyByte = true
  }

  /// Scans `&` up to `;`. Resolves only numbers and the five predefined names.
  mutating func scanReference(
    _ byte: UInt8, _ at: Position, _ handler: inout some XMLHandler, _ sink: inout some TrackSink
  ) -> Position {
    if byte == 0x3B {
      closeReference(&handler, &sink)
      return at + 1
    }
    if reference.take(byte) { return at + 1 }
    closeBareAmpersand(&handler, &sink)
    return at
  }

  private mutating func closeReference(
    _ handler: inout some XMLHandler, _ sink: inout some TrackSink
  ) {
    state = reference.isInText ? .text : .quotedValue
    if let character = reference.character {
      for byte in Unicode.UTF8.encode(character) ?? Unicode.UTF8.encodedReplacementCharacter {
        appendReferred(byte, &handler, &sink)
      }
    } else {
      sink.warn(
        .malformed, line: reference.line, "An entity is not predefined; it was ignored.")
      // A control character spoils a number or time around it.
      appendReferred(0x1A, &handler, &sink)
    }
    noteReference(&handler, &sink)
  }

  /// Treats an `&` that began no reference, and what follows it, as text.
  mutating func closeBareAmpersand(_ handler: inout some XMLHandler, _ sink: inout some TrackSink) {
    state = reference.isInText ? .text : .quotedValue
    sink.warn(.malformed, line: reference.line, "An & is not escaped; it was read as text.")
    appendReferred(0x26, &handler, &sink)
    for byte in reference.name { appendReferred(byte, &handler, &sink) }
    noteReference(&handler, &sink)
  }

  private mutating func appendReferred(
    _ byte: UInt8, _ handler: inout some XMLHandler, _ sink: inout some TrackSink
  ) {
    if reference.isInText {
      if handler.textUse == .captured {
        handler.takeText(byte, line: reference.line, &sink)
      }
    } else if tag.isValueRead {
      value.appendTrimmed(byte)
    }
  }

  private func noteReference(_ handler: inout some XMLHandler, _ sink: inout some TrackSink) {
    if handler.textUse == .outside, reference.isInText {
      handler.noteJunk(line: reference.line, &sink)
    }
  }
}
