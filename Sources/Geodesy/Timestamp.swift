/// A moment in UTC, in milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted (Unix
/// time).
///
/// ```swift
/// let start = Timestamp(iso8601: "2024-05-01T10:00:00Z")
/// print(start?.millisecondsSince1970 ?? 0, now.iso8601)
/// ```
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z; negative before.
  public let millisecondsSince1970: Int64

  /// The moment this many milliseconds after 1970-01-01T00:00:00Z.
  @inlinable public init(millisecondsSince1970: Int64) {
    self.millisecondsSince1970 = millisecondsSince1970
  }

  /// From the start of the year 0 to the end of 9999: the times that ISO 8601 writes with four
  /// digits of a year. What a store holds beyond these is damage.
  package static let writable =
    Timestamp(
      millisecondsSince1970: -62_167_219_200_000)...Timestamp(
      millisecondsSince1970: 253_402_300_799_999)

  /// Whether `left` comes before `right`.
  @inlinable public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.millisecondsSince1970 < right.millisecondsSince1970
  }
}
