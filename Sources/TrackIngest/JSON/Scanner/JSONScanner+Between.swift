/// Punctuation, and the begin of values.
///
/// Sound: `at` and `end` bound the piece, and `at` is compared with `end` before each read.
extension JSONScanner {
  /// Reads blanks and punctuation up to the next name or value. Returns the position after them.
  mutating func scanBetween(
    _ start: Position, _ end: Position, _ builder: inout some JSONBuilder,
    _ sink: inout some TrackSink
  ) -> Position {
    var at = start
    while at < end {
      let byte = at.pointee
      switch byte {
      case 0x20, 0x0A, 0x0D, 0x09:
        at = JSONWords.skipBlanks(at + 1, end)
      case 0x22:
        at += 1
        beginString(at - 1, &builder, &sink)
        return scanString(at, end, &builder, &sink)
      case 0x2C:
        at += 1
        takeComma(at - 1, &builder, &sink)
      case 0x3A:
        at += 1
        if expected == .colon {
          expected = .value
        } else {
          noteError(at - 1, &builder, &sink)
        }
      case 0x7B, 0x5B:
        at += 1
        beginContainer(byte == 0x7B ? .object : .array, at - 1, &builder, &sink)
        if state != .between { return at }
      case 0x7D, 0x5D:
        at += 1
        endContainer(isObject: byte == 0x7D, at - 1, &builder, &sink)
        if depth == 0 { return at }
      case 0x1E:
        // A record separator begins a text, whatever is open.
        at += 1
        if depth > 0 {
          noteError(at - 1, &builder, &sink)
          breakOff(&builder, &sink)
        }
      case 0x00...0x1F:
        // Zero bytes of a damaged disk, for example: no part of a word.
        at += 1
        noteError(at - 1, &builder, &sink)
      default:
        beginWord(at, &builder, &sink)
        return scanWord(at, end, &builder, &sink)
      }
    }
    return at
  }

  private mutating func takeComma(
    _ at: Position, _ builder: inout some JSONBuilder, _ sink: inout some TrackSink
  ) {
    if expected != .comma { noteError(at, &builder, &sink) }
    expected = isInObject ? .name : .value
    isWanted = true
  }

  // MARK: - Values

  /// Prepares for a string: a name, or a value.
  private mutating func beginString(
    _ at: Position, _ builder: inout some JSONBuilder, _ sink: inout some TrackSink
  ) {
    text.reset()
    state = .string
    if expected != .name, !beginValue(at, &builder, &sink) { isWanted = false }
    isName = expected == .name
  }

  /// Prepares for a number or a word.
  private mutating func beginWord(
    _ at: Position, _ builder: inout some JSONBuilder, _ sink: inout some TrackSink
  ) {
    text.reset()
    state = .word
    if expected == .name {
      noteError(at, &builder, &sink)
      isWanted = false
    } else if !beginValue(at, &builder, &sink) {
      isWanted = false
    }
  }

  /// Checks that a value may begin here. Returns false if it cannot be read.
  private mutating func beginValue(
    _ at: Position, _ builder: inout some JSONBuilder, _ sink: inout some TrackSink
  ) -> Bool {
    if depth == 0 {
      if at.pointee != 0x7B, at.pointee != 0x5B { noteOtherText(at, &sink) }
      return true
    }
    guard expected != .value else { return isWanted && damagedDepth == 0 }
    noteError(at, &builder, &sink)
    if expected == .comma, isInObject { expected = .name }
    return damagedDepth == 0
  }

  private mutating func beginContainer(
    _ container: JSONContainer, _ at: Position, _ builder: inout some JSONBuilder,
    _ sink: inout some TrackSink
  ) {
    var isRead = beginValue(at, &builder, &sink) && expected != .name
    if depth == 0 { roots.begin(line: lines.line(at: at)) }
    if isRead, depth == JSONLimits.depth {
      sink.warn(
        .leftOut, line: lines.line(at: at),
        "Values are nested more than \(JSONLimits.depth) deep; the deeper ones were left out.")
      isRead = false
    }
    if isRead, builder.open(container, at: place(at), &sink) {
      depth += 1
      objects = objects << 1 | (container == .object ? 1 : 0)
      expected = container == .object ? .name : .value
      isWanted = true
    } else {
      skipping = JSONSkipping(depth: 1)
      state = .skipped
    }
  }

  private mutating func endContainer(
    isObject: Bool, _ at: Position, _ builder: inout some JSONBuilder,
    _ sink: inout some TrackSink
  ) {
    guard depth > 0 else { return noteOtherText(at, &sink) }
    if isObject, expected == .value || expected == .colon { noteError(at, &builder, &sink) }
    if isInObject != isObject {
      noteError(at, &builder, &sink)
      // Close up to the one that this bracket ends, if there is one.
      let open = depth == 64 ? UInt64.max : (1 << UInt64(depth)) - 1
      guard (isObject ? objects : ~objects) & open != 0 else { return }
      while isInObject != isObject { pop(isComplete: false, &builder, &sink) }
    }
    pop(isComplete: true, &builder, &sink)
    expected = .comma
    if depth == 0 { endRoot(at) }
  }

  private mutating func pop(
    isComplete: Bool, _ builder: inout some JSONBuilder, _ sink: inout some TrackSink
  ) {
    depth -= 1
    objects >>= 1
    if depth < damagedDepth { damagedDepth = 0 }
    builder.close(isComplete: isComplete, &sink)
  }

  /// Ends a value that was skipped.
  mutating func endSkipped(_ at: Position) {
    state = .between
    if depth == 0 {
      endRoot(at)
    } else if expected != .name {
      expected = .comma
    }
  }

  private mutating func endRoot(_ at: Position) {
    expected = .value
    isWanted = true
    roots.end(line: lines.line(at: at))
  }

  // MARK: - Errors

  /// Notes a syntax error: what follows in the same object may not belong to it.
  mutating func noteError(
    _ at: Position, _ builder: inout some JSONBuilder, _ sink: inout some TrackSink
  ) {
    guard depth > 0 else { return noteOtherText(at, &sink) }
    sink.warn(
      .malformed, line: lines.line(at: at),
      "The text is not valid JSON; values that follow in the same object were ignored.")
    if !isInObject {
      builder.damageArray()
    } else if damagedDepth == 0 {
      damagedDepth = depth
    }
  }

  /// Notes text outside the JSON.
  private mutating func noteOtherText(_ at: Position, _ sink: inout some TrackSink) {
    roots.noteText()
    guard !roots.isAfterText else { return }
    if roots.count > 0 {
      sink.warn(
        .trailingJunk, line: lines.line(at: at),
        "There is other text after the end of the JSON; it was ignored.")
    } else {
      sink.warn(
        .malformed, line: lines.line(at: at),
        "There is other text before the JSON; it was ignored.")
    }
  }
}
