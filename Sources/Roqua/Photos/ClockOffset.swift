/// How far a clock is ahead of UTC.
package struct ClockOffset: Hashable, Sendable {
  /// The offset in milliseconds, positive for a clock that is ahead: east of Greenwich.
  package let milliseconds: Int64

  /// Creates an offset.
  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Reads `+02:00`, `-1:23:45`, `+0530`, `2`, or `Z`: hours, with minutes and seconds where they
  /// are given. Nil for anything else, and beyond two years, for a camera whose date was never set.
  package init?(_ text: String) {
    let text = text.trimmingPrefix { $0 == " " }
    if text == "Z" {
      milliseconds = 0
      return
    }
    let isNegative = text.hasPrefix("-")
    let rest = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
    var parts = rest.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 1, rest.count == 4 {
      parts = [String(rest.prefix(2)), String(rest.suffix(2))]
    }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard (1...3).contains(parts.count), parts[0].count <= 5,
      parts.dropFirst().allSatisfy({ $0.count == 2 }),
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(digits.contains) })
    else { return nil }
    let numbers = parts.compactMap { Int64($0) }
    guard numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
    let seconds = zip(numbers, [3_600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
    guard seconds <= Self.mostSeconds else { return nil }
    milliseconds = (isNegative ? -seconds : seconds) * 1_000
  }

  private static let mostSeconds: Int64 = 2 * 366 * 86_400

  /// Whether a time zone may have this offset: none was ever 16 hours from UTC.
  package var isTimeZone: Bool { milliseconds.magnitude < 16 * 3_600_000 }
}

extension ClockOffset: CustomStringConvertible {
  /// `+02:00`, `-01:23:45`.
  package var description: String {
    let seconds = Int((milliseconds.magnitude + 500) / 1_000)
    func digits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return (milliseconds < 0 ? "-" : "+") + digits(seconds / 3_600) + ":"
      + digits(seconds / 60 % 60) + (seconds % 60 == 0 ? "" : ":" + digits(seconds % 60))
  }
}
