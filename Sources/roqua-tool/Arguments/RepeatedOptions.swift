/// Options that would silently replace each other if they were given twice.
enum RepeatedOptions {
  /// Options that name one thing each.
  private static let single: Set<String> = [
    "--store", "--country", "--region", "--city", "--from", "--to", "--top", "--time-zone",
    "--language",
    "--radius", "--limit", "--nearest", "--polygon", "--name", "--export", "--import", "--include",
    "--after", "--frontier", "--explored-circles", "--grid-hashes", "--exploration-radius",
    "--clustering-radius", "--visit-gap", "--offset", "--write", "--max-uncertainty", "--tiles",
    "--window", "--interval", "--baud", "--csv", "--lat-column", "--lon-column",
  ]

  /// The error line for the first option that is given twice; nil if there is none.
  static func line(_ arguments: [String]) -> String? {
    var seen: Set<String> = []
    for argument in arguments {
      if argument == "--" { return nil }
      let name = String(argument.prefix { $0 != "=" })
      guard single.contains(name) || name == "--by" && arguments.first == "places",
        !seen.insert(name).inserted
      else { continue }
      return "Error: \(name) can be given only once."
    }
    return nil
  }
}
