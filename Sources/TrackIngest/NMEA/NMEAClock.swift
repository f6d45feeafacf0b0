import Geodesy

/// Turns times of day into moments, with the dates that a log gives now and then.
struct NMEAClock {
  /// Milliseconds of a day.
  static let day: Int64 = 86_400_000

  /// The last moment known, in milliseconds since 1970; nil before the first date.
  private(set) var anchor: Int64?
  /// Whether the anchor comes from a receiver that had a fix, not from one that only keeps time.
  private var isAnchorTrusted = false
  /// Nothing can have happened after this, in milliseconds since 1970.
  let latestPossible: Int64

  /// A clock for files that are read at `now`: later than a day after that is impossible.
  init(now: Timestamp) {
    latestPossible = now.millisecondsSince1970 + Self.day
  }

  /// What a date is worth.
  enum Date: Equatable {
    /// None is given.
    case missing
    /// Days since 1970.
    case day(Int32)
    /// Given, but no date, or one that cannot be.
    case impossible
  }

  /// The date `ddmmyy`. Of the two centuries the year could be in, the one that is possible, the present one
  /// first: 99 is 1999, and so is 79 not 2079 while that is in the future.
  func date(_ field: NMEAField) -> Date {
    if field.isEmpty { return .missing }
    guard let (day, month, year) = field.dayMonthYear else { return .impossible }
    let recent = date(year: 2000 + Int(year), month: Int(month), day: Int(day))
    return recent == .impossible ? date(year: 1900 + Int(year), month: Int(month), day: Int(day)) : recent
  }

  /// A date with its whole year.
  func date(year: Int, month: Int, day: Int) -> Date {
    guard let days = CalendarDay.daysSince1970(year: year, month: month, day: day), days >= 0,
      Int64(days) * Self.day <= latestPossible
    else { return .impossible }
    return .day(Int32(days))
  }

  /// Whether a moment can be: not before 1970, not more than a day after now.
  func isPossible(_ milliseconds: Int64) -> Bool { milliseconds >= 0 && milliseconds <= latestPossible }

  /// Takes note of a moment that a sentence gave in full.
  ///
  /// - Parameter isTrusted: whether the receiver had a fix. Without one it may count from the day it was made:
  ///   such a date serves only until a better one comes.
  mutating func learn(day: Int32, timeOfDay: Int32, isTrusted: Bool) {
    if !isTrusted, isAnchorTrusted { return }
    let moment = Int64(day) * Self.day + Int64(max(0, timeOfDay))
    guard isPossible(moment) else { return }
    anchor = moment
    isAnchorTrusted = isTrusted
  }

  /// The moment nearest to the last known one that has this time of day, so midnight steps to the next day;
  /// nil before the first date. Notes it as the last known.
  mutating func resolve(timeOfDay: Int32) -> Int64? {
    guard let last = anchor else { return nil }
    let midnight = last - last % Self.day
    var moment = midnight + Int64(timeOfDay)
    if moment - last < -Self.day / 2 { moment += Self.day }
    if moment - last > Self.day / 2 { moment -= Self.day }
    if isPossible(moment) { anchor = moment }
    return moment
  }
}
