import Geodesy

/// Lets the edges of `--bbox` be arguments of their own, also before a file:
/// `export --bbox 41 28 42 29 e.gpx`. An option that takes all values up to the next option would
/// take the file, too.
enum BoxArgument {
  private static let option = "--bbox"

  /// The arguments, with the numbers behind each `--bbox` joined by commas.
  static func joined(_ arguments: [String]) -> [String] {
    var (joined, rest) = ([String](), arguments[...])
    while var argument = rest.popFirst() {
      let first = String(argument.dropFirst(option.count + 1))
      if argument.hasPrefix(option + "="), numbers(first) != nil {
        rest = [first] + rest
        argument = option
      }
      joined.append(argument)
      if argument == "--" { return joined + rest }
      guard argument == option else { continue }
      var edges: [Substring] = []
      while edges.count < 4, let next = rest.first, let numbers = numbers(next),
        edges.count + numbers.count <= 4
      {
        edges += numbers
        rest = rest.dropFirst()
      }
      if !edges.isEmpty { joined.append(edges.joined(separator: ",")) }
    }
    return joined
  }

  /// The numbers of a list; nil if the argument is no list of numbers.
  private static func numbers(_ argument: String) -> [Substring]? {
    let parts = argument.split { $0 == "," || $0 == " " }
    let isList = !parts.isEmpty && parts.allSatisfy { DecimalNumber.value(of: String($0)) != nil }
    return isList ? parts : nil
  }
}
