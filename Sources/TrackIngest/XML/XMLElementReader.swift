/// Keeps the open elements of a file, repairs their nesting, and passes those with a meaning to an
/// ``XMLTrackBuilder``.
///
/// Elements are recognized by their local names and parents. Namespaces are ignored, because real
/// files leave prefixes undeclared and declare wrong ones.
struct XMLElementReader<Builder: XMLTrackBuilder>: XMLHandler {
  /// An open element.
  private struct Open {
    var name: NameHash
    var element: Builder.Element
    var contents: XMLContents
  }

  var builder: Builder
  private(set) var textUse = XMLTextUse.outside
  private(set) var isFastPathOpen = false
  private var open: [Open] = []
  /// Open elements deeper than ``XMLLimits/depth``, which are not in ``open``.
  private var overflowDepth = 0
  /// The value that is read.
  private(set) var value = BoundedText(limit: XMLLimits.valueBytes)

  init(_ builder: Builder) {
    self.builder = builder
    open.reserveCapacity(32)
  }

  /// The number of elements that are remembered.
  var depth: Int { open.count }

  // MARK: - Tags

  mutating func beginTag() {}

  func readsAttribute(_ name: BoundedText) -> Bool { false }

  mutating func takeAttribute(_ name: BoundedText, _ value: BoundedText, of element: XMLName)
    -> Bool
  { true }

  mutating func startElement(
    _ name: XMLName, line: Int, isEmpty: Bool, _ sink: inout some TrackSink
  ) {
    guard open.count < XMLLimits.depth else {
      sink.warn(
        .leftOut, line: line,
        "Elements are nested more than \(XMLLimits.depth) deep; the inner ones were ignored.")
      if !isEmpty { overflowDepth += 1 }
      return updateContext()
    }
    var element = Builder.Element.other
    var contents = XMLContents.nothing
    switch open.last?.contents ?? .elements {
    case .nothing: break
    case .value, .stream:
      sink.warn(
        .malformed, line: line, "An element begins inside a value; the value was ignored.")
      builder.spoil()
    case .elements, .elementsOnly:
      element = name.withLocalName(Builder.Element.named)
      repairNesting(before: element, line, &sink)
      guard isTaken(element, line, &sink) else {
        element = .other
        break
      }
      if element != .other { builder.document.sawRoot = true }
      contents = builder.open(
        element, in: open.last?.element ?? .document, line: line, &sink)
      if contents == .value { value.reset() }
    }
    open.append(Open(name: name.hash, element: element, contents: contents))
    if isEmpty { closeTop(isProper: true, line, &sink) }
    updateContext()
  }

  mutating func endElement(_ name: NameHash, line: Int, _ sink: inout some TrackSink) {
    if overflowDepth > 0 {
      overflowDepth -= 1
    } else if open.last?.name == name {
      closeTop(isProper: true, line, &sink)
    } else if let index = open.lastIndex(where: { $0.name == name }) {
      sink.warn(
        .malformed, line: line,
        "An end tag comes before those of inner elements; the inner elements were closed first.")
      close(downTo: index + 1, line, &sink)
      closeTop(isProper: true, line, &sink)
    } else {
      if open.isEmpty { noteJunk(line: line, &sink) }
      sink.warn(.malformed, line: line, "An end tag has no start tag; it was ignored.")
      builder.spoil()
    }
    updateContext()
  }

  mutating func discardTag() {
    builder.spoil()
    updateContext()
  }

  // MARK: - Text

  mutating func takeText(_ byte: UInt8, line: Int, _ sink: inout some TrackSink) {
    if open.last?.contents == .stream {
      builder.takeStream(byte, line: line, &sink)
    } else {
      value.appendTrimmed(byte)
    }
  }

  mutating func takeText(
    _ start: Position, _ end: Position, _ lines: inout LineCounter, _ sink: inout some TrackSink
  ) {
    if open.last?.contents == .stream {
      builder.takeStream(start, end, &lines, &sink)
    } else {
      value.appendTrimmed(start, end)
    }
  }

