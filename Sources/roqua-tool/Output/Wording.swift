import Foundation
import GeoStore
import Geodesy
import Roqua
import TrackIngest

/// Numbers and counts as people read them, in English and the same on every machine.
enum Wording {
  /// A whole number with commas: 1,234,567.
  static func count(_ value: Int) -> String { GroupedNumber.text(value) }

  /// `1 file`, `2 files`.
  static func count(_ value: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(count(value)) \(value == 1 ? singular : plural ?? singular + "s")"
  }

  /// A number with `digits` digits after the point, and commas between thousands.
  static func decimal(_ value: Double, _ digits: Int) -> String {
    DecimalText.decimal(value, digits)
  }

  /// A positive number with two significant digits, and at most one after the point from 10 on:
  /// 0.0021, 3.4, 12.3.
  static func significant(_ value: Double) -> String { DecimalText.significant(value) }

  /// A percentage without its sign, never 100 for less than that.
  ///
  /// - Parameter decimals: the digits after the point; nil for two significant digits.
  static func percentageNumber(_ value: Double, decimals: Int?) -> String {
    guard let decimals else { return DecimalText.percentage(value) }
    return decimal(value < 100 ? min(value, 100 - pow(10, -Double(decimals))) : value, decimals)
  }

  /// A percentage (``percentageNumber(_:decimals:)``).
  static func percentage(_ value: Double, decimals: Int?) -> String {
    percentageNumber(value, decimals: decimals) + " %"
  }

  /// `123 m`, `1.23 km`, `123 km`; `404 ft`, `1.23 mi`, `123 mi`.
  static func distance(_ meters: Double, _ units: UnitSystem = CurrentUnits.system) -> String {
    switch units {
    case .metric:
      if meters < 1_000 { return decimal(meters.rounded(), 0) + " m" }
      return decimal(meters / 1_000, meters < 100_000 ? 2 : 0) + " km"
    case .imperial:
      let feet = meters / 0.304_8
      if feet < 1_000 { return decimal(feet.rounded(), 0) + " ft" }
      let miles = feet / 5_280
      return decimal(miles, miles < 100 ? 2 : 0) + " mi"
    }
  }

  /// A speed: `350 m/s`, `783 mph`.
  static func speed(
    metersPerSecond: Double, _ units: UnitSystem = CurrentUnits.system
  ) -> String {
    switch units {
    case .metric: plain(metersPerSecond) + " m/s"
    case .imperial: decimal(metersPerSecond / 0.447_04, 0) + " mph"
    }
  }

  /// A number as it was set, without `.0`.
  static func plain(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }

  /// The unit of large areas: `km²`, `sq mi`.
  static func areaUnit(_ units: UnitSystem = CurrentUnits.system) -> String {
    units == .metric ? "km²" : "sq mi"
  }

  /// An area without its unit, ``areaUnit(_:)``: for columns.
  static func areaNumber(
    _ squareKilometers: Double, _ units: UnitSystem = CurrentUnits.system
  ) -> String {
    let value = units == .metric ? squareKilometers : squareKilometers / squareKilometersPerMile
    if value > 0, value < 0.01 { return significant(value) }
    return value == 0 ? "0" : decimal(value, value < 100 ? 2 : 0)
  }

  /// An area: `12.34 km²`, below a hectare in m²; `4.76 sq mi`, below 0.01 in sq ft.
  static func area(
    _ squareKilometers: Double, _ units: UnitSystem = CurrentUnits.system
  ) -> String {
    if squareKilometers == 0 { return "0 \(areaUnit(units))" }
    switch units {
    case .metric where squareKilometers < 0.01:
      return decimal(squareKilometers * 1e6, 0) + " m²"
    case .imperial where squareKilometers < 0.01 * squareKilometersPerMile:
      return decimal(squareKilometers * 1e6 / (0.304_8 * 0.304_8), 0) + " sq ft"
    default: return "\(areaNumber(squareKilometers, units)) \(areaUnit(units))"
    }
  }

  /// A square mile of international feet.
  static let squareKilometersPerMile = 1.609_344 * 1.609_344

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

