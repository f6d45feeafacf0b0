import Foundation
import Geodesy
import TrackIngest

/// Numbers and counts as people read them, in English and the same on every machine.
enum Wording {
  /// A whole number with commas: 1,234,567.
  static func count(_ value: Int) -> String {
    var digits = Array(String(value.magnitude))
    var index = digits.count - 3
    while index > 0 {
      digits.insert(",", at: index)
      index -= 3
    }
    return (value < 0 ? "-" : "") + String(digits)
  }

  /// `1 file`, `2 files`.
  static func count(_ value: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(count(value)) \(value == 1 ? singular : plural ?? singular + "s")"
  }

  /// A number with so many digits after the point, commas in front of it.
  static func decimal(_ value: Double, _ digits: Int) -> String {
    let text = String(format: "%.\(digits)f", value)
    let parts = text.split(separator: ".", maxSplits: 1)
    let whole = Int(parts[0]).map { $0 == 0 && value < 0 && Double(text) != 0 ? "-0" : count($0) }
    guard let whole else { return text }
    return parts.count == 2 ? "\(whole).\(parts[1])" : whole
  }

  /// A percentage with the store's number of digits.
  static func percentage(_ value: Double, decimals: Int) -> String {
    decimal(value, decimals) + " %"
  }

  /// `123 m`, `1.23 km`, `123 km`.
  static func distance(_ meters: Double) -> String {
    if meters < 1_000 { return decimal(meters.rounded(), 0) + " m" }
    return decimal(meters / 1_000, meters < 100_000 ? 2 : 0) + " km"
  }

  /// An area: m² below a hectare, km² above.
  static func area(_ squareKilometers: Double) -> String {
    if squareKilometers == 0 { return "0 km²" }
    if squareKilometers < 0.01 { return decimal(squareKilometers * 1e6, 0) + " m²" }
    return decimal(squareKilometers, squareKilometers < 100 ? 2 : 0) + " km²"
  }

  /// A number of bytes, in the units of a thousand.
  static func bytes(_ value: Int) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    var amount = Double(value)
    var unit = 0
    while amount >= 999.5, unit < units.count - 1 {
      amount /= 1_000
      unit += 1
    }
    return unit == 0 ? "\(value) bytes" : decimal(amount, amount < 9.95 ? 1 : 0) + " " + units[unit]
  }

  /// `40 min`, `3 h`, `12 days`: the largest unit of which there are at least two.
  static func duration(_ seconds: Double) -> String {
    if seconds < 7_200 { return decimal((seconds / 60).rounded(.towardZero), 0) + " min" }
    if seconds < 172_800 { return decimal((seconds / 3_600).rounded(.towardZero), 0) + " h" }
    return decimal((seconds / 86_400).rounded(.towardZero), 0) + " days"
  }

  /// A span of days: one date, or two with a dash.
  static func days(_ first: Timestamp?, _ last: Timestamp?) -> String {
    guard let first, let last else { return "no dates" }
    let (start, end) = (first.iso8601.prefix(10), last.iso8601.prefix(10))
    return start == end ? String(start) : "\(start) – \(end)"
  }
}

extension DropReason {
  /// What was wrong with so many points, in words, after their number.
  func explanation(_ settings: FilterSettings) -> String {
    switch self {
    case .nullIsland: "at exactly 0° N 0° E, where receivers are that know nothing"
    case .inaccurate: "less accurate than \(Self.text(settings.maximumAccuracyMeters)) m"
    case .tooSoon: "sooner than \(Self.text(settings.minimumIntervalSeconds)) s after the last one"
    case .tooClose: "closer than \(Self.text(settings.trackingDistanceMeters)) m to the last one"
    case .implausible:
      "that nobody could have reached and left (over "
        + "\(Self.text(settings.maximumSpeedMetersPerSecond)) m/s)"
    }
  }

  private static func text(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : String(value)
  }
}

extension SkipReason {
  /// What was wrong with so many positions, in words, after their number.
  var explanation: String {
    switch self {
    case .invalidCoordinate: "without a valid position"
    case .noFix: "where the receiver said that it had no fix"
    case .badChecksum: "with a wrong checksum"
    }
  }
}
