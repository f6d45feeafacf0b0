import ArgumentParser
import GeoStore
import Geocode
import Roqua
import SQLiteLayer

struct Settings: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show or change the store's settings.",
    discussion: """
      Without arguments all are shown, with a key that one; with a key and a value it is changed. \
      Regions, visits and coverage are built anew where they depend on it; filters hold for \
      imports that come after.

      A value may have a unit: 1km, 75m, 250ft; 90s, 30min, 2h; 90m/s, 250km/h, 60mph. Without one \
      it is in the unit that the setting's name says.
      """)

  @OptionGroup var store: StoreArguments

  @Argument(
    help: ArgumentHelp("Which setting.", valueName: "key"),
    completion: .list(SettingKey.allCases.map(\.rawValue)))
  var key: String?

  @Argument(help: "Its new value.")
  var value: String?

  private func settingKey() throws -> SettingKey? {
    guard let key else { return nil }
    guard let found = SettingKey(rawValue: key) else {
      throw ValidationError(Self.unknown(key))
    }
    return found
  }

  /// The error for a setting that does not exist: the most similar names, or all.
  private static func unknown(_ key: String) -> String {
    // `explorationRadius` has the first words of `explorationRadiusMeters`.
    func words(_ name: String) -> String {
      name.reduce(into: "") { $0 += $1.isUppercase ? " \($1)" : "\($1)" }
    }
    var guesses = NameGuesses(for: words(key))
    for known in SettingKey.allCases { guesses.consider(words(known.rawValue)) { known.rawValue } }
    let known = SettingKey.allCases.map(\.rawValue).joined(separator: ", ")
    let end =
      guesses.best.isEmpty
      ? "There are: \(known)." : "Did you mean \(guesses.best.joined(separator: " or "))?"
    return "There is no setting \(Console.safe(key)). \(end)"
  }

  private func number() throws -> Double? {
    guard let value, let key = try settingKey() else { return nil }
    guard let number = SettingValue.number(value, for: key) else {
      throw ValidationError("The value must be \(SettingValue.form(of: key)).")
    }
    return number
  }

  func validate() throws {
    let key = try settingKey()
    if let number = try number(), let key {
      var settings = StoreSettings()
      do { try settings.set(key, to: number) } catch { throw ValidationError("\(error)") }
    }
  }

  func run() throws {
    try Console.reportingErrors {
      let key = try settingKey()
      let settings: StoreSettings
      if let key, let number = try number() {
        Interruption.prepare(working: "nothing was changed", committed: "the setting is changed")
        let explorer = try store.open(creating: true)
        try explorer.set(key, to: number)
        settings = try explorer.settings()
      } else {
        settings = try currentSettings()
      }
      let keys = key.map { [$0] } ?? SettingKey.allCases
      if store.json {
        Console.print(.object(keys.map { .init($0.rawValue, .number(settings[$0])) }))
        return
      }
      var table = Table([.left, .right, .left])
      for key in keys {
        let origin = settings.isSet(key) ? "" : " (default)"
        table.add([key.rawValue, StoreSettings.text(settings[key]), key.meaning + origin])
      }
      table.lines().forEach(Console.print)
    }
  }

  /// Those of the store; the defaults where there is no store, which asking does not make.
  private func currentSettings() throws -> StoreSettings {
    do {
      return try store.open(creating: false).settings()
    } catch DatabaseError.missing {
      return StoreSettings()
    }
  }
}
