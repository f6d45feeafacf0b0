import ArgumentParser
import Foundation
import GeoStore
import Geocode
import Roqua

/// What the Tab key offers for values that only the data or the store know.
///
/// Shells run the tool for these while somebody types. A completion never makes a store, and offers
/// nothing where anything fails.
enum Completions {
  /// Codes of countries, with their English names in zsh. fish wants a tab before a description,
  /// which ``Console`` lets no line contain.
  static let countries = CompletionKind.custom { _, _, _ in
    guard let geocoder = try? Geocoder.bundled else { return [] }
    let letters = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { Character(UnicodeScalar($0)) }
    return letters.flatMap { first in
      letters.compactMap { second in
        CountryIndex(code: String([first, second])).flatMap { country in
          geocoder.name(of: country).flatMap { line(for: country.code, description: $0) }
        }
      }
    }
  }

  /// Paths of the store's sources, and their numbers where digits were typed.
  static let sources = CompletionKind.custom { words, _, prefix in
    guard let arguments = try? storeArguments(in: words),
      let sources = try? arguments.open(creating: false).sources()
    else { return [] }
    let typed = unquoted(prefix)
    let isNumber = !typed.isEmpty && typed.allSatisfy(\.isNumber)
    let numbers =
      isNumber
      ? sources.filter { "\($0.id)".hasPrefix(typed) }
        .compactMap { line(for: "\($0.id)", description: $0.path) } : []
    let paths = sources.lazy.filter { $0.path.hasPrefix(typed) }.prefix(mostPaths)
    return numbers + paths.compactMap { line(for: $0.path) }
  }

  /// Names of the store's privacy zones, and the numbers of those without a name.
  static let zones = CompletionKind.custom { words, _, _ in
    guard let arguments = try? storeArguments(in: words),
      let zones = try? arguments.open(creating: false).privacyZones()
    else { return [] }
    return zones.compactMap { line(for: $0.name ?? "\($0.id)") }
  }

  /// Names of the profiles.
  static let profiles = CompletionKind.custom { _, _, _ in
    let registry = try? SelectedProfile.folder.registry()
    return registry?.profiles.compactMap { line(for: $0.name) } ?? []
  }

  /// Names of the erased profiles that can be recovered.
  static let erasedProfiles = CompletionKind.custom { _, _, _ in
    let registry = try? SelectedProfile.folder.registry()
    return registry?.erased.compactMap { line(for: $0.profile.name) } ?? []
  }

  /// Paths offered at once: more than anybody reads.
  private static let mostPaths = 1_000

  /// A candidate as the asking shell reads it, in zsh with a description; nil for one with control
  /// characters, which no shell can be given on a line of its own.
  ///
  /// bash expands its candidates (`compgen -W`): a path with `$(…)` in it, from an archive of a
  /// stranger, would be run. In single quotes it is not.
  private static func line(for candidate: String, description: String? = nil) -> String? {
    func isPlain(_ text: String) -> Bool {
      text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }
    guard isPlain(candidate) else { return nil }
    let description = description.flatMap { isPlain($0) ? $0 : nil }
    switch CompletionShell.requesting {
    case .bash?: return "'" + replacing("'", by: #"'\''"#, in: candidate) + "'"
    case .zsh?:
      let escaped = replacing(":", by: #"\:"#, in: replacing(#"\"#, by: #"\\"#, in: candidate))
      return description.map { "\(escaped):\($0)" } ?? escaped
    default: return candidate
    }
  }

  private static func replacing(
    _ character: Character, by replacement: String, in text: String
  ) -> String {
    text.reduce(into: "") { $0 += $1 == character ? replacement : String($1) }
  }

  /// The store that is named on the command line so far.
  private static func storeArguments(in words: [String]) throws -> StoreArguments {
    var path: String?
    for (index, word) in words.enumerated() {
      if word == "--store", index + 1 < words.count { path = unquoted(words[index + 1]) }
      // bash takes `=` for a word of its own.
      if path == "=", index + 2 < words.count { path = unquoted(words[index + 2]) }
      if word.hasPrefix("--store=") { path = unquoted(String(word.dropFirst("--store=".count))) }
    }
    return try StoreArguments.parse(path.map { ["--store=\($0)"] } ?? [])
  }

  /// A word without its quotes and backslashes, and with the home folder in place of `~`.
  private static func unquoted(_ word: String) -> String {
    var (text, quote, isEscaped) = ("", Character?.none, false)
    for character in word {
      if isEscaped {
        text.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else {
        text.append(character)
      }
    }
    guard word.hasPrefix("~/"), let home = ProcessInfo.processInfo.environment["HOME"] else {
      return text
    }
    return home + text.dropFirst()
  }
}
