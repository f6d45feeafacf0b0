import Geodesy

/// Converts times of day to moments, using the occasional dates of a log.
struct NMEAClock {
  /// Milliseconds in a day.
  static let day: Int64 = 86_400_000

  /// The last moment known, in milliseconds since 1970; nil before the first date.
  private(set) var anchor: Int64?
  /// True if the anchor comes from a receiver with a fix.
  private var isAnchorTrusted = false
  /// The latest possible moment in milliseconds since 1970.
  let latestPossible: Int64

  /// Creates a clock for files that are read at `now`. A time more than a day later is impossible.
  init(now: Timestamp) {
    latestPossible = now.millisecondsSince1970 + Self.day
  }

  /// A date as read.
  enum Date: Equatable {
    /// Not given.
    case missing
    /// Days since 1970.
    case day(Int32)
    /// Given, but invalid or impossible.
    case impossible
  }

  /// The date `ddmmyy`. The year is in this century if that is possible, otherwise in the last: 99
  /// is 1999, and 79 is 1979 as long as 2079 is in the future.
  func date(_ field: NMEAField) -> Date {
    if field.isEmpty { return .missing }
    guard let (day, month, year) = field.dayMonthYear else { return .impossible }
    let recent = date(year: 2000 + Int(year), month: Int(month), day: Int(day))
    return recent == .impossible
      ? date(year: 1900 + Int(year), month: Int(month), day: Int(day)) : recent
  }

  /// A date with a four-digit year.
  func date(year: Int, month: Int, day: Int) -> Date {
    guard let days = CalendarDay.daysSince1970(year: year, month: month, day: day), days >= 0,
      Int64(days) * Self.day <= latestPossible
    else { return .impossible }
    return .day(Int32(days))
  }

  /// Returns true if a moment is possible: not before 1970, not more than a day after now.
  func isPossible(_ milliseconds: Int64) -> Bool {
    milliseconds >= 0 && milliseconds <= latestPossible
  }

  /// Learns a moment from a sentence with a date and a time.
  ///
  /// - Parameter isTrusted: true if the receiver had a fix. Without one it may count from its date
  ///   of manufacture, so such a date is used only until a better one follows.
  mutating func learn(day: Int32, timeOfDay: Int32, isTrusted: Bool) {
    if !isTrusted, isAnchorTrusted { return }
    let moment = Int64(day) * Self.day + Int64(max(0, timeOfDay))
    guard isPossible(moment) else { return }
    anchor = moment
    isAnchorTrusted = isTrusted
  }

  /// The moment with this time of day that is nearest to the last known one, so that midnight
  /// begins the next day; nil before the first date. It becomes the last known moment.
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
