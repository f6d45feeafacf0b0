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
  private(set) var latestPossible: Int64

  /// Creates a clock for files that are read at `now`. A time more than a day later is impossible.
  init(now: Timestamp) {
    latestPossible = now.millisecondsSince1970 &+ Self.day
  }

  /// Sets the current time, from which later times count as impossible. A live log may take days.
  mutating func update(now: Timestamp) {
    latestPossible = now.millisecondsSince1970 &+ Self.day
  }

  /// The largest difference in milliseconds between a receiver's time of day and the computer's
  /// clock at which the computer's date is taken for the receiver's: ten minutes.
  static let largestClockDifference: Int64 = 600_000

  /// Learns the date from the computer's clock if the time of day was just received and agrees with
  /// it. A replayed log hardly ever agrees, so it gets no date of today.
  mutating func learnDate(from now: Timestamp, timeOfDay: Int32) {
    guard anchor == nil, timeOfDay >= 0 else { return }
    let present = now.millisecondsSince1970
    guard present >= 0 else { return }
    let midnight = present - present % Self.day
    for day in [midnight - Self.day, midnight, midnight + Self.day] {
      let moment = day + Int64(timeOfDay)
      guard abs(moment - present) <= Self.largestClockDifference else { continue }
      learn(day: Int32(clamping: day / Self.day), timeOfDay: timeOfDay, isTrusted: false)
    }
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
