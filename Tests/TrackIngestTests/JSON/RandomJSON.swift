import TestSupport

/// A JSON value, and text of it in a random layout: the oracle of the scanner.
indirect enum RandomJSON {
  case object([(name: String, value: RandomJSON)])
  case array([RandomJSON])
  case string(String)
  case word(String)

  /// What a builder that wants everything except members named `skip…` sees of it.
  var trace: [String] {
    switch self {
    case .object(let members):
      ["{"]
        + members.flatMap { name, value in
          ["name \(name)"] + (name.hasPrefix("skip") ? [] : value.trace)
        } + ["}"]
    case .array(let elements): ["["] + elements.flatMap(\.trace) + ["]"]
    case .string(let text): ["string \(text)"]
    case .word(let text): ["word \(text)"]
    }
  }

  static func random(depth: Int, _ random: inout SplitMix64) -> RandomJSON {
    switch Int.random(in: 0...(depth > 5 ? 1 : 4), using: &random) {
    case 0:
      return .word(
        ["null", "true", "-12.5e3", "0", "NaN", "481000000"].randomElement(using: &random) ?? "0")
    case 1: return .string(string(&random))
    case 2:
      return .array(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
          .random(depth: depth + 1, &random)
        })
    default:
      return .object(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
          let isSkipped = Int.random(in: 0...2, using: &random) == 0
          return (
            isSkipped ? "skip" + string(&random) : "n" + string(&random),
            .random(depth: depth + 1, &random)
          )
        })
    }
  }

  private static func string(_ random: inout SplitMix64) -> String {
    let parts = [
      "a", "timestamp", "\"", "\\", "\n", "°", "é", "{", "]", "/", "long enough for several words",
      "\u{1}", ",", ":",
    ]
    return (0..<Int.random(in: 0...4, using: &random)).map { _ in
      parts.randomElement(using: &random) ?? ""
    }.joined()
  }

  /// The text, with random blanks and escapes.
  func text(_ random: inout SplitMix64) -> String {
    func blank(_ random: inout SplitMix64) -> String {
      ["", "", " ", "\n", "\t \r\n", "                "].randomElement(using: &random) ?? ""
    }
    switch self {
    case .object(let members):
      let parts = members.map { name, value in
        blank(&random) + Self.quoted(name, &random) + blank(&random) + ":" + blank(&random)
          + value.text(&random) + blank(&random)
      }
      return "{" + blank(&random) + parts.joined(separator: ",") + "}"
    case .array(let elements):
      let parts = elements.map { blank(&random) + $0.text(&random) + blank(&random) }
      return "[" + blank(&random) + parts.joined(separator: ",") + "]"
    case .string(let text): return Self.quoted(text, &random)
    case .word(let text): return text
    }
  }

  private static func quoted(_ text: String, _ random: inout SplitMix64) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      let isPlain = scalar != "\"" && scalar != "\\" && scalar.value >= 0x20
      if isPlain, Int.random(in: 0...9, using: &random) > 0 {
        quoted.unicodeScalars.append(scalar)
      } else if scalar == "\n", Bool.random(using: &random) {
        quoted += "\\n"
      } else if scalar == "\"" || scalar == "\\" || scalar == "/" {
        quoted += "\\" + String(scalar)
      } else {
        let digits = String(scalar.value, radix: 16, uppercase: Bool.random(using: &random))
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return quoted + "\""
  }
}
