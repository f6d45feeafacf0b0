import FogMap
import Foundation
import GeoStore
import Geodesy
import Roqua

/// Values of settings as people type them, with or without a unit.
enum SettingValue {
  /// What a setting is measured in.
  private enum Quantity {
    case length, seconds, minutes, speed, number, name

    init(_ key: SettingKey) {
      switch key {
      case .maximumAccuracyMeters, .trackingDistanceMeters, .explorationRadiusMeters,
        .clusteringRadiusMeters:
        self = .length
      case .minimumIntervalSeconds: self = .seconds
      case .visitGapMinutes: self = .minutes
      case .maximumSpeedMetersPerSecond: self = .speed
      case .percentageDecimals, .flightsExplore: self = .number
      case .units, .colorTheme, .colorScheme: self = .name
      }
    }

    /// What a number with each unit is multiplied by. A unit that ends like another one comes
    /// before it.
    var units: [(suffix: String, factor: Double)] {
      switch self {
      case .length: [("km", 1_000), ("mi", 1_609.344), ("ft", 0.304_8), ("m", 1)]
      case .seconds: [("min", 60), ("ms", 0.001), ("h", 3_600), ("s", 1)]
      case .minutes: [("min", 1), ("h", 60), ("s", 1.0 / 60), ("d", 1_440)]
      case .speed:
        [
          ("km/h", 1 / 3.6), ("kmh", 1 / 3.6), ("mph", 0.447_04), ("m/s", 1),
          ("kn", 1_852.0 / 3_600),
        ]
      case .number, .name: []
      }
    }

    /// What a number counts, and a value with a unit for example; nil without units.
    var form: (number: String, example: String)? {
      switch self {
      case .length: ("number of meters", "a length such as 1km or 250ft")
      case .seconds: ("number of seconds", "a time such as 5s or 2min")
      case .minutes: ("number of minutes", "a time such as 45min or 2h")
      case .speed: ("number of meters per second", "a speed such as 900km/h")
      case .number, .name: nil
      }
    }
  }

  /// The names of a setting whose values have names, with their numbers.
  static func names(for key: SettingKey) -> [(name: String, number: Double)] {
    switch key {
    case .units: UnitSystem.allCases.map { ($0.name, $0.rawValue) }
    case .colorTheme: ColorTheme.all.map { ($0.name, Double($0.number)) }
    case .colorScheme: ColorScheme.allCases.map { ($0.name, $0.rawValue) }
    default: []
    }
  }

  /// The value in the setting's own unit, or nil where the text is no such value. One in another
  /// unit is rounded where the setting must be a whole number: 250 ft are 76 m.
  static func number(_ text: String, for key: SettingKey) -> Double? {
    let text = text.trimmingCharacters(in: .whitespaces).lowercased()
    let names = names(for: key)
    if !names.isEmpty { return names.first { $0.name == text }?.number }
    if let value = DecimalNumber.value(of: text) { return value }
    guard let unit = Quantity(key).units.first(where: { text.hasSuffix($0.suffix) }) else {
      return nil
    }
    let number = text.dropLast(unit.suffix.count).trimmingCharacters(in: .whitespaces)
    guard let value = DecimalNumber.value(of: number) else { return nil }
    if key.isWhole, unit.factor != 1 { return (value * unit.factor).rounded() }
    // To the ninth digit: 1,000 ft are 304.8 m.
    return (value * unit.factor * 1e9).rounded() / 1e9
  }

  /// The value of an option that changes a setting.
  ///
  /// - Throws: ``ArgumentFlaw``.
  static func parse(_ text: String, for key: SettingKey) throws(ArgumentFlaw) -> Double {
    guard let number = number(text, for: key) else {
      throw ArgumentFlaw("must be \(form(of: key)).")
    }
    return number
  }

  /// A value for people.
  static func text(_ value: Double, for key: SettingKey) -> String {
    name(of: value, for: key) ?? StoreSettings.text(value)
  }

  /// The value of a setting for people.
  static func text(of key: SettingKey, in settings: StoreSettings) -> String {
    isAutomatic(key, in: settings) ? "automatic" : text(settings[key], for: key)
  }

  /// The value of a setting in JSON; null if it is automatic.
  static func json(of key: SettingKey, in settings: StoreSettings) -> JSONValue {
    isAutomatic(key, in: settings) ? .null : json(settings[key], for: key)
  }

  /// Whether texts choose the value: unless set, percentages have as many decimals as they need.
  private static func isAutomatic(_ key: SettingKey, in settings: StoreSettings) -> Bool {
    key == .percentageDecimals && !settings.isSet(key)
  }

  /// What is said of a value that was not set.
  static func origin(of key: SettingKey) -> String {
    guard key == .minimumIntervalSeconds else { return "default" }
    let seconds = StoreSettings.text(LiveRules().filter.minimumIntervalSeconds)
    return "default; \(seconds) for recordings"
  }

  /// A value in JSON: its name if it has one, otherwise a number.
  static func json(_ value: Double, for key: SettingKey) -> JSONValue {
    name(of: value, for: key).map { .string($0) } ?? .number(value)
  }

  /// The name of a value; nil for a number. A theme that a newer version added has no name here.
  private static func name(of value: Double, for key: SettingKey) -> String? {
    names(for: key).first { $0.number == value }?.name
  }

  /// What a value must be, for an error: `a whole number between 0 and 12`.
  static func form(of key: SettingKey) -> String {
    let names = names(for: key).map(\.name)
    if let last = names.last { return names.dropLast().joined(separator: ", ") + " or " + last }
    let (low, high) = (
      StoreSettings.text(key.range.lowerBound), StoreSettings.text(key.range.upperBound)
    )
    if key == .flightsExplore { return "\(low) or \(high)" }
    let form = Quantity(key).form
    return "a \(key.isWhole ? "whole " : "")\(form?.number ?? "number") between \(low) and \(high)"
      + (form.map { ", or \($0.example)" } ?? "")
  }

  /// Checks that a setting accepts a value.
  ///
  /// - Throws: ``ArgumentFlaw``, whose sentence names the setting and its range.
  static func check(_ number: Double, for key: SettingKey) throws(ArgumentFlaw) {
    var settings = StoreSettings()
    do throws(StoreError) {
      try settings.set(key, to: number)
    } catch {
      throw ArgumentFlaw("must be \(form(of: key)).", subject: key.rawValue)
    }
  }
}
