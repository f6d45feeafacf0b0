/// Opening and closing elements.
extension GPXTrackBuilder {
  // MARK: - Opening

  mutating func open(_ name: XMLName, _ line: Int, _ sink: inout some TrackSink) {
    var kind = GPXElement(name)
    let prefix = name.prefix
    if kind == .kept {
      if isInTrackExtensions, namespaces.isRoqua(tagPrefix: prefix) { sink.markKeptTrack() }
      kind = .other
    }
    var isBarrier = false
    if elements.barrierDepth == 0 {
      if kind == .gpx, elements.open.isEmpty { namespaces.takeHome(prefix: prefix) }
      let meaning = namespaces.meaning(ofTagPrefix: prefix)
      let isTaken = meaning != .foreign && (kind != .other || meaning == .gpx)
      isBarrier = !isTaken || kind == .extensions
      if meaning == .foreign, kind != .accuracy, kind != .speed { kind = .other }
      if kind.level != nil {
        if !openStructure(kind, line, &sink) {
          kind = .other
          isBarrier = true
        }
      } else if elements.open.isEmpty {
        // A root other than `gpx`, or an element after the root.
        isBarrier = true
        if document.closedRoots > 0 { noteJunk(line: line, &sink) }
      }
    } else if kind.level != nil || kind == .extensions {
      kind = .other
    }
    let isChildOfPoint = isPointOpen && elements.open.last?.kind.isPoint == true
    elements.push(GPXElementStack.Element(name: name.hash, kind: kind, isBarrier: isBarrier))
    namespaces.enter(depth: elements.open.count)
    if isPointOpen, !point.isDamaged { beginLeaf(kind, isChildOfPoint: isChildOfPoint) }
  }

  /// Returns true if the innermost open element is `extensions` of a track.
  private var isInTrackExtensions: Bool {
    let open = elements.open.suffix(2).map(\.kind)
    return open == [.track, .extensions]
  }

  /// Reads the text of an element that is the first of its kind in a point.
  private mutating func beginLeaf(_ element: GPXElement, isChildOfPoint: Bool) {
    switch element {
    case .time where isChildOfPoint && !point.hasTime,
      .elevation where isChildOfPoint && point.elevation == nil,
      .hdop where isChildOfPoint && point.hdop == nil,
      .speed where point.speed == nil && (isChildOfPoint || elements.barrierDepth > 0),
      .accuracy where point.accuracy == nil:
      leaf.element = element
      leaf.text.reset()
    default: break
    }
  }

  /// Opens `gpx`, a track, segment, route or point, after closing what cannot contain it. False if
  /// it is ignored: after the root, anything but another `gpx`.
  private mutating func openStructure(
    _ element: GPXElement, _ line: Int, _ sink: inout some TrackSink
  ) -> Bool {
    if elements.open.isEmpty, document.closedRoots > 0, element != .gpx {
      noteJunk(line: line, &sink)
      return false
    }
    let level = element == .waypoint ? 3 : element.level ?? 0
    if let index = elements.open.firstIndex(where: { ($0.kind.level ?? -1) >= level }) {
      sink.warn(
        .malformed, line: line,
        "An element begins inside one that cannot contain it; the outer one was closed first.")
      close(downTo: index, line, &sink)
    }
    let parent = elements.open.last { $0.kind.level != nil }?.kind ?? .document
    switch element {
    case .gpx:
      if document.closedRoots > 0 {
        sink.warn(.trailingJunk, line: line, "Another document follows the first; both were read.")
      }
      document.sawRoot = true
      segment.isImplicit = false
    case .track:
      sink.beginTrack()
      segment = Segment()
    case .segment:
      if parent != .track {
        sink.warn(
          .malformed, line: line, "A segment is outside a track; a track was begun for it.")
        sink.beginTrack()
      }
      sink.beginSegment()
      segment = Segment()
    case .route: sink.beginRoute()
    default: openPoint(element, parent: parent, line, &sink)
    }
    if parent == .document, element != .gpx, !document.sawRoot {
      sink.warn(.malformed, line: line, "Track data is outside a gpx element; it was read anyway.")
    }
    return true
  }

  private mutating func openPoint(
    _ element: GPXElement, parent: GPXElement, _ line: Int,
    _ sink: inout some TrackSink
  ) {
    if element == .trackPoint, parent != .segment {
      sink.warn(
        .malformed, line: line,
        "A track point is outside a segment; it was added to an implied segment.")
      if !segment.isImplicit {
        if parent != .track { sink.beginTrack() }
        sink.beginSegment()
        segment = Segment(isImplicit: true)
      }
    }
    if tag.hasComma {
      sink.warn(
        .repaired, line: line, "A coordinate has a decimal comma; it was read as a decimal point.")
    }
    point = GPXPoint()
    point.element = element
    point.line = line
    point.latitude = tag.latitude
    point.longitude = tag.longitude
    isPointOpen = true
  }

  // MARK: - Closing

  /// Closes elements that have no end tag, until `count` are open.
  mutating func close(downTo count: Int, _ line: Int, _ sink: inout some TrackSink) {
    elements.overflowDepth = 0
    while elements.open.count > count { closeTop(isProper: false, line, &sink) }
  }

  /// Closes the innermost element.
  ///
  /// - Parameter isProper: whether it has an end tag.
  mutating func closeTop(isProper: Bool, _ line: Int, _ sink: inout some TrackSink) {
    guard let closed = elements.pop() else { return }
    namespaces.leave(to: elements.open.count)
    if let element = leaf.element {
      leaf.element = nil
      if isProper { takeValue(of: element, line, &sink) } else { spoilPoint() }
    }
    switch closed.kind {
    case .trackPoint, .routePoint, .waypoint:
      isPointOpen = false
      report(point, &sink)
    case .segment, .track: segment.isImplicit = false
    case .gpx: if elements.open.isEmpty { document.closedRoots += 1 }
    default: break
    }
  }
}
