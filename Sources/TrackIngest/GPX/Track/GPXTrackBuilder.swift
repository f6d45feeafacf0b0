import Geodesy

/// The use of text.
enum GPXTextUse: UInt8 {
  /// The text is ignored: names, descriptions, extensions.
  case ignored
  /// The text is the value of a leaf.
  case captured
  /// The text is before or after the root.
  case outside
  /// The text is directly in a point, where no text belongs.
  case inPoint
}

/// Builds tracks, segments and fixes from the elements that a ``GPXScanner`` finds.
struct GPXTrackBuilder {
  /// The meaning of the open elements for the scanner.
  struct Context {
    var textUse = GPXTextUse.outside
    /// True if plain track points may follow.
    var isFastPathOpen = false
  }

  /// The element whose text is read, and the text.
  struct Leaf {
    var element: GPXElement?
    var text = BoundedText(limit: GPXLimits.valueBytes)
  }

  /// The segment that points are added to.
  struct Segment {
    /// True if the segment has no element of its own.
    var isImplicit = false
    /// The time of the last dated point in milliseconds since 1970.
    var lastTime: Int64 = .min
  }

  private(set) var context = Context()
  var elements = GPXElementStack()
  var namespaces = GPXNamespaces()
  var document = GPXDocument()
  var leaf = Leaf()
  var point = GPXPoint()
  var isPointOpen = false
  var segment = Segment()
  /// The latest possible time in milliseconds since 1970.
  let latestTime: Int64

  /// A builder at the start of a file.
  init(latestTime: Int64) { self.latestTime = latestTime }

  // MARK: - Tags

  /// Opens an element, and closes it if it is empty.
  mutating func startElement(
    _ tag: GPXTag, line: Int, isEmpty: Bool, _ sink: inout some TrackSink
  ) {
    guard elements.open.count < GPXLimits.depth else {
      if !isEmpty { elements.overflowDepth += 1 }
      namespaces.discardTag()
      updateContext()
      return
    }
    if leaf.element != nil { breakLeaf(line, &sink) }
    open(tag, line, &sink)
    if isEmpty { closeTop(isProper: true, line, &sink) }
    updateContext()
  }

  /// Closes the innermost element with a name, and those inside it.
  mutating func endElement(_ name: NameHash, line: Int, _ sink: inout some TrackSink) {
    if elements.overflowDepth > 0 {
      elements.overflowDepth -= 1
    } else if elements.open.last?.name == name {
      closeTop(isProper: true, line, &sink)
    } else if let index = elements.open.lastIndex(where: { $0.name == name }) {
      sink.warn(
        .malformed, line: line,
        "An end tag comes before those of inner elements; the inner elements were closed first.")
      close(downTo: index + 1, line, &sink)
      closeTop(isProper: true, line, &sink)
    } else {
      if elements.open.isEmpty { noteJunk(line, &sink) }
      sink.warn(.malformed, line: line, "An end tag has no start tag; it was ignored.")
      if isPointOpen { spoilPoint() }
    }
    updateContext()
  }

  /// Ignores a tag that is cut off.
  mutating func discardTag() {
    if isPointOpen { spoilPoint() }
    namespaces.discardTag()
    updateContext()
  }

  /// Derives the context from the open elements.
  mutating func updateContext() {
    guard let top = elements.open.last, elements.overflowDepth == 0 else {
      context.textUse = elements.open.isEmpty ? .outside : .ignored
      context.isFastPathOpen = false
      return
    }
    context.textUse =
      leaf.element != nil ? .captured : top.kind.isPoint && isPointOpen ? .inPoint : .ignored
    context.isFastPathOpen =
      top.kind == .segment && elements.barrierDepth == 0 && namespaces.meaning(of: .empty) == .gpx
  }
}
