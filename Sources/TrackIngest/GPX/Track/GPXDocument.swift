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
        .trailingJunk, line: line, "Other content follows the document; it was ignored.")
    } else {
      sink.warn(.malformed, line: line, "Text comes before the root element; it was ignored.")
    }
  }

  /// Handles an XML declaration that is not at the start: another document begins.
  mutating func beginDocument(line: Int, _ sink: inout some TrackSink) {
    if !elements.open.isEmpty {
      sink.warn(
        .malformed, line: line,
        "Another document begins before the previous one ends; both were read.")
      close(downTo: 0, line, &sink)
      updateContext()
    } else if document.closedRoots == 0 {
      sink.warn(
        .malformed, line: line,
        "The XML declaration is not at the start of the file; it was ignored.")
    }
  }

  /// Ends the file.
  ///
  /// - Returns: nil if anything in it was GPX; otherwise the reason to refuse it.
  func finish(line: Int, isInMarkup: Bool, _ sink: inout some TrackSink) -> IngestError? {
    if !document.sawRoot && document.points == 0 {
      return document.sawContent
        ? IngestError(code: .unknownFormat, message: "It contains no gpx element.")
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
          ? "The file ends inside a point; the point was ignored."
          : "The file ends inside an element; everything before the end was read.")
    }
    if document.points == 0 {
      sink.warn(.leftOut, line: nil, "The file contains no points; nothing was read.")
    } else if document.trackPoints == 0 {
      let others = [(document.routePoints, "route point"), (document.waypoints, "waypoint")]
        .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
      sink.warn(
        .leftOut, line: nil,
        "The file contains no track points; it has \(others.joined(separator: " and ")).")
    }
    return nil
  }
}
