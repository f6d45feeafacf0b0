import Geodesy
import SQLiteLayer

extension RowBatch {
  /// Appends a time as ISO 8601, or NULL.
  func append(_ time: Timestamp?) {
    guard let time else { return append(Int64?.none) }
    let bytes = Timestamp.maximumISO8601Bytes
    appendText(of: time.millisecondsSince1970, capacity: bytes) { buffer, last in
      guard let last,
        Timestamp(millisecondsSince1970: last.key).daysSince1970 == time.daysSince1970
      else {
        return time.writeISO8601(to: buffer)
      }
      // The same day: its date is copied.
      // Sound: the last text is a time too and begins with a date; the buffer has room for 24
      // bytes.
      buffer.baseAddress?.update(from: last.text, count: Timestamp.iso8601DateBytes)
      let rest = UnsafeMutableBufferPointer(rebasing: buffer[Timestamp.iso8601DateBytes...])
      return Timestamp.iso8601DateBytes + time.writeISO8601Clock(to: rest)
    }
  }

  /// Appends a geohash.
  func append(_ geohash: Geohash) {
    appendText(capacity: geohash.length) { geohash.write(to: $0) }
  }
}
