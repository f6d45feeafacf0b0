import ArgumentParser
import GeoStore

/// A time between two repetitions, as typed: `15min`, `2h`, `30s`. Without a unit it is in minutes.
struct Interval: ExpressibleByArgument {
  let milliseconds: Int64

  /// How often a folder is synced that is watched.
  static let standard = Interval(milliseconds: 900_000)
  /// From a second to a month.
  private static let range = 1.0 / 60...44_640.0

  private init(milliseconds: Int64) { self.milliseconds = milliseconds }

  init?(argument: String) {
    guard let minutes = SettingValue.number(argument, for: .visitGapMinutes),
      Self.range.contains((minutes * 1e6).rounded(.up) / 1e6)
    else { return nil }
    milliseconds = Int64((minutes * 60_000).rounded())
  }
}
