import Foundation
import GeoStore
import Geocode
import Roqua
import Synchronization

/// How a place is written for people: in the language of their system or of `--language`, and a
/// country with its flag where a terminal shows it. JSON has no flags, and other languages only
/// where one was asked for.
struct PlaceWording {
  /// The user's language; nil for the English names of the data.
  let locale: Locale?
  let showsFlags: Bool

  private static let ofSystem = PlaceWording(
    environment: ProcessInfo.processInfo.environment, isTerminal: isatty(STDOUT_FILENO) == 1)
  private static let chosen = Mutex<Locale??>(nil)
  private static let translator = Mutex<(locale: Locale, names: PlaceTranslator)?>(nil)

  /// For this process.
  static var current: PlaceWording {
    guard let locale = chosen.withLock({ $0 }) else { return ofSystem }
    return PlaceWording(locale: locale, showsFlags: ofSystem.showsFlags)
  }

  /// Whether the user has named a language in this command.
  static var isChosen: Bool { chosen.withLock { $0 != nil } }

  /// Takes the language that the user has named; nil for English.
  static func use(_ locale: Locale?) { chosen.withLock { $0 = .some(locale) } }

  private init(locale: Locale?, showsFlags: Bool) {
    (self.locale, self.showsFlags) = (locale, showsFlags)
  }

  /// - Parameter isTerminal: whether standard output is one. Flags are for terminals that are not
  ///   dumb, in a locale of UTF-8, and for people who have not asked for plain text with
  ///   `NO_COLOR`.
  init(environment: [String: String], isTerminal: Bool) {
    func set(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let letters = (set("LC_ALL") ?? set("LC_CTYPE") ?? set("LANG") ?? "").lowercased()
    showsFlags =
      isTerminal && set("NO_COLOR") == nil && set("TERM") != "dumb"
      && (letters.hasSuffix("utf-8") || letters.hasSuffix("utf8"))
    locale = Self.names(set).lazy.compactMap(Self.language).first ?? nil
  }

  /// Locales by preference, as GNU gettext takes them: the first that is set of `LC_ALL`,
  /// `LC_MESSAGES` and `LANG`; and where that is a language's, those of `LANGUAGE`, with colons
  /// between, before it.
  private static func names(_ set: (String) -> String?) -> [String] {
    let messages = set("LC_ALL") ?? set("LC_MESSAGES") ?? set("LANG") ?? "C"
    if isPlain(messages) { return [messages] }
    return (set("LANGUAGE") ?? "").split(separator: ":").map(String.init) + [messages]
  }

  /// Whether a locale is that of no language.
  private static func isPlain(_ name: String) -> Bool {
    ["C", "POSIX"].contains(withoutEncoding(name))
  }

  /// `de_AT` of `de_AT.UTF-8@euro`.
  private static func withoutEncoding(_ name: String) -> String {
    String(name.prefix { $0 != "." && $0 != "@" })
  }

  /// The language of a locale's name; `.some(nil)` for the English of the data, nil where nothing
  /// is known of it.
  private static func language(_ name: String) -> Locale?? {
    let name = withoutEncoding(name)
    if isPlain(name) || name == "en" || name.hasPrefix("en_") { return .some(nil) }
    let locale = Locale(identifier: name)
    guard let code = locale.language.languageCode?.identifier,
      Locale.availableIdentifiers.contains(code)
    else { return nil }
    return locale
  }

  /// The country of this ISO code; `name` is its English one.
  func text(code: String?, name: String?) -> String? {
    guard let shown = textWithoutFlag(code: code, name: name) else { return nil }
    guard showsFlags, let flag = code.flatMap(CountryIndex.init(code:))?.flag else { return shown }
    return "\(flag) \(shown)"
  }

  /// The same for use in a sentence.
  func textWithoutFlag(code: String?, name: String?) -> String? {
    let country = code.flatMap(CountryIndex.init(code:))
    let translated = country.flatMap { country in
      locale.flatMap { $0.name(of: country) }
    }
    return translated ?? name ?? code
  }

  func text(_ place: PlaceNames) -> String? { text(code: place.countryCode, name: place.country) }

  /// The names of a place in the user's language, as far as they are known.
  func translated(_ place: PlaceNames) -> PlaceNames { names?.translated(place) ?? place }

  /// A place that was named in an option, in a sentence: `Munich, Germany`.
  func label(_ place: NamedPlace) -> String { names?.label(place) ?? place.label }

  /// The names in the user's language; nil for English.
  private var names: PlaceTranslator? {
    guard let locale else { return nil }
    return Self.translator.withLock { known in
      if let known, known.locale == locale { return known.names }
      guard let geocoder = try? Geocoder.bundled else { return nil }
      let names = PlaceTranslator(geocoder, locale: locale)
      known = (locale, names)
      return names
    }
  }
}
