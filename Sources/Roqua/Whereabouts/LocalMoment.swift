import Geodesy

/// The moment at which clocks showed a local time.
///
/// Clocks show a time twice if they are set back, or if the owner travels westward into another
/// zone; they skip one if they are set forward, or on the way eastward.
package struct LocalMoment: Hashable, Sendable {
  /// The moment: the first one of several. Of a skipped time, the moment that it would have been by
  /// the clock before the change.
  package let time: Timestamp
  /// The offset from UTC in milliseconds by which ``time`` was computed.
  package let offset: Int64
  /// The last moment at which clocks showed the same time; nil if they showed it once or never.
  package let other: Timestamp?
  /// Whether clocks skipped the time.
  package let isSkipped: Bool
}

extension LocalMoment {
  /// What is special about the time, as a JSON object; nil if clocks showed it once.
  package var json: JSONValue? {
    if isSkipped { return ["state": "skipped", "other": .null] }
    return other.map { ["state": "repeated", "other": .string($0.iso8601)] }
  }
}
