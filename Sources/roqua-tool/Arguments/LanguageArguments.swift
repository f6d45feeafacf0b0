import ArgumentParser
import Foundation
import Geocode
import Roqua

/// The language in which places are named.
struct LanguageArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Name places in this language, such as de, fr or ja. (default: the language of the system)",
      valueName: "language"))
  var language: String?

  func validate() throws {
    guard let language else { return }
    PlaceWording.use(try Self.locale(language))
  }

  /// The locale of a language that the user has named by its tag (`de`, `pt-BR`), or by its English
  /// or own name (`German`, `Deutsch`); nil for English.
  static func locale(_ text: String) throws -> Locale? {
    let geocoder = try Geocoder.bundled
    let tags = ["en"] + geocoder.languages
    let query = NameQuery(text.precomposedStringWithCanonicalMapping)
    let english = Locale(identifier: "en")
    func names(_ tag: String) -> [String] {
      [english, Locale(identifier: tag)].compactMap { $0.localizedString(forLanguageCode: tag) }
    }
    let tag = tags.first { names($0).contains(where: query.matches) } ?? text
    let locale = Locale(identifier: tag)
    guard let code = locale.language.languageCode?.identifier else { throw unknown(text, tags) }
    if code == "en" { return nil }
    guard Locale.availableIdentifiers.contains(code) else { throw unknown(text, tags) }
    return locale
  }

  private static func unknown(_ text: String, _ tags: [String]) -> ValidationError {
    ValidationError(
      "There are no names in the language \"\(Console.safe(String(text.prefix(40))))\". "
        + "Regions and cities have names in \(tags.sorted().joined(separator: ", ")).")
  }
}
