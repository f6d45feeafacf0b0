import Roqua

/// The note that several places have the name that was asked for.
enum NamesakeNote {
  /// Prints the note to standard error if a query finds cities or regions of one name in several
  /// countries, or cities of one name in several regions of a country.
  static func print(_ place: NamedPlace?) {
    guard let place else { return }
    let (places, option) =
      place.namesakes.isEmpty
      ? (place.namesakeRegions, "--region") : (place.namesakes, "--country")
    guard !places.isEmpty else { return }
    Console.printError(
      "roqua: note: \(place.label) is in \(places.joined(separator: ", ")); \(option) selects one")
  }
}
