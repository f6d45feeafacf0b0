/// Lets coordinates be negative: `roqua near -33.9 18.4`.
///
/// The parser takes every argument that begins with `-` for an option. A number in front of which stands a space is a
/// value to it, and to ``Degrees`` the same number.
enum NegativeNumbers {
  /// The arguments with a space before each negative number, up to `--`, after which nothing is an option.
  static func protected(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.count
    return arguments[..<end].map { isNegativeNumber($0) ? " " + $0 : $0 } + arguments[end...]
  }

  /// A minus, then a digit or a point and a digit: no option of the tool looks like that.
  private static func isNegativeNumber(_ argument: String) -> Bool {
    let rest = argument.utf8.dropFirst()
    guard argument.utf8.first == UInt8(ascii: "-"), let first = rest.first else { return false }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    if digits.contains(first) { return true }
    return first == UInt8(ascii: ".") && rest.dropFirst().first.map(digits.contains) == true
  }
}