  /// `45 s`, `12 min`, `1 h 2 min`, `3 days 4 h`: the two largest units.
  static func exactDuration(_ seconds: Double) -> String {
    func text(_ large: Int, _ largeUnit: String, _ small: Int, _ smallUnit: String) -> String {
      small == 0
        ? "\(count(large)) \(largeUnit)" : "\(count(large)) \(largeUnit) \(small) \(smallUnit)"
    }
    if seconds < 60 { return "\(Int(seconds.rounded())) s" }
    let minutes = Int((seconds / 60).rounded())
    if minutes < 60 { return "\(minutes) min" }
    if minutes < 48 * 60 { return text(minutes / 60, "h", minutes % 60, "min") }
    let hours = Int((seconds / 3_600).rounded())
    return text(hours / 24, "days", hours % 24, "h")
  }

  /// The clock of the days in a column, below its name.
  static func clock(_ clock: StatisticsQuery.Clock) -> String { clock == .utc ? "UTC" : "local" }

  /// A span of days in UTC: one date, or two with a dash.
  static func days(_ first: Timestamp?, _ last: Timestamp?) -> String {
    guard let first, let last else { return "no dates" }
    return days(String(first.iso8601.prefix(10)), String(last.iso8601.prefix(10)))
  }

  /// A span of days: one date, or two with a dash.
  static func days(_ first: String?, _ last: String?) -> String {
    guard let first, let last else { return "no dates" }
    return first == last ? first : "\(first) – \(last)"
  }

  /// A span of days in at most ten characters: one date, or the month, year or years that have all
  /// of it: `2023-06-10`, `2023-06`, `2023`, `2023–2025`.
  static func shortDays(_ first: String?, _ last: String?) -> String {
    guard let first, let last else { return "no dates" }
    if first == last { return first }
    for length in [7, 4] where first.prefix(length) == last.prefix(length) {
      return String(first.prefix(length))
    }
    return "\(first.prefix(4))–\(last.prefix(4))"
  }

  /// A range of time, as short as it can be said: `from 2024-05-01 to 2024-05-31`,
  /// `on 2024-05-01`.
  static func range(_ times: ClosedRange<Timestamp>) -> String {
    let all = Timestamp.writable
    var words: [String] = []
    let hasEnd = times.upperBound < all.upperBound
    let first = start(times.lowerBound)
    if first == end(times.upperBound), !first.contains("T") { return "on \(first)" }
    if times.lowerBound > all.lowerBound {
      words.append("\(hasEnd ? "from" : "since") \(first)")
    }
    if hasEnd { words.append("\(words.isEmpty ? "until" : "to") \(end(times.upperBound))") }
    return words.joined(separator: " ")
  }

  /// The date of a time at the start of a day, else the time.
  private static func start(_ time: Timestamp) -> String {
    time.iso8601.hasSuffix("T00:00:00Z") ? String(time.iso8601.prefix(10)) : time.iso8601
  }

  /// The date of the last millisecond of a day, else the time.
  private static func end(_ time: Timestamp) -> String {
    time.iso8601.hasSuffix("T23:59:59.999Z") ? String(time.iso8601.prefix(10)) : time.iso8601
  }
}

extension DropReason {
  /// What was wrong with points, in words that follow their number.
  func explanation(_ settings: FilterSettings) -> String {
    switch self {
    case .nullIsland: "at exactly 0° N 0° E (no position)"
    case .inaccurate: "less accurate than \(Self.length(settings.maximumAccuracyMeters))"
    case .tooSoon:
      "sooner than \(Wording.plain(settings.minimumIntervalSeconds)) s after the last one"
    case .tooClose: "closer than \(Self.length(settings.trackingDistanceMeters)) to the last one"
    case .implausible:
      "implausible (over "
        + "\(Wording.speed(metersPerSecond: settings.maximumSpeedMetersPerSecond)))"
    case .privacyZone: "in a privacy zone"
    }
  }

  /// A limit as it was set, or in feet.
  private static func length(_ meters: Double) -> String {
    let units = CurrentUnits.system
    return units == .metric ? Wording.plain(meters) + " m" : Wording.distance(meters, units)
  }
}

extension SkipReason {
  /// What was wrong with each of them, after a colon.
  var fault: String {
    switch self {
    case .invalidCoordinate: "not a valid coordinate"
    case .noFix: "no fix"
    case .badChecksum: "wrong checksum"
    }
  }

  /// What was wrong with positions, in words that follow their number.
  var explanation: String {
    switch self {
    case .invalidCoordinate: "without a valid coordinate"
    case .noFix: "without a fix"
    case .badChecksum: "with a wrong checksum"
    }
  }
}
