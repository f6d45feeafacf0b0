import Geodesy

/// Builds tracks, segments and fixes from the elements that an ``XMLScanner`` finds.
struct GPXTrackBuilder: XMLHandler {
  /// The meaning of the open elements for the scanner.
  struct Context {
    var textUse = XMLTextUse.outside
    /// True if plain track points may follow.
    var isFastPathOpen = false
  }

  /// The element whose text is read, and the text.
  struct Leaf {
    var element: GPXElement?
    var text = BoundedText(limit: XMLLimits.valueBytes)
  }

  /// The segment that points are added to.
  struct Segment {
    /// True if the segment has no element of its own.
    var isImplicit = false
    /// The time of the last dated point in milliseconds since 1970.
    var lastTime: Int64 = .min
  }

  private(set) var context = Context()
  /// The coordinates of the tag that is read.
  var tag = GPXTag()
  /// The fast path.
  var plainPoints = GPXPlainPoints()
  var elements = GPXElementStack()
  var namespaces = GPXNamespaces()
  var document = XMLDocument()
  var leaf = Leaf()
  var point = GPXPoint()
  var isPointOpen = false
  var segment = Segment()
  let times: XMLTimes

  /// A builder at the start of a file.
  init(latestTime: Int64) { times = XMLTimes(latestTime: latestTime) }

  var textUse: XMLTextUse { context.textUse }
  var isFastPathOpen: Bool { context.isFastPathOpen && plainPoints.isEnabled }

  // MARK: - Tags

  mutating func beginTag() {
    tag = GPXTag()
    namespaces.discardTag()
  }

  func readsAttribute(_ name: BoundedText) -> Bool { GPXTag.use(of: name) != nil }

  mutating func takeAttribute(_ name: BoundedText, _ value: BoundedText, of element: XMLName)
    -> Bool
  {
    switch GPXTag.use(of: name) {
    case .latitude: return tag.takeLatitude(value)
    case .longitude: return tag.takeLongitude(value)
    case .namespace: namespaces.declare(attribute: name, uri: value, on: element)
    case nil: break
    }
    return true
  }

  mutating func startElement(
    _ name: XMLName, line: Int, isEmpty: Bool, _ sink: inout some TrackSink
  ) {
    guard elements.open.count < XMLLimits.depth else {
      if !isEmpty { elements.overflowDepth += 1 }
      namespaces.discardTag()
      updateContext()
      return
    }
    if leaf.element != nil { breakLeaf(line, &sink) }
    open(name, line, &sink)
    if isEmpty { closeTop(isProper: true, line, &sink) }
    updateContext()
  }

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
      if elements.open.isEmpty { noteJunk(line: line, &sink) }
      sink.warn(.malformed, line: line, "An end tag has no start tag; it was ignored.")
      if isPointOpen { spoilPoint() }
    }
    updateContext()
  }

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
      leaf.element != nil ? .captured : top.kind.isPoint && isPointOpen ? .unexpected : .ignored
    context.isFastPathOpen =
      top.kind == .segment && elements.barrierDepth == 0 && namespaces.meaning(of: .empty) == .gpx
  }

  // MARK: - Text

  mutating func takeText(_ byte: UInt8, line: Int, _ sink: inout some TrackSink) {
    leaf.text.appendTrimmed(byte)
  }

  mutating func takeText(
    _ start: Position, _ end: Position, _ lines: inout LineCounter, _ sink: inout some TrackSink
  ) {
    leaf.text.appendTrimmed(start, end)
  }

  @inline(__always)
  mutating func readPlain(
    _ start: Position, _ end: Position, _ lines: inout LineCounter, _ sink: inout some TrackSink
  ) -> Position {
    var points = plainPoints
    let next = points.scan(start, end, &lines, &self, &sink)
    plainPoints = points
    return next
  }
}
