/// A value in a row, or of a parameter.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// Creates the value of a parameter that a person typed: a number if it is written as one, else a
  /// text.
  package init(typed text: String) {
    let isNumber = text.utf8.allSatisfy { Set("+-.0123456789eE".utf8).contains($0) }
    if let integer = Int64(text) {
      self = .integer(integer)
    } else if isNumber, let real = Double(text), real.isFinite {
      self = .real(real)
    } else {
      self = .text(text)
    }
  }
}
