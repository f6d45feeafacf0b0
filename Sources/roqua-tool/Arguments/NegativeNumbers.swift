/// Lets coordinates be negative: `roqua near -33.9 18.4`.
///
/// The parser takes every argument that begins with `-` for an option. With a space before it, a
/// negative number is a value to the parser, and the same number to ``Degrees``. A name such as
/// `-5.gpx` is restored by ``original(_:)``.
enum NegativeNumbers {
  /// The arguments, with one more space before each negative number.
  static func protected(_ arguments: [String]) -> [String] {
    arguments.map { isNegativeNumber($0.utf8.drop { $0 == space }) ? " " + $0 : $0 }
  }

  /// The argument as it was typed.
  static func original(_ argument: String) -> String {
    guard argument.utf8.first == space, isNegativeNumber(argument.utf8.drop { $0 == space }) else {
      return argument
    }
    return String(argument.dropFirst())
  }

  /// A message in which arguments that it quotes stand as they were typed.
  static func quotedAsTyped(_ message: String) -> String {
    message.split(separator: "' -", omittingEmptySubsequences: false).enumerated().reduce(into: "")
    {
      text, part in
      guard part.offset > 0 else { return text += part.element }
      let isNumber = isNegativeNumber("-\(part.element)"[...].utf8)
      text += (isNumber ? "'-" : "' -") + part.element
    }
  }

  private static let space = UInt8(ascii: " ")

  /// A minus, then a digit or a point and a digit: no option of the tool looks like that.
  private static func isNegativeNumber(_ text: Substring.UTF8View) -> Bool {
    let rest = text.dropFirst()
    guard text.first == UInt8(ascii: "-"), let first = rest.first else { return false }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    if digits.contains(first) { return true }
    return first == UInt8(ascii: ".") && rest.dropFirst().first.map(digits.contains) == true
  }
}
