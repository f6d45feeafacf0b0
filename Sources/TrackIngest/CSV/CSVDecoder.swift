import Geodesy

/// Decodes tables of positions, with columns found by their names, from bytes in pieces of any
/// size, down to one at a time, with the same result.
///
/// `docs/formats/csv.md` lists the names and the rules.
///
/// - Complexity: O(bytes).
/// - Memory: two rows: see ``CSVLimits``.
package struct CSVDecoder: TrackDecoder {
  private var rows = TextRows(longestRow: CSVLimits.rowBytes, endsUnclosedRows: true)
  private var table: CSVTable

  /// Creates a decoder at the start of a file.
  ///
  /// - Parameters:
  ///   - now: the current time. A time more than a day later is impossible and ignored.
  ///   - columns: the columns that the user states; nil to find all by their names.
  package init(now: Timestamp, columns: TableColumns? = nil) {
    table = CSVTable(
      latestTime: now.millisecondsSince1970 &+ Timestamp.millisecondsPerDay, columns: columns)
  }

  /// Decodes the next bytes of the file. They are only used during the call.
  package mutating func decode(_ bytes: UnsafeRawBufferPointer, into sink: inout some TrackSink) {
    rows.read(bytes) { rows, row in
      table.take(row, into: &sink)
      rows.separator = table.separator
    }
  }

  /// Ends the file.
  ///
  /// - Returns: nil if the file is a table of positions; otherwise the reason to refuse it.
  package mutating func finish(into sink: inout some TrackSink) -> IngestError? {
    rows.finish { _, row in table.take(row, into: &sink) }
    guard table.separator != nil else {
      return rows.sawContent
        ? IngestError(
          code: .unknownFormat,
          message: table.lack.map { "Its first row has \($0)." }
            ?? "Its first row does not name columns of latitude and longitude.")
        : IngestError(code: .empty, message: "It contains only white space.")
    }
    if let refusal = table.refusal { return refusal }
    table.finish(into: &sink)
    return nil
  }
}
