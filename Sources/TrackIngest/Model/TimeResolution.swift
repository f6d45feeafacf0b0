/// How exact the text of a time is: the time may be that much later than the moment it is read as.
package struct TimeResolution: Hashable, Comparable, Sendable {
  /// The unit of the text in seconds.
  package let seconds: Int32

  private init(_ seconds: Int32) { self.seconds = seconds }

  /// Seconds or fractions of them, `10:05:30`.
  package static let second = TimeResolution(1)
  /// No seconds, `10:05`.
  package static let minute = TimeResolution(60)
  /// A date alone, `2024-05-01`.
  package static let day = TimeResolution(86_400)

  package static func < (left: TimeResolution, right: TimeResolution) -> Bool {
    left.seconds < right.seconds
  }
}
