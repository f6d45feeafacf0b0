extension GPXDecoder {
  /// The `>` of a start tag.
  mutating func closeStartTag(isEmpty: Bool, _ sink: inout some TrackSink) {
    state = .text
    if tagIsOdd { sink.warn(.malformed, line: tokenLine, "a tag whose attributes are not well formed") }
    guard stack.count < Self.depthLimit else {
      if !isEmpty { overflowDepth += 1 }
      forgetTagBindings()
      updateContext()
      return
    }
    if let leaf = capture { breakLeaf(leaf, &sink) }
    open(isEmpty: isEmpty, &sink)
    if isEmpty { closeTop(isProper: true, &sink) }
    updateContext()
  }

  /// The `>` of an end tag.
  mutating func closeEndTag(_ sink: inout some TrackSink) {
    state = .text
    if overflowDepth > 0 {
      overflowDepth -= 1
    } else if stack.last?.name == nameHash {
      closeTop(isProper: true, &sink)
    } else if let index = stack.lastIndex(where: { $0.name == nameHash }) {
      sink.warn(.malformed, line: tokenLine, "an end tag before those of the elements inside")
      close(downTo: index + 1, &sink)
      closeTop(isProper: true, &sink)
    } else {
      if stack.isEmpty { noteJunk(tokenLine, &sink) }
      sink.warn(.malformed, line: tokenLine, "an end tag without its start tag")
      if isPointOpen { spoilPoint() }
    }
    updateContext()
  }

  /// Works out what follows from the open elements.
  mutating func updateContext() {
    guard let top = stack.last, overflowDepth == 0 else {
      textUse = stack.isEmpty ? .outside : .ignored
      isFastPathOpen = false
      return
    }
    textUse = capture != nil ? .captured : top.element.isPoint && isPointOpen ? .inPoint : .ignored
    isFastPathOpen = top.element == .segment && barrierDepth == 0 && namespace(of: .empty) == .gpx
  }

  // MARK: - Opening

  private mutating func open(isEmpty: Bool, _ sink: inout some TrackSink) {
    var element = isNameTooLong ? .other : elementNamed()
    var isBarrier = false
    if barrierDepth == 0 {
      if element == .gpx, stack.isEmpty { homeNamespace = binding(of: prefix())?.uri }
      let namespace = tagHidesBindings ? .foreign : namespace(of: prefix())
      let isTaken = namespace != .foreign && (element != .other || namespace == .gpx)
      isBarrier = !isTaken || element == .extensions
      if namespace == .foreign, element != .accuracy, element != .speed { element = .other }
      if element.level != nil {
        if !openStructure(element, &sink) {
          element = .other
          isBarrier = true
        }
      } else if stack.isEmpty {
        // A root that is not `gpx`, or an element after the root.
        isBarrier = true
        if closedRoots > 0 { noteJunk(tokenLine, &sink) }
      }
    } else if element.level != nil || element == .extensions {
      element = .other
    }
    let isInPoint = isPointOpen && stack.last?.element.isPoint == true
    push(element, isBarrier: isBarrier)
    if isPointOpen, !point.isDamaged { beginCapture(element, isChildOfPoint: isInPoint) }
  }

  private mutating func push(_ element: GPXElement, isBarrier: Bool) {
    stack.append(OpenElement(name: nameHash, element: element, isBarrier: isBarrier))
    if isBarrier { barrierDepth += 1 }
    if tagLosesBindings { lostBindingsDepth = min(lostBindingsDepth ?? .max, stack.count) }
    for var binding in tagBindings {
      binding.depth = stack.count
      bindings.append(binding)
    }
    forgetTagBindings()
  }

  private mutating func beginCapture(_ element: GPXElement, isChildOfPoint: Bool) {
    switch element {
    case .time where isChildOfPoint && !point.hasTime,
      .elevation where isChildOfPoint && point.elevation == nil,
      .hdop where isChildOfPoint && point.hdop == nil,
      .speed where point.speed == nil && (isChildOfPoint || barrierDepth > 0),
      .accuracy where point.accuracy == nil:
      capture = element
      valueCount = 0
      isValueTooLong = false
    default: break
    }
  }

  /// Opens `gpx`, a track, segment, route or point, closing first what cannot hold it.
  /// False where it is not taken: after the root, anything but another `gpx`.
  private mutating func openStructure(_ element: GPXElement, _ sink: inout some TrackSink) -> Bool {
    if stack.isEmpty, closedRoots > 0, element != .gpx {
      noteJunk(tokenLine, &sink)
      return false
    }
    let level = element == .waypoint ? 3 : element.level ?? 0
    if let index = stack.firstIndex(where: { ($0.element.level ?? -1) >= level }) {
      sink.warn(.malformed, line: tokenLine, "an element begins before the end of the last of its kind")
      close(downTo: index, &sink)
    }
    let parent = stack.last { $0.element.level != nil }?.element ?? .document
    switch element {
    case .gpx:
      if closedRoots > 0 {
        sink.warn(.trailingJunk, line: tokenLine, "another document follows the first; both are read")
      }
      sawRoot = true
      hasImplicitSegment = false
    case .track:
      sink.beginTrack()
      hasImplicitSegment = false
      lastTime = .min
    case .segment:
      if parent != .track {
        sink.warn(.malformed, line: tokenLine, "a segment outside a track")
        sink.beginTrack()
      }
      beginSegment(&sink)
      hasImplicitSegment = false
    case .route: sink.beginRoute()
    default: openPoint(element, parent: parent, &sink)
    }
    if parent == .document, element != .gpx, !sawRoot {
      sink.warn(.malformed, line: tokenLine, "track data without the gpx element round it")
    }
    return true
  }

  private mutating func openPoint(_ element: GPXElement, parent: GPXElement, _ sink: inout some TrackSink) {
    if element == .trackPoint, parent != .segment {
      sink.warn(.malformed, line: tokenLine, "a track point outside a segment")
      if !hasImplicitSegment {
        if parent != .track { sink.beginTrack() }
        beginSegment(&sink)
        hasImplicitSegment = true
      }
    }
    if tagHasComma {
      sink.warn(.repaired, line: tokenLine, "coordinates with a decimal comma, read as a point")
    }
    point = GPXPoint()
    point.element = element
    point.line = tokenLine
    point.latitude = tagLatitude
    point.longitude = tagLongitude
    isPointOpen = true
  }

  private mutating func beginSegment(_ sink: inout some TrackSink) {
    sink.beginSegment()
    lastTime = .min
  }

  // MARK: - Closing

  /// Closes elements that have no end tag, until `count` are open.
  mutating func close(downTo count: Int, _ sink: inout some TrackSink) {
    overflowDepth = 0
    while stack.count > count { closeTop(isProper: false, &sink) }
  }

  private mutating func closeTop(isProper: Bool, _ sink: inout some TrackSink) {
    guard let closed = stack.popLast() else { return }
    if closed.isBarrier { barrierDepth -= 1 }
    if let depth = lostBindingsDepth, stack.count < depth { lostBindingsDepth = nil }
    while let last = bindings.last, last.depth > stack.count { bindings.removeLast() }
    if let leaf = capture {
      capture = nil
      if isProper { takeValue(of: leaf, &sink) } else { spoilPoint() }
    }
    switch closed.element {
    case .trackPoint, .routePoint, .waypoint: closePoint(&sink)
    case .segment, .track: hasImplicitSegment = false
    case .gpx: if stack.isEmpty { closedRoots += 1 }
    default: break
    }
  }

  // MARK: - Names

  private func elementNamed() -> GPXElement {
    name.withUnsafeBufferPointer {
      GPXElement.named(UnsafeBufferPointer(rebasing: $0[(colon + 1)..<nameCount]))
    }
  }
}
