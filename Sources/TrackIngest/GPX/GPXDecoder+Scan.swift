extension GPXDecoder {
  typealias Position = UnsafePointer<UInt8>

  /// The exact path: takes bytes one at a time, or a run of those that mean nothing. Returns where it stopped:
  /// at `end`, or earlier where another encoding is asked for.
  mutating func scan(_ start: Position, _ end: Position, into sink: inout some TrackSink) -> Position {
    var at = start
    while at < end {
      let byte = at.pointee
      if byte >= 0x80 || utf8.isPending { checkUTF8(byte, at, &sink) }
      switch state {
      case .text: at = scanText(byte, at, end, &sink)
      case .reference: at = scanReference(byte, at, &sink)
      case .startName, .tagSpace, .tagSlash, .afterValue, .attributeName, .afterAttributeName, .beforeValue,
        .unquotedValue:
        at = scanStartTag(byte, at, end, &sink)
      case .quotedValue: at = scanQuotedValue(byte, at, end, &sink)
      case .tagOpen: at = scanTagOpen(byte, at, &sink)
      case .endName, .endSpace: at = scanEndTag(byte, at, end, &sink)
      case .declarationOpen: at = scanDeclarationOpen(byte, at)
      case .comment: at = scanComment(byte, at, end)
      case .cdata: at = scanCDATA(byte, at, &sink)
      case .documentType:
        if documentType.take(byte) { closeDocumentType(&sink) }
        at += 1
      case .instruction:
        at = scanInstruction(byte, at, &sink)
        if requestedEncoding != nil { return at }
      }
    }
    return at
  }

  // MARK: - Text

  /// Text up to `<` or `&`.
  private mutating func scanText(
    _ byte: UInt8, _ start: Position, _ end: Position, _ sink: inout some TrackSink
  ) -> Position {
    // Runs: of text that means nothing, of the value being read, of white space between elements.
    if textUse == .ignored || textUse == .captured, Self.isPlain(byte) {
      let at = Self.plainEnd(start, end)
      if textUse == .captured { append(start, at) }
      wasControl = false
      return at
    }
    if DecimalText.isSpace(byte) {
      var at = start + 1
      while at < end, DecimalText.isSpace(at.pointee) { at += 1 }
      sawAnyByte = true
      wasControl = false
      return at
    }
    switch byte {
    case 0x3C:
      var at = start
      if isFastPathOpen, usesFastPath {
        at = takePlainPoints(start, end, &sink)
        guard at < end, at.pointee == 0x3C else { return at }
      }
      wasControl = false
      openToken(at)
      return at + 1
    case 0x26:
      wasControl = false
      openReference(start, returningTo: .text)
    default: takeText(byte, start, &sink)
    }
    return start + 1
  }

  /// One byte of text that is no markup.
  private mutating func takeText(_ byte: UInt8, _ at: Position, _ sink: inout some TrackSink) {
    let isSpace = DecimalText.isSpace(byte)
    if !isSpace { sawContent = true }
    switch textUse {
    case .ignored: break
    case .captured: append(byte)
    case .outside:
      if !isSpace { noteJunk(lines.line(at: at), &sink) }
    case .inPoint:
      if byte == 0x3E || byte == 0x22 { damagePoint(lines.line(at: at), &sink) }
    }
    sawAnyByte = true
    noteControl(byte, at, &sink)
  }

  /// Appends to the value being read. White space in front is dropped; past the limit the value is spoilt.
  @inline(__always)
  mutating func append(_ byte: UInt8) {
    if valueCount < Self.valueLimit {
      if valueCount == 0, DecimalText.isSpace(byte) { return }
      value[valueCount] = byte
      valueCount &+= 1
    } else if !DecimalText.isSpace(byte) {
      isValueTooLong = true
    }
  }

  /// Appends a run of ASCII text to the value being read, as byte after byte would.
  private mutating func append(_ start: Position, _ end: Position) {
    var at = start
    if valueCount == 0 {
      while at < end, DecimalText.isSpace(at.pointee) { at += 1 }
    }
    let count = min(end - at, Self.valueLimit - valueCount)
    let target = valueCount
    value.withUnsafeMutableBufferPointer { value in
      for index in 0..<count { value[target + index] = at[index] }
    }
    valueCount += count
    at += count
    while at < end, !isValueTooLong {
      isValueTooLong = !DecimalText.isSpace(at.pointee)
      at += 1
    }
  }

  /// The end of a run of plain text that begins at `start`.
  @inline(__always)
  private static func plainEnd(_ start: Position, _ end: Position, orAt quote: UInt8 = 0x3C) -> Position {
    var at = start
    while at < end, at.pointee != quote, isPlain(at.pointee) { at += 1 }
    return at
  }

  /// Whether the byte is ASCII text that never needs a look.
  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool {
    (byte >= 0x20 && byte < 0x80 && byte != 0x3C && byte != 0x26) || DecimalText.isSpace(byte)
  }

  /// Warns of the first of a run of control characters.
  private mutating func noteControl(_ byte: UInt8, _ at: Position, _ sink: inout some TrackSink) {
    let isControl = byte < 0x20 && !DecimalText.isSpace(byte)
    if isControl, !wasControl, textUse != .outside {
      sink.warn(.malformed, line: lines.line(at: at), "zero bytes or control characters in the text")
    }
    wasControl = isControl
  }

  private mutating func checkUTF8(_ byte: UInt8, _ at: Position, _ sink: inout some TrackSink) {
    guard validatesUTF8 else { return }
    if !utf8.take(byte) {
      sink.warn(.encoding, line: lines.line(at: at), "bytes that are not UTF-8, the encoding of the file")
      // The byte that broke a character may begin another.
      _ = utf8.take(byte)
    }
  }

  // MARK: - References

  private mutating func openReference(_ at: Position, returningTo state: State) {
    self.state = .reference
    referenceReturn = state
    referenceCount = 0
    referenceLine = lines.line(at: at)
    sawAnyByte = true
  }

  /// `&` up to `;`. Numbers and the five predefined names are resolved; nothing else is.
  private mutating func scanReference(_ byte: UInt8, _ at: Position, _ sink: inout some TrackSink) -> Position
  {
    if byte == 0x3B {
      state = referenceReturn
      let resolved = reference.withUnsafeBufferPointer {
        GPXReference.resolve(UnsafeBufferPointer(rebasing: $0.prefix(referenceCount)))
      }
      if let resolved {
        for byte in Unicode.UTF8.encode(resolved) ?? Unicode.UTF8.encodedReplacementCharacter {
          appendReferred(byte)
        }
      } else {
        sink.warn(
          .malformed, line: referenceLine, "an entity that is not predefined; it is left out, not expanded")
        // Spoils a number or time that it stands in.
        appendReferred(0x1A)
      }
      if textUse == .outside, referenceReturn == .text { noteJunk(referenceLine, &sink) }
      return at + 1
    }
    if referenceCount < reference.count, GPXReference.isNameByte(byte) {
      reference[referenceCount] = byte
      referenceCount += 1
      return at + 1
    }
    closeBareAmpersand(&sink)
    return at
  }

  /// The `&` began no reference: it is text, and so is what follows it.
  mutating func closeBareAmpersand(_ sink: inout some TrackSink) {
    state = referenceReturn
    sink.warn(.malformed, line: referenceLine, "an & that is not written as &amp;")
    appendReferred(0x26)
    for index in 0..<referenceCount { appendReferred(reference[index]) }
    if textUse == .outside, referenceReturn == .text { noteJunk(referenceLine, &sink) }
  }

  private mutating func appendReferred(_ byte: UInt8) {
    let isWanted = referenceReturn == .text ? textUse == .captured : attributeUse != .ignored
    if isWanted { append(byte) }
  }

  // MARK: - Attribute values

  /// A value in quotes, up to its end or a part of it.
  private mutating func scanQuotedValue(
    _ byte: UInt8, _ start: Position, _ end: Position, _ sink: inout some TrackSink
  ) -> Position {
    if byte != quote, Self.isPlain(byte) {
      let at = Self.plainEnd(start, end, orAt: quote)
      if attributeUse != .ignored { append(start, at) }
      wasControl = false
      return at
    }
    switch byte {
    case quote:
      endValue(&sink)
      state = .afterValue
    case 0x3C: return breakTag(start, &sink)
    case 0x26: openReference(start, returningTo: .quotedValue)
    default:
      if attributeUse != .ignored { append(byte) }
      noteControl(byte, start, &sink)
    }
    return start + 1
  }

  // MARK: - Comments, CDATA, instructions

  /// What follows `<!`: a comment, CDATA or a document type.
  private mutating func scanDeclarationOpen(_ byte: UInt8, _ at: Position) -> Position {
    let cdata: StaticString = "[CDATA["
    switch (run, byte) {
    case (0, 0x2D): run = 1
    case (1, 0x2D):
      state = .comment
      run = 0
    case (0, 0x5B): run = 2
    case (2...7, _) where byte == cdata.utf8Start[run - 1]:
      run += 1
      if run == 8 {
        state = .cdata
        run = 0
      }
    default:
      state = .documentType
      documentType = GPXDocumentTypeSkipper()
      return at
    }
    return at + 1
  }

  private mutating func closeDocumentType(_ sink: inout some TrackSink) {
    state = .text
    guard documentType.hasSubset else { return }
    sink.warn(
      .leftOut, line: tokenLine,
      "declarations of a document type are passed over: nothing is expanded or fetched")
  }

  private mutating func scanComment(_ byte: UInt8, _ start: Position, _ end: Position) -> Position {
    if byte == 0x2D {
      run += 1
    } else if byte == 0x3E, run >= 2 {
      state = .text
    } else {
      run = 0
      var at = start + 1
      while at < end, at.pointee != 0x2D, at.pointee < 0x80, !utf8.isPending { at += 1 }
      return at
    }
    return start + 1
  }

  /// CDATA is text as it stands, up to `]]>`.
  private mutating func scanCDATA(_ byte: UInt8, _ at: Position, _ sink: inout some TrackSink) -> Position {
    if byte == 0x5D {
      run += 1
      return at + 1
    }
    let isEnd = byte == 0x3E && run >= 2
    if textUse == .captured {
      for _ in 0..<min(isEnd ? run - 2 : run, Self.valueLimit + 1) { append(0x5D) }
      if !isEnd { append(byte) }
    } else if textUse == .outside {
      noteJunk(tokenLine, &sink)
    }
    run = 0
    if isEnd { state = .text }
    return at + 1
  }

  /// A processing instruction: passed over, but for the XML declaration.
  private mutating func scanInstruction(_ byte: UInt8, _ at: Position, _ sink: inout some TrackSink)
    -> Position
  {
    // No `>` belongs in an XML declaration, so the first one ends it even where the `?` is missing.
    if byte == 0x3E, run == 1 || isDeclaration {
      state = .text
      if isDeclaration { takeDeclaration(&sink) }
      return at + 1
    }
    run = byte == 0x3F ? 1 : 0
    if instructionCount < Self.valueLimit {
      instruction[instructionCount] = byte
      instructionCount += 1
      if instructionCount == 4 {
        isDeclaration = instruction.starts(with: "xml".utf8) && DecimalText.isSpace(byte)
      }
    }
    return at + 1
  }
}
