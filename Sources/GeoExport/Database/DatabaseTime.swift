import Geodesy

/// Times in databases: `2024-05-01T10:00:00.000Z`, always with milliseconds, so that they sort as
/// texts.
enum DatabaseTime {
  /// The number of bytes of a time.
  static let bytes = 24

  /// Returns the text of a time in milliseconds since 1970, in the years 0 to 9999.
  static func text(_ milliseconds: Int64) -> String {
    withBytes(of: milliseconds) { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the text of a time.
  static func withBytes<T>(
    of milliseconds: Int64, _ body: (UnsafeRawBufferPointer) -> T
  ) -> T {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes) { buffer in
      let count = Timestamp(millisecondsSince1970: milliseconds).writeISO8601(to: buffer)
      if count < bytes {
        // Sound: without milliseconds, the text ends in "Z" at byte 19, and the buffer has 24.
        for (place, digit) in ".000Z".utf8.enumerated() { buffer[19 + place] = digit }
      }
      return body(UnsafeRawBufferPointer(buffer))
    }
  }
}
