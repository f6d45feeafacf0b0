/// The clock of FIT: seconds since 1989-12-31T00:00:00Z.
///
/// - Source: FIT profile, type `date_time`.
struct FITTime {
  /// Seconds from 1970 to the epoch.
  private static let epochSeconds: Int64 = 631_065_600
  /// Smaller values count from the start of the device and have no date.
  private static let earliestDate: UInt32 = 0x1000_0000

  /// The last full or compressed time of the file; nil before the first.
  private var last: UInt32?

  /// Notes the time of a message.
  @inline(__always)
  mutating func note(_ seconds: Int64) { last = UInt32(truncatingIfNeeded: seconds) }

  /// Completes the five bits of a compressed time: the first such time not before the last one.
  /// Nil before the first full time.
  @inline(__always)
  mutating func complete(_ bits: UInt8) -> Int64? {
    guard let last else { return nil }
    let next = last &+ ((UInt32(bits) &- last) & 0x1F)
    self.last = next
    return Int64(next)
  }

  /// What a time says.
  enum Reading: Equatable {
    /// Milliseconds since 1970.
    case moment(Int64)
    /// Seconds since the start of the device.
    case withoutDate
  }

  /// The moment of a time in seconds.
  @inline(__always)
  static func read(_ seconds: Int64) -> Reading {
    seconds < Int64(earliestDate) ? .withoutDate : .moment((seconds + epochSeconds) * 1_000)
  }
}
