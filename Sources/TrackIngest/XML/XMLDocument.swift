import Geodesy

/// The contents of the file found so far.
struct XMLDocument {
  /// True if there was an element of the format.
  var sawRoot = false
  /// Complete roots.
  var closedRoots = 0
  /// True if there was anything but white space.
  var sawContent = false
  /// ``closedRoots`` at the last warning of junk.
  private var junkWarnedAt: Int?
  var trackPoints = 0
  var routePoints = 0
  var waypoints = 0

  /// Points of all kinds.
  var points: Int { trackPoints + routePoints + waypoints }

  /// Handles text or elements outside the root.
  mutating func noteJunk(line: Int, _ sink: inout some TrackSink) {
    sawContent = true
    if let warned = junkWarnedAt, closedRoots <= warned { return }
    junkWarnedAt = closedRoots
    if closedRoots > 0 {
      sink.warn(
        .trailingJunk, line: line, "Other content follows the document; it was ignored.")
    } else {
      sink.warn(.malformed, line: line, "Text comes before the root element; it was ignored.")
    }
  }

  /// Handles an XML declaration that is not at the start, where no element is open.
  func noteDeclaration(line: Int, _ sink: inout some TrackSink) {
    guard closedRoots == 0 else { return }
    sink.warn(
      .malformed, line: line,
      "The XML declaration is not at the start of the file; it was ignored.")
  }

  /// Handles an XML declaration inside an element: the caller closes all elements.
  static func warnOfDocumentInside(line: Int, _ sink: inout some TrackSink) {
    sink.warn(
      .malformed, line: line,
      "Another document begins before the previous one ends; both were read.")
  }

  /// Ends the file.
  ///
  /// - Parameters:
  ///   - root: the element that a file of the format has, with its article.
  ///   - isOpen: whether the file ends inside an element or markup.
  ///   - isPointOpen: whether it ends inside a point.
  /// - Returns: nil if anything in it was of the format; otherwise the reason to refuse it.
  func finish(
    root: String, line: Int, isOpen: Bool, isPointOpen: Bool, _ sink: inout some TrackSink
  ) -> IngestError? {
    if !sawRoot && points == 0 {
      return sawContent
        ? IngestError(code: .unknownFormat, message: "It contains no \(root) element.")
        : IngestError(code: .empty, message: "It contains only white space.")
    }
    if isOpen {
      if points == 0, closedRoots == 0 {
        return IngestError(
          code: .malformed, line: line, message: "It ends before the first point is complete.")
      }
      sink.warn(
        .truncated, line: line,
        isPointOpen
          ? "The file ends inside a point; the point was ignored."
          : "The file ends inside an element; everything before the end was read.")
    }
    if points == 0 {
      sink.warn(.leftOut, line: nil, "The file contains no points; nothing was read.")
    } else if trackPoints == 0 {
      let others = [(routePoints, "route point"), (waypoints, "waypoint")]
        .filter { $0.0 > 0 }.map { GroupedNumber.text($0.0, $0.1) }
      sink.warn(
        .leftOut, line: nil,
        "The file contains no track points; it has \(others.joined(separator: " and ")).")
    }
    return nil
  }
}
