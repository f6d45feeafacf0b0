import Geodesy

extension [UInt8] {
  /// Appends a moment as ISO 8601 in UTC, `2024-05-01T10:00:00Z`, with milliseconds only if they
  /// are not zero.
  ///
  /// - Precondition: the year is 0...9999, as in ``ExportValue/time(_:)``.
  package mutating func appendTime(milliseconds: Int64) {
    let time = Timestamp(millisecondsSince1970: milliseconds)
    appendASCII(capacity: Timestamp.maximumISO8601Bytes) { 0..<time.writeISO8601(to: $0) }
  }
}

extension ExportGeometry {
  /// The time of a line's position in milliseconds; nil if its measure is not a time of the years 0
  /// to 9999, or if it has none.
  package func milliseconds(at position: Int) -> Int64? {
    guard position < measures.count,
      let milliseconds = Int64(exactly: (measures[position] * 1_000).rounded()),
      Timestamp.writable.contains(Timestamp(millisecondsSince1970: milliseconds))
    else { return nil }
    return milliseconds
  }
}
