/// The file as a whole.
extension GPXTrackBuilder {
  mutating func noteContent() { document.sawContent = true }

  mutating func noteJunk(line: Int, _ sink: inout some TrackSink) {
    document.noteJunk(line: line, &sink)
  }

  mutating func beginDocument(line: Int, _ sink: inout some TrackSink) {
    if elements.open.isEmpty {
      document.noteDeclaration(line: line, &sink)
    } else {
      XMLDocument.warnOfDocumentInside(line: line, &sink)
      close(downTo: 0, line, &sink)
      updateContext()
    }
  }

  /// Ends the file.
  ///
  /// - Returns: nil if anything in it was GPX; otherwise the reason to refuse it.
  func finish(line: Int, isInMarkup: Bool, _ sink: inout some TrackSink) -> IngestError? {
    document.finish(
      root: "gpx", line: line, isOpen: !elements.open.isEmpty || isInMarkup,
      isPointOpen: isPointOpen, &sink)
  }
}
