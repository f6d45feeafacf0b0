extension XMLScanner {
  /// Begins a token at `<`.
  mutating func openToken(_ at: Position, _ handler: inout some XMLHandler) {
    state = .tagOpen
    token.line = lines.line(at: at)
    token.isAtStart = !sawAnyByte
    sawAnyByte = true
    handler.noteContent()
  }

  /// Scans the byte after `<`.
  mutating func scanTagOpen(
    _ byte: UInt8, _ at: Position, _ handler: inout some XMLHandler, _ sink: inout some TrackSink
  ) -> Position {
    switch byte {
    case 0x2F:
      state = .endName
      tag.name.reset()
    case 0x21:
      state = .declarationOpen
      token.run = 0
    case 0x3F:
      state = .instruction
      instruction.reset()
      token.run = 0
    case 0x41...0x5A, 0x61...0x7A, 0x5F, 0x3A, 0x80...0xFF:
      state = .startName
      tag.name.reset()
      tag.reset()
      handler.beginTag()
      tag.name.add(byte)
    default:
      state = .text
      sink.warn(.malformed, line: token.line, "A < is not escaped; it was read as text.")
      if handler.textUse == .captured { handler.takeText(0x3C, line: token.line, &sink) }
      if handler.textUse == .outside { handler.noteJunk(line: token.line, &sink) }
      return at
    }
    return at + 1
  }

  /// Scans an end tag.
  mutating func scanEndTag(
    _ byte: UInt8, _ at: Position, _ end: Position, _ handler: inout some XMLHandler,
    _ sink: inout some TrackSink
  ) -> Position {
    if state == .endName, XMLName.isNameByte(byte) { return tag.name.add(at, end) }
    switch byte {
    case 0x3E:
      state = .text
      handler.endElement(tag.name.hash, line: token.line, &sink)
    case 0x3C: return breakTag(at, &handler, &sink)
    case 0x20, 0x0A, 0x0D, 0x09: state = .endSpace
    default: if state == .endName { tag.name.add(byte) }
    }
    return at + 1
  }

  /// Ends a tag that is cut off by a `<` and ignores it.
  private mutating func breakTag(
    _ at: Position, _ handler: inout some XMLHandler, _ sink: inout some TrackSink
  ) -> Position {
    state = .text
    sink.warn(.malformed, line: token.line, "A tag is cut off by the next one; it was ignored.")
    handler.discardTag()
    return at
  }

  // MARK: - Start tags

  /// Scans a start tag without its quoted values.
  mutating func scanStartTag(
    _ byte: UInt8, _ at: Position, _ end: Position, _ handler: inout some XMLHandler,
    _ sink: inout some TrackSink
  ) -> Position {
    if state == .startName, XMLName.isNameByte(byte) { return tag.name.add(at, end) }
    if state == .attributeName, XMLName.isNameByte(byte) {
      var runEnd = at + 1
      while runEnd < end, XMLName.isNameByte(runEnd.pointee) { runEnd += 1 }
      tag.attribute.append(at, runEnd)
      return runEnd
    }
    if byte == 0x3C { return breakTag(at, &handler, &sink) }
    let isSpace = DecimalText.isSpace(byte)
    if state == .afterValue {
      // A blank belongs between two attributes.
      if !isSpace, byte != 0x3E, byte != 0x2F { tag.isOdd = true }
      state = .tagSpace
    }
    if state == .unquotedValue, !isSpace, byte != 0x3E, byte != 0x2F {
      if tag.isValueRead { value.appendTrimmed(byte) }
      return at + 1
    }
    if state == .tagSlash {
      if byte == 0x3E {
        closeStartTag(isEmpty: true, &handler, &sink)
        return at + 1
      }
      tag.isOdd = true
      state = .tagSpace
      return at
    }
    switch byte {
    case 0x3E:
      endAttribute(&handler)
      closeStartTag(isEmpty: false, &handler, &sink)
    case 0x2F:
      endAttribute(&handler)
      state = .tagSlash
    case 0x20, 0x0A, 0x0D, 0x09:
      switch state {
      case .startName: state = .tagSpace
      case .attributeName: state = .afterAttributeName
      case .unquotedValue:
        endValue(&handler)
        state = .tagSpace
      default: break
      }
    default: scanTagByte(byte, &handler)
    }
    return at + 1
  }

  private mutating func closeStartTag(
    isEmpty: Bool, _ handler: inout some XMLHandler, _ sink: inout some TrackSink
  ) {
    state = .text
    if tag.isOdd {
      sink.warn(
        .malformed, line: token.line,
        "The attributes of a tag are not well formed; they were read as far as possible.")
    }
    handler.startElement(tag.name, line: token.line, isEmpty: isEmpty, &sink)
  }

  /// Scans a byte of a start tag that is neither space nor its end.
  private mutating func scanTagByte(_ byte: UInt8, _ handler: inout some XMLHandler) {
    let isQuote = byte == 0x22 || byte == 0x27
    switch state {
    case .startName: tag.name.add(byte)
    case .tagSpace:
      if isQuote || byte == 0x3D { tag.isOdd = true } else { beginAttribute(byte) }
    case .attributeName:
      if byte == 0x3D {
        beginValue(&handler)
      } else if isQuote {
        tag.isOdd = true
        state = .tagSpace
      } else {
        tag.attribute.append(byte)
      }
    case .afterAttributeName:
      if byte == 0x3D {
        beginValue(&handler)
      } else {
        tag.isOdd = true
        beginAttribute(byte)
      }
    case .beforeValue:
      if isQuote {
        quote = byte
        state = .quotedValue
      } else {
        tag.isOdd = true
        state = .unquotedValue
        if tag.isValueRead { value.appendTrimmed(byte) }
      }
    default: break
    }
  }

  // MARK: - Attributes

  private mutating func beginAttribute(_ byte: UInt8) {
    state = .attributeName
    tag.attribute.reset()
    tag.attribute.append(byte)
  }

  /// Takes the `=` after an attribute's name.
  private mutating func beginValue(_ handler: inout some XMLHandler) {
    state = .beforeValue
    value.reset()
    tag.isValueRead = !tag.attribute.isTooLong && handler.readsAttribute(tag.attribute)
  }

  /// Scans a quoted value, up to its end or a part of it.
  mutating func scanQuotedValue(
    _ byte: UInt8, _ start: Position, _ end: Position, _ handler: inout some XMLHandler,
    _ sink: inout some TrackSink
  ) -> Position {
    if byte != quote, Self.isPlain(byte) {
      let at = Self.plainEnd(start, end, orAt: quote)
      if tag.isValueRead { value.appendTrimmed(start, at) }
      checks.wasControl = false
      return at
    }
    switch byte {
    case quote:
      endValue(&handler)
      state = .afterValue
    case 0x3C: return breakTag(start, &handler, &sink)
    case 0x26: openReference(start, returningTo: .quotedValue)
    default:
      if tag.isValueRead { value.appendTrimmed(byte) }
      noteControl(byte, start, handler.textUse, &sink)
    }
    return start + 1
  }

  /// Takes an attribute's complete value.
  private mutating func endValue(_ handler: inout some XMLHandler) {
    guard tag.isValueRead else { return }
    tag.isValueRead = false
    if !handler.takeAttribute(tag.attribute, value, of: tag.name) { tag.isOdd = true }
  }

  /// Ends the last attribute of a tag.
  private mutating func endAttribute(_ handler: inout some XMLHandler) {
    switch state {
    case .unquotedValue: endValue(&handler)
    case .attributeName, .afterAttributeName, .beforeValue: tag.isOdd = true
    default: break
    }
  }
}
