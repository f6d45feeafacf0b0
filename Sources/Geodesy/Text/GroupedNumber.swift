/// Whole numbers as people read them, in English and the same on every machine.
package enum GroupedNumber {
  /// The number with a comma before each three digits: `1,234,567`.
  package static func text(_ value: Int) -> String {
    var digits = Array(String(value.magnitude))
    var index = digits.count - 3
    while index > 0 {
      digits.insert(",", at: index)
      index -= 3
    }
    return (value < 0 ? "-" : "") + String(digits)
  }

  /// A count with its noun: `1 file`, `1,202 files`.
  package static func text(_ value: Int, _ singular: String) -> String {
    "\(text(value)) \(singular)\(value == 1 ? "" : "s")"
  }
}