  mutating func takeFragment(line: Int, _ sink: inout some TrackSink) {
    sink.warn(
      .malformed, line: line,
      "A point contains fragments of markup; the rest of the point was ignored.")
    builder.spoil()
  }

  @inline(__always)
  mutating func readPlain(
    _ start: Position, _ end: Position, _ lines: inout LineCounter, _ sink: inout some TrackSink
  ) -> Position {
    builder.readPlain(start, end, in: open.last?.element ?? .document, &lines, &sink)
  }

  // MARK: - Document

  mutating func noteContent() { builder.document.sawContent = true }

  mutating func noteJunk(line: Int, _ sink: inout some TrackSink) {
    builder.document.noteJunk(line: line, &sink)
  }

  mutating func beginDocument(line: Int, _ sink: inout some TrackSink) {
    if open.isEmpty {
      builder.document.noteDeclaration(line: line, &sink)
    } else {
      XMLDocument.warnOfDocumentInside(line: line, &sink)
      close(downTo: 0, line, &sink)
      updateContext()
    }
  }

  /// Ends the file.
  ///
  /// - Returns: nil if anything in it was of the format; otherwise the reason to refuse it.
  func finish(line: Int, isInMarkup: Bool, _ sink: inout some TrackSink) -> IngestError? {
    builder.document.finish(
      root: Builder.root, line: line, isOpen: !open.isEmpty || isInMarkup,
      isPointOpen: builder.isPointOpen, &sink)
  }

  /// Returns false for an element that is ignored: after the root, anything but another root.
  private mutating func isTaken(
    _ element: Builder.Element, _ line: Int, _ sink: inout some TrackSink
  ) -> Bool {
    guard open.isEmpty, builder.document.closedRoots > 0 else { return true }
    guard element.level == 0 else {
      noteJunk(line: line, &sink)
      return false
    }
    sink.warn(.trailingJunk, line: line, "Another document follows the first; both were read.")
    return true
  }

  // MARK: - Closing

  /// Closes what cannot contain an element.
  private mutating func repairNesting(
    before element: Builder.Element, _ line: Int, _ sink: inout some TrackSink
  ) {
    guard let level = element.level,
      let index = open.firstIndex(where: { ($0.element.level ?? -1) >= level })
    else { return }
    sink.warn(
      .malformed, line: line,
      "An element begins inside one that cannot contain it; the outer one was closed first.")
    close(downTo: index, line, &sink)
  }

  /// Closes elements that have no end tag, until `count` are open.
  private mutating func close(downTo count: Int, _ line: Int, _ sink: inout some TrackSink) {
    overflowDepth = 0
    while open.count > count { closeTop(isProper: false, line, &sink) }
  }

  /// Closes the innermost element.
  private mutating func closeTop(isProper: Bool, _ line: Int, _ sink: inout some TrackSink) {
    guard let closed = open.popLast() else { return }
    let parent = open.last?.element ?? .document
    if closed.contents == .value {
      if isProper {
        builder.take(value, of: closed.element, in: parent, line: line, &sink)
      } else {
        builder.spoil()
      }
    }
    if closed.element != .other {
      builder.close(closed.element, isProper: isProper, line: line, &sink)
    }
    if open.isEmpty { builder.document.closedRoots += 1 }
  }

  /// Derives the use of text from the open elements.
  private mutating func updateContext() {
    isFastPathOpen = false
    guard let top = open.last else { return textUse = .outside }
    guard overflowDepth == 0 else { return textUse = .ignored }
    switch top.contents {
    case .value, .stream: textUse = .captured
    case .elementsOnly: textUse = .unexpected
    case .elements, .nothing: textUse = .ignored
    }
    isFastPathOpen = top.contents == .elements && builder.hasFastPath(top.element)
  }
}
