/// A part of the text of a position.
enum CoordinateToken: Equatable {
  case number(Double, isWhole: Bool)
  case plus, minus
  case degrees, minutes, seconds
  /// `m` and `s` for minutes and seconds.
  case letterMinutes(isCapital: Bool), letterSeconds
  case axis(CoordinateAxis, isNegative: Bool, isLabel: Bool)
  case comma, semicolon

  /// Whether it stands before the number of an angle.
  var isSign: Bool { self == .plus || self == .minus }

  /// Whether it separates two angles.
  var isSeparator: Bool { self == .comma || self == .semicolon }
}

/// What a letter says of a number.
enum CoordinateAxis { case latitude, longitude }

/// Reads the tokens of a position.
enum CoordinateTokens {
  /// Tokens of a position at most: one in degrees, minutes and seconds has 18.
  private static let capacity = 32

  /// The tokens, or nil where there is anything else in the text.
  ///
  /// - Parameters:
  ///   - decimalComma: whether a comma between digits is a decimal one.
  ///   - hasExponents: whether an `e` between digits begins an exponent.
  static func read(
    _ text: String, decimalComma: Bool, hasExponents: Bool = false
  ) -> [CoordinateToken]? {
    let scalars = Array(text.unicodeScalars)
    var tokens: [CoordinateToken] = []
    var at = 0
    while at < scalars.count {
      guard tokens.count < capacity else { return nil }
      let scalar = scalars[at]
      if isDigit(scalar) || (scalar == "." && at + 1 < scalars.count && isDigit(scalars[at + 1])) {
        guard
          let number = number(
            scalars, &at, decimalComma: decimalComma, hasExponent: hasExponents)
        else { return nil }
        tokens.append(number)
      } else if isLetter(scalar) {
        guard let token = word(scalars, &at, after: tokens) else { return nil }
        tokens.append(token)
      } else {
        at += 1
        switch scalar {
        case "+": tokens.append(.plus)
        case "-", "\u{2212}", "\u{2010}", "\u{2011}", "\u{2013}":
          // A dash between blanks is a separator rather than a minus.
          guard !isBlank(scalars, at - 2) || !isBlank(scalars, at) else { return nil }
          tokens.append(.minus)
        case "°", "º", "˚", "\u{2070}": tokens.append(.degrees)
        case "'", "′", "’", "‘", "ʹ", "´":
          // Two of them mark seconds.
          if tokens.last == .minutes, isMark(scalars[at - 2]) {
            tokens[tokens.count - 1] = .seconds
          } else {
            tokens.append(.minutes)
          }
        case "\"", "″", "”", "“", "ʺ", "˝": tokens.append(.seconds)
        case ",": tokens.append(.comma)
        case ";": tokens.append(.semicolon)
        case ":", "=":
          guard case .axis(_, _, isLabel: true) = tokens.last else { return nil }
        default:
          guard scalar.properties.isWhitespace else { return nil }
        }
      }
    }
    return tokens
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// Whether there is a blank at a place, which may be outside of the text.
  private static func isBlank(_ scalars: [Unicode.Scalar], _ at: Int) -> Bool {
    scalars.indices.contains(at) && scalars[at].properties.isWhitespace
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    ["'", "′", "’", "‘", "ʹ", "´"].contains(scalar)
  }

  private static func number(
    _ scalars: [Unicode.Scalar], _ at: inout Int, decimalComma: Bool, hasExponent: Bool
  ) -> CoordinateToken? {
    let point: Unicode.Scalar = decimalComma ? "," : "."
    var digits = ""
    var hasPoint = false
    while at < scalars.count {
      let scalar = scalars[at]
      if isDigit(scalar) {
        digits.unicodeScalars.append(scalar)
      } else if scalar == point, at + 1 < scalars.count, isDigit(scalars[at + 1]) {
        // A second decimal point: not a number.
        guard !hasPoint else { return nil }
        hasPoint = true
        digits += "."
      } else {
        break
      }
      at += 1
    }
    if hasExponent, at + 1 < scalars.count, scalars[at] == "e" || scalars[at] == "E",
      isDigit(scalars[at + 1])
    {
      digits += "e"
      at += 1
      while at < scalars.count, isDigit(scalars[at]) {
        digits.unicodeScalars.append(scalars[at])
        at += 1
      }
    }
    // `48.` and, with decimal commas, `48.8`.
    if at < scalars.count, scalars[at] == "." { return nil }
    guard let value = Double(digits.hasPrefix(".") ? "0" + digits : digits), value < 1e6 else {
      return nil
    }
    return .number(value, isWhole: !hasPoint)
  }

  private static func word(
    _ scalars: [Unicode.Scalar], _ at: inout Int, after tokens: [CoordinateToken]
  ) -> CoordinateToken? {
    var word = ""
    let start = at
    while at < scalars.count, isLetter(scalars[at]) {
      word.unicodeScalars.append(scalars[at])
      at += 1
    }
    // A mark and a letter: `0sN`, `30mW`.
    if at == start + 2, ["d", "m", "s"].contains(scalars[start].properties.lowercaseMapping) {
      at = start + 1
      word = String(word.prefix(1))
    }
    let isCapital = word.first?.isUppercase == true
    switch word.lowercased() {
    case "n", "north": return .axis(.latitude, isNegative: false, isLabel: false)
    case "e", "east": return .axis(.longitude, isNegative: false, isLabel: false)
    case "w", "west": return .axis(.longitude, isNegative: true, isLabel: false)
    case "south": return .axis(.latitude, isNegative: true, isLabel: false)
    case "s":
      // Seconds if minutes were marked by a letter of the same case, otherwise south.
      if tokens.count >= 2, case .number = tokens[tokens.count - 1],
        tokens[tokens.count - 2] == .letterMinutes(isCapital: isCapital)
      {
        return .letterSeconds
      }
      return .axis(.latitude, isNegative: true, isLabel: false)
    case "lat", "latitude": return .axis(.latitude, isNegative: false, isLabel: true)
    case "lon", "lng", "long", "longitude":
      return .axis(.longitude, isNegative: false, isLabel: true)
    case "d", "deg", "degrees": return .degrees
    case "m": return .letterMinutes(isCapital: isCapital)
    case "min", "minutes": return .minutes
    case "sec", "seconds": return .seconds
    default: return nil
    }
  }
}
