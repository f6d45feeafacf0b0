import Geodesy

/// Converts times of day to moments, with the dates of headers.
struct IGCClock {
  /// The longest step back within a day: a longer one is a midnight.
  private static let longestStepBack = Timestamp.millisecondsPerDay / 2
  /// The shortest step forward that leads back over a midnight that was just passed.
  private static let stepOverMidnight: Int64 = 22 * 3_600_000

  private var dates: NMEAClock
  /// Days since 1970 of the last fix or date; nil before the first date.
  private var day: Int64?
  /// The time of day of the last fix since the date in milliseconds.
  private var last: Int64?

  /// True if there was a date that can be.
  var hasDate: Bool { day != nil }

  /// A clock for files that are read at `now`. A time more than a day later is impossible.
  init(now: Timestamp) { dates = NMEAClock(now: now) }

  /// Forgets the date, for another flight.
  mutating func reset() { (day, last) = (nil, nil) }

  /// Sets the date. Returns false if there is no such day, or if it is impossible.
  mutating func set(day: Int, month: Int, year: Int) -> Bool {
    for century in [2000, 1900] {
      guard
        case .day(let days) = dates.date(year: century + year, month: month, day: day)
      else { continue }
      (self.day, last) = (Int64(days), nil)
      return true
    }
    return false
  }

  /// The moment of a fix in milliseconds since 1970; nil before the first date.
  ///
  /// A time of day far before the last one begins the next day, unless a date came between. One far
  /// after it is a late fix of the day before.
  mutating func moment(_ timeOfDay: Int64) -> Int64? {
    guard var day else { return nil }
    if let last {
      if timeOfDay < last - Self.longestStepBack { day += 1 }
      if timeOfDay > last + Self.stepOverMidnight { day -= 1 }
    }
    (self.day, last) = (day, timeOfDay)
    return day * Timestamp.millisecondsPerDay + timeOfDay
  }

  /// Returns true if a moment is possible: not before 1970, not more than a day after now.
  func isPossible(_ milliseconds: Int64) -> Bool { dates.isPossible(milliseconds) }
}
