import Foundation
import Geodesy

/// Numbers with a point as people read them, in English and the same on every machine.
package enum DecimalText {
  /// A number with `digits` digits after the point, and commas between thousands.
  package static func decimal(_ value: Double, _ digits: Int) -> String {
    let text = String(format: "%.\(digits)f", value)
    let parts = text.split(separator: ".", maxSplits: 1)
    let whole = Int(parts[0]).map {
      $0 == 0 && value < 0 && Double(text) != 0 ? "-0" : GroupedNumber.text($0)
    }
    guard let whole else { return text }
    return parts.count == 2 ? "\(whole).\(parts[1])" : whole
  }

  /// A positive number with two significant digits, and at most one after the point from 10 on:
  /// 0.0021, 3.4, 12.3.
  package static func significant(_ value: Double) -> String {
    guard value.isFinite, value > 0 else { return decimal(value, 0) }
    func digits(_ value: Double) -> Int {
      value >= 10 ? 1 : min(20, max(1, 1 - Int(log10(value).rounded(.down))))
    }
    let rounded = Double(String(format: "%.\(digits(value))f", value)) ?? value
    return decimal(value, rounded > 0 ? min(digits(value), digits(rounded)) : digits(value))
  }

  /// A percentage without its sign: two significant digits, and never 100 for less than that.
  /// Pages write the same in `Words.percent`.
  package static func percentage(_ value: Double) -> String {
    if value == 0 || value == 100 { return decimal(value, 0) }
    return significant(value < 100 ? min(value, 99.9) : value)
  }
}
