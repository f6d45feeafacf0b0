import ArgumentParser
import Geodesy

/// A time on the command line, with as much of it as somebody cares to write: `2024`, `2024-05`,
/// `2024-05-01`, or a whole one, `2024-05-01T10:00:00Z`. In UTC.
struct Moment: ExpressibleByArgument {
  /// Its first and its last millisecond.
  let range: ClosedRange<Timestamp>
  /// Whether it is a whole time, not a year, a month or a day.
  let isWhole: Bool

  init?(argument: String) {
    if let time = Timestamp(iso8601: argument) {
      (range, isWhole) = (time...time, true)
      return
    }
    let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.allSatisfy(\.isASCIIDigit) ? Int(part) : nil }
    guard numbers.count == parts.count, (1...3).contains(parts.count), parts[0].count == 4,
      parts.dropFirst().allSatisfy({ $0.count == 2 })
    else { return nil }
    let (year, month, day) = (
      numbers[0], numbers.count > 1 ? numbers[1] : 1, numbers.count > 2 ? numbers[2] : 1
    )
    guard let firstDay = CalendarDay.daysSince1970(year: year, month: month, day: day) else {
      return nil
    }
    let days =
      switch numbers.count {
      case 1: CalendarDay.daysInMonth(2, year: year) == 29 ? 366 : 365
      case 2: CalendarDay.daysInMonth(month, year: year)
      default: 1
      }
    let start = Int64(firstDay) * Timestamp.millisecondsPerDay
    let first = Timestamp(millisecondsSince1970: start)
    let end = start + Int64(days) * Timestamp.millisecondsPerDay
    let last = Timestamp(millisecondsSince1970: end - 1)
    (range, isWhole) = (first...last, false)
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
