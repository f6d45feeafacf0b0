import Geodesy

/// What is wrong with a text that is not a time.
enum TimeFlaw {
  /// The flaw, in words that follow the text.
  static func flaw(of text: String) -> String {
    if let date = text.prefixMatch(of: #/\s*(\d{4})[-:]?(\d{2})(?:[-:]?(\d{2}))?(?!\d)/#),
      let year = Int(date.1), let month = Int(date.2)
    {
      guard (1...12).contains(month) else { return "names a month that does not exist." }
      let day = date.3.flatMap { Int($0) } ?? 1
      guard CalendarDay.daysSince1970(year: year, month: month, day: day) != nil else {
        return "names a day that does not exist."
      }
    }
    if text.prefixMatch(of: #/\s*\d{1,2}[\/.\-]\d{1,2}[\/.\-]\d{2,4}(?!\d)/#) != nil {
      return "does not begin with the year; write it as in 2024-09-14."
    }
    if let clock = text.firstMatch(of: #/[Tt ](\d{2}):(\d{2})(?::(\d{2}))?/#),
      let hours = Int(clock.1), let minutes = Int(clock.2)
    {
      let seconds = clock.3.flatMap { Int($0) } ?? 0
      guard hours < 24, minutes < 60, seconds < 60 else {
        return "names a time of day that does not exist."
      }
    }
    return notATime
  }

  /// The flaw of a text that looks like no time.
  static let notATime = "is not a time such as 2024-05-01T10:00:00Z."
}
