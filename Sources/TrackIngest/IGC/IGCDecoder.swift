import Geodesy

/// Decodes IGC files, the records of gliders' and paragliders' flight recorders, from bytes in
/// pieces of any size, down to one at a time, with the same result.
///
/// Each line is a record whose first letter is its kind. `docs/formats/igc.md` lists the rules.
///
/// - Complexity: O(bytes).
/// - Memory: one line: see ``IGCLimits``.
package struct IGCDecoder: TrackDecoder {
  private var rows = TextRows(longestRow: IGCLimits.recordBytes)
  private var flight: IGCFlight

  /// Creates a decoder at the start of a file.
  ///
  /// - Parameter now: the current time. A time more than a day later is impossible and ignored.
  package init(now: Timestamp) { flight = IGCFlight(now: now) }

  /// Decodes the next bytes of the file. They are only used during the call.
  package mutating func decode(_ bytes: UnsafeRawBufferPointer, into sink: inout some TrackSink) {
    rows.read(bytes) { _, row in flight.take(row, into: &sink) }
  }

  /// Ends the file.
  ///
  /// - Returns: nil if the file is IGC; otherwise the reason to refuse it.
  package mutating func finish(into sink: inout some TrackSink) -> IngestError? {
    rows.finish { _, row in flight.take(row, into: &sink) }
    guard flight.isRecognized else {
      return rows.sawContent
        ? IngestError(code: .unknownFormat, message: "It contains no record of an IGC file.")
        : IngestError(code: .empty, message: "It contains only white space.")
    }
    flight.finish(into: &sink)
    return nil
  }
}
