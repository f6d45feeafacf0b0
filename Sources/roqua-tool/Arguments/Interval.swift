import GeoStore

/// A time between two repetitions, as typed: `15min`, `2h`, `30s`. Without a unit it is in minutes.
struct Interval {
  let milliseconds: Int64

  /// How often a folder is synced that is watched.
  static let standard = Interval(milliseconds: 900_000)
  /// From a second to a month.
  private static let range = 1.0 / 60...44_640.0

  private init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Reads a time.
  ///
  /// - Throws: ``ArgumentFlaw``.
  static func parse(_ argument: String) throws(ArgumentFlaw) -> Interval {
    guard let minutes = SettingValue.number(argument, for: .visitGapMinutes),
      range.contains((minutes * 1e6).rounded(.up) / 1e6)
    else {
      throw ArgumentFlaw(
        "must be a time of 1 s to 31 days, such as 30s, 15min or 2h; a number alone is in minutes.")
    }
    return Interval(milliseconds: Int64((minutes * 60_000).rounded()))
  }
}
