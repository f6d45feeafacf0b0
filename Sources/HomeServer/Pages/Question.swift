import PhoneProtocols

/// A question about the store: a command of the tool with some of its options, whose answer is the
/// document that the command prints with `--json`.
package struct Question: Hashable, Sendable {
  /// The command with its options.
  package let arguments: [String]

  /// Options of a command that a request may set, and those that are flags.
  private struct Form {
    /// Parameters that stand without their name, in order: all or none of them.
    var positions: [String] = []
    /// Whether the positions can be left out.
    var positionsAreOptional = false
    var options: Set<String> = []
    var repeated: Set<String> = []
    var flags: Set<String> = []

    func allows(_ field: String) -> Bool {
      positions.contains(field) || options.contains(field) || repeated.contains(field)
        || flags.contains(field)
    }
  }

  private static let place: Set<String> = ["country", "region", "city", "from", "to", "language"]
  private static let selection = place.union(["top", "time-zone"])

  /// The questions by the name of their route. Options that read or write files are not among them,
  /// and neither are privacy zones: their centers are what nobody is to see.
  private static let forms: [String: Form] = [
    "stats": Form(options: selection, repeated: ["by"]),
    "coverage": Form(
      options: selection.union(["frontier", "frontier-near", "bbox", "tiles", "near", "limit"]),
      repeated: ["by"], flags: ["grow"]),
    "places": Form(options: selection.union(["by"]), flags: ["all"]),
    "days": Form(
      options: ["by", "top", "country", "from", "to", "window", "home", "language"],
      flags: ["list", "presumed", "new-cells"]),
    "where": Form(positions: ["lat", "lon"], options: ["language"]),
    "near": Form(
      positions: ["lat", "lon"], options: ["radius", "limit", "nearest", "language"]),
    "within": Form(
      positions: ["south", "west", "north", "east"], positionsAreOptional: true,
      options: place.union(["limit", "after"]), flags: ["count"]),
    "achievements": Form(options: ["category", "nearest", "language"], flags: ["changed"]),
    "at": Form(positions: ["time"], options: ["time-zone", "language"]),
    "sources": Form(flags: ["overlaps"]),
    "settings": Form(),
  ]

  /// The names of all questions.
  package static var names: [String] { forms.keys.sorted() }

  /// Why a request is not a question.
  package enum Failure: Error, Hashable {
    /// There is no such question.
    case unknown
    /// A parameter is missing, unknown or too long. The text is a sentence.
    case parameter(String)
  }

  /// Creates a question.
  ///
  /// - Throws: ``Failure``.
  package init(_ name: String, _ query: FormFields) throws(Failure) {
    guard let form = Self.forms[name] else { throw .unknown }
    var arguments = [name, "--json"]
    var positions: [String: String] = [:]
    var seen: Set<String> = []
    for (field, bytes) in query.list where field != "token" {
      guard form.allows(field) else {
        throw .parameter("\(name) has no parameter \(Self.safe(field)).")
      }
      let value = String(decoding: bytes, as: UTF8.self)
      guard bytes.count <= 200, !bytes.contains(where: { $0 < 0x20 }) else {
        throw .parameter("The value of \(Self.safe(field)) is too long or has control characters.")
      }
      if !form.repeated.contains(field), !seen.insert(field).inserted {
        throw .parameter("\(Self.safe(field)) can be given only once.")
      }
      if form.positions.contains(field) {
        positions[field] = value
      } else if form.options.contains(field) || form.repeated.contains(field) {
        // Joined, so that no value can be read as an option.
        arguments.append("--\(field)=\(value)")
      } else if value != "0", value != "false" {
        arguments.append("--\(field)")
      }
    }
    if !form.positions.isEmpty, !(form.positionsAreOptional && positions.isEmpty) {
      arguments.append("--")
      for position in form.positions {
        guard let value = positions[position] else {
          throw .parameter("\(name) needs the parameter \(position).")
        }
        arguments.append(value)
      }
    }
    self.arguments = arguments
  }

  private static func safe(_ name: String) -> String {
    "\"" + name.prefix(40).filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") } + "\""
  }
}
