import ArgumentParser
import Geodesy
import Roqua

/// A time on the command line, with as much of it as somebody cares to write: `2024`, `2024-05`,
/// `2024-05-01`, or a whole one in any form that `roqua at` reads. In UTC unless it has an offset.
struct Moment {
  /// Its first and its last millisecond.
  let range: ClosedRange<Timestamp>
  /// Whether it is a whole time, not a year, a month or a day.
  let isWhole: Bool

  /// What the help of `--from` says of the forms.
  static let forms = "2024, 2024-05, 2024-05-01, 2024-05-01T10:00:00Z"

  /// Reads a time.
  ///
  /// - Throws: ``ArgumentFlaw``.
  init(_ argument: String) throws(ArgumentFlaw) {
    // A short number is not meant as seconds since 1970.
    let parts = argument.split(separator: ".", omittingEmptySubsequences: false)
    if let digits = parts.first?.count, digits < 9, digits != 4, digits != 8, parts.count <= 2,
      !argument.isEmpty, parts.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) })
    {
      throw ArgumentFlaw(TimeFlaw.notATime)
    }
    let time: Timestamp
    switch WrittenTime(argument.utf8) {
    case .moment(let moment): time = moment
    case .clock(let local): time = Timestamp(millisecondsSince1970: local)
    case .date:
      guard let days = Self.days(argument.filter(\.isASCIIDigit)) else {
        throw ArgumentFlaw(TimeFlaw.flaw(of: argument))
      }
      (range, isWhole) = (days, false)
      return
    case .blank, .invalid: throw ArgumentFlaw(TimeFlaw.flaw(of: argument))
    }
    guard Timestamp.writable.contains(time) else { throw ArgumentFlaw(TimeFlaw.flaw(of: argument)) }
    (range, isWhole) = (time...time, true)
  }

  /// The days of a year, a month or a date in digits: `2024`, `202405`, `20240501`.
  private static func days(_ digits: String) -> ClosedRange<Timestamp>? {
    let numbers = [digits.prefix(4), digits.dropFirst(4).prefix(2), digits.dropFirst(6)]
      .compactMap { Int($0) }
    guard let year = numbers.first else { return nil }
    let (month, day) = (numbers.count > 1 ? numbers[1] : 1, numbers.count > 2 ? numbers[2] : 1)
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
    let end = start + Int64(days) * Timestamp.millisecondsPerDay
    return Timestamp(millisecondsSince1970: start)...Timestamp(millisecondsSince1970: end - 1)
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
