/// A moment in UTC, in milliseconds since 1970-01-01T00:00:00Z without leap seconds (Unix time).
///
/// ```swift
/// let start = Timestamp(iso8601: "2024-05-01T10:00:00Z")
/// print(start?.millisecondsSince1970 ?? 0, now.iso8601)
/// ```
public struct Timestamp: Hashable, Comparable, Sendable {
  /// The milliseconds since 1970-01-01T00:00:00Z; negative before that.
  public let millisecondsSince1970: Int64

  /// Creates the moment this many milliseconds after 1970-01-01T00:00:00Z.
  @inlinable public init(millisecondsSince1970: Int64) {
    self.millisecondsSince1970 = millisecondsSince1970
  }

  /// The times that ISO 8601 writes with a four-digit year: from the start of year 0 to the end of
  /// 9999. Other times in a store are damage.
  package static let writable =
    Timestamp(
      millisecondsSince1970: -62_167_219_200_000)...Timestamp(
      millisecondsSince1970: 253_402_300_799_999)

  /// Returns true if `left` is earlier than `right`.
  @inlinable public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.millisecondsSince1970 < right.millisecondsSince1970
  }
}
