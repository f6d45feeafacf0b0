/// Names, strings, numbers and words.
///
/// Sound: `at` and `end` bound the piece, and `at` is compared with `end` before each read. The
/// bytes of names and values are only used during the builder's call.
extension JSONScanner {
  /// Reads a string, or the part of it that lies in the piece. Returns the position after it.
  mutating func scanString(
    _ start: Position, _ end: Position, _ builder: inout some JSONBuilder,
    _ sink: inout some TrackSink
  ) -> Position {
    var at = start
    // An unwanted value needs no copy.
    let isKept = isName || isWanted
    while at < end {
      if escape.isOpen {
        if escape.take(at.pointee, into: &text) { at += 1 }
        continue
      }
      let run = at
      at = JSONWords.findStringEnd(at, end)
      if at < end, at.pointee == 0x22 {
        endString(run, at, &builder, &sink)
        return at + 1
      }
      if isKept { text.append(run, at) }
      if at < end {
        escape.begin()
        at += 1
      }
    }
    return at
  }

  /// Ends a string at its closing quotation mark; `run` is where its last plain bytes begin.
  @inline(__always)
  private mutating func endString(
    _ run: Position, _ at: Position, _ builder: inout some JSONBuilder,
    _ sink: inout some TrackSink
  ) {
    state = .between
    let isPlain = text.count == 0 && at - run <= JSONLimits.valueBytes
    if !isPlain { text.append(run, at) }
    if isName {
      expected = .colon
      let plain = UnsafeBufferPointer(start: run, count: isPlain ? at - run : 0)
      isWanted =
        damagedDepth == 0 && (isPlain ? builder.wants(plain) : text.withValue { builder.wants($0) })
      return
    }
    guard depth > 0 else { return }
    expected = .comma
    guard isWanted else { return }
    if isPlain {
      let plain = UnsafeBufferPointer(start: run, count: at - run)
      builder.take(JSONPrimitive(text: plain, isString: true), &sink)
    } else {
      takeCollected(isString: true, &builder, &sink)
    }
  }

  /// Reads a number or a word, or the part of it that lies in the piece. Returns the position after
  /// it.
  mutating func scanWord(
    _ start: Position, _ end: Position, _ builder: inout some JSONBuilder,
    _ sink: inout some TrackSink
  ) -> Position {
    var at = start
    while at < end, !JSONWords.endsWord(at.pointee) { at += 1 }
    guard at < end else {
      text.append(start, at)
      return at
    }
    endWord(start, at, &builder, &sink)
    return at
  }

  private mutating func endWord(
    _ start: Position, _ at: Position, _ builder: inout some JSONBuilder,
    _ sink: inout some TrackSink
  ) {
    state = .between
    guard depth > 0, expected != .name else { return }
    expected = .comma
    guard isWanted else { return }
    if text.count == 0, at - start <= JSONLimits.valueBytes {
      let plain = UnsafeBufferPointer(start: start, count: at - start)
      builder.take(JSONPrimitive(text: plain, isString: false), &sink)
    } else {
      text.append(start, at)
      takeCollected(isString: false, &builder, &sink)
    }
  }

  private mutating func takeCollected(
    isString: Bool, _ builder: inout some JSONBuilder, _ sink: inout some TrackSink
  ) {
    // The closure must not change the text that it reads.
    let text = text
    text.withValue { builder.take(JSONPrimitive(text: $0, isString: isString), &sink) }
  }
}
