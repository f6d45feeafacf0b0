import Foundation
import GeoStore
import Geodesy

/// The least number of seconds between two kept fixes of a recording, as typed.
enum Seconds {
  /// Reads a number that the setting `minimumIntervalSeconds` could have.
  ///
  /// - Throws: ``ArgumentFlaw``.
  static func parse(_ argument: String) throws(ArgumentFlaw) -> Double {
    guard let seconds = DecimalNumber.value(of: argument.trimmingCharacters(in: .whitespaces)),
      SettingKey.minimumIntervalSeconds.range.contains(seconds)
    else { throw ArgumentFlaw("must be a number of seconds between 0 and 86,400.") }
    return seconds
  }
}
