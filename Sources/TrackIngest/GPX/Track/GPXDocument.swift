/// The contents of the file found so far.
struct GPXDocument {
  var sawRoot = false
  /// Complete `gpx` elements.
  var closedRoots = 0
  /// True if there was anything but white space.
  var sawContent = false
  /// ``closedRoots`` at the last warning of junk.
  var junkWarnedAt: Int?
  var trackPoints = 0
  var routePoints = 0
  var waypoints = 0

  /// Points of all kinds.
  var points: Int { trackPoints + routePoints + waypoints }
}

extension GPXTrackBuilder {
  /// Handles text or elements outside the root.
  mutating func noteJunk(_ line: Int, _ sink: inout some TrackSink) {
    document.sawContent = true
    if let warned = document.junkWarnedAt, document.closedRoots <= warned { return }
    document.junkWarnedAt = document.closedRoots
    if document.closedRoots > 0 {
      sink.warn(
        .trailingJunk, line: line, "The document is followed by other content, which was ignored.")
    } else {
      sink.warn(.malformed, line: line, "Text comes before the root element.")
    }
  }

  /// Handles an XML declaration that is not at the start: another document begins.
  mutating func beginDocument(line: Int, _ sink: inout some TrackSink) {
    if !elements.open.isEmpty {
      sink.warn(.malformed, line: line, "Another document begins before the end of the last one.")
      close(downTo: 0, line, &sink)
      updateContext()
    } else if document.closedRoots == 0 {
      sink.warn(.malformed, line: line, "The XML declaration is not at the very start.")
    }
  }

  /// Ends the file.
  ///
  /// - Returns: nil if anything in it was GPX; otherwise the reason to refuse it.
  func finish(line: Int, isInMarkup: Bool, _ sink: inout some TrackSink) -> IngestError? {
    if !document.sawRoot && document.points == 0 {
      return document.sawContent
        ? IngestError(code: .unknownFormat, message: "It has no gpx element.")
        : IngestError(code: .empty, message: "It contains only white space.")
    }
    if !elements.open.isEmpty || isInMarkup {
      if document.points == 0, document.closedRoots == 0 {
        return IngestError(
          code: .malformed, line: line, message: "It ends before the first point is complete.")
      }
      sink.warn(
        .truncated, line: line,
        isPointOpen
          ? "The file ends in the middle of a point, which is ignored."
          : "The file ends before its elements are closed.")
    }
    if document.points == 0 {
      sink.warn(.leftOut, line: nil, "There are no points in the file.")
    } else if document.trackPoints == 0 {
      let (routePoints, waypoints) = (document.routePoints, document.waypoints)
      sink.warn(
        .leftOut, line: nil,
        "The file has no track points, but \(routePoints) route points and \(waypoints) waypoints.")
    }
    return nil
  }
}
