import Geocode

/// Why a name that somebody typed names no place, or more than one.
///
/// ```swift
/// do {
///   print(try await explorer.place(country: "Germny").label)
/// } catch PlaceNameError.unknown(_, let name, let guesses) {
///   print("No country is called \(name).", guesses)  // ["Germany (DE)"]
/// }
/// ```
public enum PlaceNameError: Error, Equatable, Sendable {
  /// Nothing has the name; the names most like it, the best first, at most three.
  case unknown(PlaceLevel, name: String, guesses: [String])
  /// Nothing of the level has the name, and something of another level has it exactly. If that is a
  /// city, also the names most like it: a village may be called like a misspelled country.
  case otherLevel(PlaceLevel, name: String, actual: PlaceLevel, guesses: [String])
  /// The place that was named, a country or a region, has none of the name, and others have one:
  /// the names of these, and the names most like it in the place that was named.
  case elsewhere(PlaceLevel, name: String, place: String, elsewhere: [String], guesses: [String])
  /// Several countries have the name; each as `Name (CODE)`.
  case ambiguous(name: String, candidates: [String])
}

extension PlaceNameError: CustomStringConvertible {
  /// One sentence or two for a person.
  public var description: String { text(advisingOption: false) }

  /// The description.
  ///
  /// - Parameter advisingOption: whether to name the tool's option for a place of another level.
  package func text(advisingOption: Bool) -> String {
    switch self {
    case .otherLevel(let level, let name, let actual, let guesses):
      "No \(level.rawValue) is called \"\(Self.shortened(name))\": it is a \(actual.rawValue)"
        + (advisingOption ? ", so use --\(actual.rawValue)." : ".") + Self.question(guesses)
    case .unknown(let level, let name, let guesses):
      "No \(level.rawValue) \(Self.verb(level, name)) \"\(Self.shortened(name))\"."
        + Self.question(guesses)
    case .elsewhere(let level, let name, let place, let elsewhere, let guesses):
      "No \(level.rawValue) in \(place) \(Self.verb(level, name)) "
        + "\"\(Self.shortened(name))\"; there is one in "
        + "\(Self.list(elsewhere, "and"))." + Self.question(guesses)
    case .ambiguous(let name, let candidates):
      "Several countries are called \"\(Self.shortened(name))\": "
        + "\(Self.list(candidates, "and")). Give the code."
    }
  }

  private static func verb(_ level: PlaceLevel, _ name: String) -> String {
    level == .region && Geocoder.isRegionCode(name) ? "has the code" : "is called"
  }

  /// Enough of a name to know it again.
  private static func shortened(_ name: String) -> String {
    name.count > 60 ? name.prefix(59) + "…" : name
  }

  /// ` Did you mean a or b?`, or nothing.
  private static func question(_ guesses: [String]) -> String {
    guesses.isEmpty ? "" : " Did you mean \(list(guesses, "or"))?"
  }

  /// `a, b or c`; of more than four the first three and how many more.
  static func list(_ names: [String], _ conjunction: String) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    guard names.count > 4 else {
      return names.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
    }
    return names.prefix(3).joined(separator: ", ") + " \(conjunction) \(names.count - 3) more"
  }
}
