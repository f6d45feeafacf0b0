import ArgumentParser
import GeoStore
import Roqua
import SQLiteLayer

struct Settings: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show or change the store's settings.",
    discussion: """
      Without arguments all are shown, with a key that one; with a key and a value it is changed. \
      Regions, visits and coverage are built anew where they depend on it; filters hold for \
      imports that come after.
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
      let known = SettingKey.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("There is no setting \(Console.safe(key)). There are: \(known).")
    }
    return found
  }

  private func number() throws -> Double? {
    guard let value else { return nil }
    guard let number = Degrees(argument: value)?.value else {
      throw ValidationError("The value must be a number.")
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
