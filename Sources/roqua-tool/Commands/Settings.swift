import ArgumentParser
import GeoStore
import Geocode
import Roqua
import SQLiteLayer

struct Settings: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings",
    abstract: "Show or change the store's settings.",
    discussion: """
      Without arguments, shows all settings; with a key, shows that setting; with a key and a \
      value, changes it and says what was rebuilt: regions, visits and coverage are rebuilt from \
      the kept fixes if they depend on the setting. Filter settings apply to later imports and \
      recordings. With --dry-run, says what a change would rebuild and changes nothing.

      A value may have a unit: 1km, 75m, 250ft; 90s, 30min, 2h; 90m/s, 250km/h, 60mph. A value \
      without a unit is in the unit that the setting's name contains. The value default returns \
      the setting to its default.
      """)

  @OptionGroup var store: StoreArguments

  @Flag(help: "Report what the change would rebuild, without changing anything.")
  var dryRun = false

  @Argument(
    help: ArgumentHelp("The setting to show or change.", valueName: "key"),
    completion: .list(SettingKey.allCases.map(\.rawValue)))
  var key: String?

  @Argument(help: "The new value; default to return to the default.")
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
      ? "Known settings: \(known)." : "Did you mean \(guesses.best.joined(separator: " or "))?"
    return "There is no setting \(Console.safe(key)). \(end)"
  }

  /// Whether the value asks for the default.
  private var isReset: Bool { value?.lowercased() == "default" }

  private func number() throws -> Double? {
    guard !isReset, let value, let key = try settingKey() else { return nil }
    guard let number = SettingValue.number(value, for: key) else {
      throw ValidationError("\(key.rawValue) must be \(SettingValue.form(of: key)).")
    }
    return number
  }

  func validate() throws {
    guard value != nil || !dryRun else {
      throw ValidationError("--dry-run needs a setting and a new value.")
    }
    guard let key = try settingKey() else { return }
    if let number = try number() {
      do { try SettingValue.check(number, for: key) } catch { throw ValidationError("\(error)") }
    }
  }

  func run() throws {
    try Console.reportingErrors {
      guard let key = try settingKey() else {
        return show(try currentSettings(), SettingKey.allCases)
      }
      guard value != nil else { return show(try currentSettings(), [key]) }
      let number = try self.number()
      let done =
        try dryRun
        ? (impact: preview(key, to: number), area: AreaChange?.none) : change(key, to: number)
      let summary = SettingsSummary(done.impact, of: key, isDryRun: dryRun)
      guard !store.json else { return Console.print(summary.json) }
      if !dryRun { show(done.impact.change.after, [key]) }
      let lines = summary.lines + [done.area?.line()].compactMap { $0 }
      lines.flatMap { TerminalWidth.wrapped($0) }.forEach(Console.print)
    }
  }

  private func show(_ settings: StoreSettings, _ keys: [SettingKey]) {
    if store.json {
      let members = keys.map { key in
        JSONValue.Member(key.rawValue, SettingValue.json(settings[key], for: key))
      }
      return Console.print(.object(members))
    }
    let limit = TerminalWidth.current ?? .max
    var (table, lines) = (Table([.left, .right, .left], limit: nil), [String]())
    for key in keys {
      let origin = settings.isSet(key) ? "" : " (\(SettingValue.origin(of: key)))"
      let value = SettingValue.text(of: key, in: settings)
      table.add([key.rawValue, value, key.meaning + origin])
      lines += TerminalWidth.wrapped("\(key.rawValue): \(value)\(origin)")
      lines += TerminalWidth.wrapped(key.meaning, to: limit - 2).map { "  \($0)" }
    }
    let fits = table.lines().allSatisfy { TextWidth.columns(of: $0) <= limit }
    (fits ? table.lines() : lines).forEach(Console.print)
  }

  /// What setting a key would do, or resetting it where there is no number.
  private func preview(_ key: SettingKey, to number: Double?) throws -> SettingsImpact {
    // Asking makes no store.
    let explorer = try store.open(creating: true)
    return try WorkProgress.counting {
      try explorer.previewSettings { settings in
        // Checked by `validate`.
        if let number { try? settings.set(key, to: number) } else { settings.reset(key) }
      }
    }
  }

  /// Sets a key, or resets it where there is no number. The area is that of cells whose size may
  /// have changed.
  private func change(
    _ key: SettingKey, to number: Double?
  ) throws -> (impact: SettingsImpact, area: AreaChange?) {
    Interruption.prepare(working: "nothing was changed", committed: "the setting was changed")
    do {
      let explorer = try store.open(creating: number != nil)
      let area = key == .explorationRadiusMeters && !store.json ? AreaChange(of: explorer) : nil
      let impact: SettingsImpact = try WorkProgress.showing { _ in
        if let number { try explorer.set(key, to: number) } else { try explorer.reset(key) }
      }
      return (impact, area)
    } catch DatabaseError.missing where number == nil {
      // A store that does not exist yet has the defaults.
      return (try preview(key, to: nil), nil)
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
