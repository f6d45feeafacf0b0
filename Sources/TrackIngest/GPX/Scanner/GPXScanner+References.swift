extension GPXScanner {
  /// Begins a reference at `&`.
  mutating func openReference(_ at: Position, returningTo state: State) {
    self.state = .reference
    reference.reset(line: lines.line(at: at), isInText: state == .text)
    sawAnyByte = true
  }

  /// Scans `&` up to `;`. Resolves only numbers and the five predefined names.
  mutating func scanReference(
    _ byte: UInt8, _ at: Position, _ builder: inout GPXTrackBuilder, _ sink: inout some TrackSink
  ) -> Position {
    if byte == 0x3B {
      closeReference(&builder, &sink)
      return at + 1
    }
    if reference.take(byte) { return at + 1 }
    closeBareAmpersand(&builder, &sink)
    return at
  }

  private mutating func closeReference(
    _ builder: inout GPXTrackBuilder, _ sink: inout some TrackSink
  ) {
    state = reference.isInText ? .text : .quotedValue
    if let character = reference.character {
      for byte in Unicode.UTF8.encode(character) ?? Unicode.UTF8.encodedReplacementCharacter {
        appendReferred(byte, &builder)
      }
    } else {
      sink.warn(
        .malformed, line: reference.line, "An entity is not predefined; it was ignored.")
      // A control character spoils a number or time around it.
      appendReferred(0x1A, &builder)
    }
    noteReference(&builder, &sink)
  }

  /// Treats an `&` that began no reference, and what follows it, as text.
  mutating func closeBareAmpersand(_ builder: inout GPXTrackBuilder, _ sink: inout some TrackSink) {
    state = reference.isInText ? .text : .quotedValue
    sink.warn(.malformed, line: reference.line, "An & is not escaped; it was read as text.")
    appendReferred(0x26, &builder)
    for byte in reference.name { appendReferred(byte, &builder) }
    noteReference(&builder, &sink)
  }

  private mutating func appendReferred(_ byte: UInt8, _ builder: inout GPXTrackBuilder) {
    if reference.isInText {
      if builder.context.textUse == .captured { builder.leaf.text.appendTrimmed(byte) }
    } else if tag.attributeUse != .ignored {
      value.appendTrimmed(byte)
    }
  }

  private func noteReference(_ builder: inout GPXTrackBuilder, _ sink: inout some TrackSink) {
    if builder.context.textUse == .outside, reference.isInText {
      builder.noteJunk(reference.line, &sink)
    }
  }
}
