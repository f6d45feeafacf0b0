/// Options that would silently replace each other if they were given twice.
enum RepeatedOptions {
  /// Options that name one thing each.
  private static let single: Set<String> = [
    "--store", "--country", "--region", "--city", "--from", "--to", "--top", "--time-zone",
    "--language",
    "--radius", "--limit", "--nearest", "--polygon", "--name", "--export", "--import", "--include",
    "--after", "--frontier", "--explored-circles", "--grid-hashes", "--exploration-radius",
    "--clustering-radius", "--visit-gap", "--offset", "--write", "--max-uncertainty", "--tiles",
    "--window", "--csv", "--listen", "--lat-column", "--lon-column", "--category", "--interval",
    "--baud", "--fingerprint", "--every", "--keep", "--note", "--if-older-than", "--date",
    "--remove", "--folder", "--passphrase-file", "--person",
  ]

  /// Whether a command has one breakdown.
  private static func isOne(_ command: String?) -> Bool {
    command == "places" || command == "days"
  }

  /// The error line for the first option that is given twice; nil if there is none.
  static func line(_ arguments: [String]) -> String? {
    var seen: Set<String> = []
    for argument in arguments {
      if argument == "--" { return nil }
      let name = String(argument.prefix { $0 != "=" })
      guard single.contains(name) || name == "--by" && isOne(arguments.first),
        !seen.insert(name).inserted
      else { continue }
      return "Error: \(name) can be given only once."
    }
    return nil
  }
}
