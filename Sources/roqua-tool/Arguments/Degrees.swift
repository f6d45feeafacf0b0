import ArgumentParser
import Foundation
import Geodesy

/// An angle in degrees, as typed.
struct Degrees: ExpressibleByArgument {
  let value: Double

  init?(argument: String) {
    guard let value = DecimalNumber.value(of: argument.trimmingCharacters(in: .whitespaces)) else {
      return nil
    }
    self.value = value
  }
}

/// A length, as typed: `300`, `300m`, `2km`, `1.5mi`, `800ft`. Without a unit it is in meters.
struct Length {
  let meters: Double

  /// Meters in a unit. The mile and the foot are the international ones (1959).
  private static let units: [(suffix: String, meters: Double)] = [
    ("km", 1_000), ("mi", 1_609.344), ("ft", 0.304_8), ("m", 1),
  ]

  /// More than once around the Earth: what is longer is a mistake.
  private static let longestMeters = 40_100_000.0

  /// Reads a length.
  ///
  /// - Throws: ``ArgumentFlaw``.
  static func parse(_ argument: String) throws(ArgumentFlaw) -> Length {
    guard let meters = meters(argument) else {
      throw ArgumentFlaw(
        "must be a distance such as 500m, 2km, 1.5mi or 800ft, without a blank; a number alone is "
          + "in meters.")
    }
    guard (0...longestMeters).contains(meters) else {
      throw ArgumentFlaw("must be between 0 m and 40,100 km.")
    }
    return Length(meters: meters)
  }

  /// Whether a word is a unit, such as that of `2 km`.
  static func isUnit(_ word: String) -> Bool {
    units.contains { $0.suffix == word.lowercased() }
  }

  private static func meters(_ argument: String) -> Double? {
    let text = argument.trimmingCharacters(in: .whitespaces).lowercased()
    let unit = units.first { text.hasSuffix($0.suffix) }
    let number = text.dropLast(unit?.suffix.count ?? 0).trimmingCharacters(in: .whitespaces)
    return DecimalNumber.value(of: number).map { $0 * (unit?.meters ?? 1) }
  }
}
