/// The units of lengths in tables.
enum CSVLength {
  /// Meters of a unit behind a value, in lower case; nil if it is not a length.
  static func meters(ofUnit unit: Substring) -> Double? {
    switch unit {
    case "m", "meter", "meters", "metre", "metres", "mtr": 1
    case "ft", "foot", "feet", "pieds", "pies", "fuß": 0.3048
    case "yd", "yard", "yards": 0.9144
    case "km", "kilometer", "kilometers", "kilometre", "kilometres": 1_000
    case "mi", "mile", "miles": 1_609.344
    case "cm", "centimeter", "centimeters", "centimetre", "centimetres": 0.01
    case "mm", "millimeter", "millimeters", "millimetre", "millimetres": 0.001
    default: nil
    }
  }

  /// Meters of the unit in the name of a column in lower case: `accuracy (ft)`, `accuracy_km`; 1 if
  /// it states none, and nil if it states another unit, such as `%`.
  static func metersPerUnit(ofColumn name: String) -> Double? {
    let words = name.split { !$0.isLetter && !"%°".contains($0) }
    if let factor = words.lazy.compactMap({ meters(ofUnit: $0) }).first { return factor }
    // Without a mark between them: `accuracyMm`.
    for word in words {
      guard let range = word.firstRange(of: "accuracy") else { continue }
      if let factor = meters(ofUnit: word[range.upperBound...]) { return factor }
    }
    if words.contains(where: { $0.hasSuffix("feet") }) { return 0.3048 }
    if words.count > 1, words.contains(where: otherUnits.contains) { return nil }
    // What else is in brackets may be a unit if it is short: `accuracy (au)`.
    let bracket = name.drop { $0 != "(" && $0 != "[" }.filter(\.isLetter)
    return (1...3).contains(bracket.count) ? nil : 1
  }

  private static let otherUnits: Set<Substring> = [
    "%", "°", "percent", "pct", "deg", "degree", "degrees", "s", "ms", "sec", "seconds", "score",
    "level", "class",
  ]
}
