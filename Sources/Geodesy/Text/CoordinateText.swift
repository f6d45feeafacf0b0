extension Coordinate {
  /// The position that a text names, in any of the forms in which people paste one:
  ///
  /// - decimal degrees: `48.8584 2.2945`, `48.8584, 2.2945`, `-33.9;18.4`; with a decimal comma
  ///   where two numbers can be separated: `48,8584 2,2945`;
  /// - with letters, in any order: `48.8584N 2.2945E`, `E2.2945 N48.8584`, `lat 48.8 lon 2.3`;
  /// - degrees and minutes, or minutes and seconds: `48°51'30.2"N 2°17'40"E`, `48 51.5 N 2 17.7 E`,
  ///   `48d51m30s 2d17m40s`;
  /// - a `geo:` URI: `geo:48.8584,2.2945;u=35`;
  /// - a link of Google Maps, Apple Maps or OpenStreetMap.
  ///
  /// The latitude comes first unless letters say otherwise. A minus may be `-` or `−` (U+2212).
  /// Quotes and brackets around all are ignored. One letter or one degree sign needs a comma or a
  /// semicolon between the numbers: `48.8N, 2.3`.
  ///
  /// ```swift
  /// let tower = try Coordinate(text: "48°51'30.2\"N 2°17'40\"E")
  /// print(tower.latitudeDegrees, tower.longitudeDegrees)  // 48.8583889 2.2944444
  /// ```
  ///
  /// - Throws: ``CoordinateTextError``. A latitude beyond 90° with a longitude that would be one is
  ///   an error that proposes the other order, and never silently swapped. A text that can be read
  ///   in two ways is an error: `48,2 16 E`.
  /// - Complexity: O(length of the text).
  public init(text: String) throws(CoordinateTextError) {
    let text = CoordinateText.withoutQuotes(text)
    if let (first, second) = PlainPosition.degrees(in: Array(text.utf8)[...]) {
      self = try CoordinateText.checked(first, second, text: text)
    } else if text.lowercased().hasPrefix("geo:") {
      self = try MapLink.coordinate(geoURI: text)
    } else if text.contains("://") {
      self = try MapLink.coordinate(link: text)
    } else {
      self = try CoordinateText.coordinate(in: text)
    }
  }
}

/// Puts the tokens of a position together.
enum CoordinateText {
  private static let quotes: [(open: Unicode.Scalar, close: Unicode.Scalar)] = [
    ("\"", "\""), ("'", "'"), ("“", "”"), ("„", "“"), ("«", "»"), ("‘", "’"), ("(", ")"),
    ("[", "]"), ("`", "`"), ("<", ">"),
  ]

  /// The text without blanks, and without quotes or brackets around all of it.
  ///
  /// Moves two indices, because `Substring.dropLast()` takes time in proportion to the length.
  ///
  /// - Complexity: O(length of the text).
  static func withoutQuotes(_ text: String) -> String {
    let scalars = text.unicodeScalars
    var (start, end) = (scalars.startIndex, scalars.endIndex)
    while start < end {
      let last = scalars.index(before: end)
      if scalars[start].properties.isWhitespace {
        start = scalars.index(after: start)
      } else if scalars[last].properties.isWhitespace {
        end = last
      } else if start < last,
        quotes.contains(where: { $0.open == scalars[start] && $0.close == scalars[last] })
      {
        (start, end) = (scalars.index(after: start), last)
      } else {
        break
      }
    }
    return String(scalars[start..<end])
  }

  /// The position in a text that is neither plain nor a link.
  ///
  /// A comma may be a separator or a decimal mark, and an `e` between digits may be a letter or an
  /// exponent. All combinations are tried; different results are an error.
  ///
  /// - Throws: ``CoordinateTextError``.
  static func coordinate(in text: String) throws(CoordinateTextError) -> Coordinate {
    var failure = CoordinateTextError.unreadable(text)
    var found: [Coordinate] = []
    var isSure = false
    var isOneAngle = false
    for hasDecimalComma in [false, true] {
      if let tokens = CoordinateTokens.read(text, decimalComma: hasDecimalComma) {
        if isAngle(tokens) { isOneAngle = true }
        do throws(CoordinateTextError) {
          if let reading = try position(of: tokens, text: text) {
            found.append(reading.coordinate)
            if reading.isSure { isSure = true }
          }
        } catch {
          if case .unreadable = failure { failure = error }
        }
      }
      // Only plain positions have exponents. Here, one only shows that a letter is ambiguous.
      if let tokens = CoordinateTokens.read(
        text, decimalComma: hasDecimalComma, hasExponents: true),
        let reading = try? position(of: tokens, text: text)
      {
        found.append(reading.coordinate)
      }
    }
    guard let first = found.first else {
      // `48,5676 N` is a latitude alone rather than one of 5676 degrees.
      if isOneAngle { throw .unreadable(text) }
      throw failure
    }
    guard !isOneAngle, found.allSatisfy({ $0 == first }) else { throw .ambiguous(text) }
    guard isSure else { throw .unreadable(text) }
    return first
  }

  /// A position of these degrees. With letters, nobody took one for the other.
  static func checked(
    _ latitude: Double, _ longitude: Double, text: String, hasLetters: Bool = false
  ) throws(CoordinateTextError) -> Coordinate {
    guard abs(latitude) <= 90 else {
      guard !hasLetters, abs(latitude) <= 180, abs(longitude) <= 90 else {
        throw .latitudeOutOfRange(degrees: latitude)
      }
      let proposal =
        "\(CoordinateTextError.text(longitude)), \(CoordinateTextError.text(latitude))"
      throw .swapped(proposal: proposal, text: text)
    }
    guard abs(longitude) <= 180 else { throw .longitudeOutOfRange(degrees: longitude) }
    guard
      let coordinate = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else { throw .unreadable(text) }
    return coordinate
  }

  /// The position of some tokens, and whether it is certain that they mean it; nil where they are
  /// not two angles.
  private static func position(
    of tokens: [CoordinateToken], text: String
  ) throws(CoordinateTextError) -> (coordinate: Coordinate, isSure: Bool)? {
    guard let split = split(tokens) else { return nil }
    guard let first = try CoordinateAngle(tokens[..<split]),
      let second = try CoordinateAngle(tokens[split...])
    else { return nil }
    guard !isAmbiguous(first, second) else { return nil }
    let degrees: (latitude: Double, longitude: Double)
    switch (first.axis, second.axis) {
    case (nil, nil), (.latitude, .longitude), (.latitude, nil), (nil, .longitude):
      degrees = (first.degrees, second.degrees)
    case (.longitude, .latitude), (.longitude, nil), (nil, .latitude):
      degrees = (second.degrees, first.degrees)
    default: return nil
    }
    let hasLetters = first.axis != nil || second.axis != nil
    let isSeparated =
      tokens[..<split].last?.isSeparator == true || tokens[split...].first?.isSeparator == true
    guard haveLikeParts(first, second), isSeparated || areDistinct(first, second) else {
      guard
        let coordinate = try? checked(
          degrees.latitude, degrees.longitude, text: text, hasLetters: hasLetters)
      else { return nil }
      return (coordinate, false)
    }
    let coordinate = try checked(
      degrees.latitude, degrees.longitude, text: text, hasLetters: hasLetters)
    return (coordinate, true)
  }

  /// Whether the tokens are a single angle, known by a letter or a mark: `48°51`, `48 51 N`.
  private static func isAngle(_ tokens: [CoordinateToken]) -> Bool {
    guard let angle = try? CoordinateAngle(tokens[...]) else { return false }
    return angle.axis != nil || angle.isMarked
  }

  /// Whether two angles go together. Without two letters, `48 51, 2` and `48, 2 16 E` are more
  /// likely a mistake than an angle in degrees and one in minutes.
  private static func haveLikeParts(_ first: CoordinateAngle, _ second: CoordinateAngle) -> Bool {
    if first.count == second.count { return true }
    if first.axis != nil, second.axis != nil { return true }
    return first.isMarked && second.isMarked && first.count > 1 && second.count > 1
  }

  /// Whether two angles are clearly two without a separator. With one letter or one degree sign,
  /// the second number may be minutes: `N48 51`.
  private static func areDistinct(_ first: CoordinateAngle, _ second: CoordinateAngle) -> Bool {
    (first.axis == nil) == (second.axis == nil)
      && (first.axis != nil || first.isMarked == second.isMarked)
  }

  /// Whether `S` may have been meant for south: `33d54m30s 18d25m26E`.
  private static func isAmbiguous(_ first: CoordinateAngle, _ second: CoordinateAngle) -> Bool {
    (first.endsInLetterS && first.axis == nil && second.axis != nil)
      || (second.endsInLetterS && second.axis == nil && first.axis != nil)
  }

  /// Where the second angle begins: at a semicolon, a letter, a comma, the second degree sign, or
  /// between two numbers.
  private static func split(_ tokens: [CoordinateToken]) -> Int? {
    func places(_ isMatch: (CoordinateToken) -> Bool) -> [Int] {
      tokens.indices.filter { isMatch(tokens[$0]) }
    }
    let semicolons = places { $0 == .semicolon }
    if semicolons.count == 1 { return semicolons[0] }
    let letters = places { if case .axis = $0 { true } else { false } }
    if letters.count == 2 { return letters[0] == 0 ? letters[1] : letters[0] + 1 }
    let commas = places { $0 == .comma }
    // A letter in the middle may belong to either number, unless a comma decides.
    if letters.count == 1, letters[0] > 0, letters[0] < tokens.count - 1, commas.count != 1 {
      return nil
    }
    if commas.count == 1 { return commas[0] }
    let degrees = places { $0 == .degrees }
    if degrees.count == 2 {
      // Before the number and its sign.
      var start = degrees[1] - 1
      while start > 0, tokens[start - 1].isSign { start -= 1 }
      return start
    }
    let numbers = places { if case .number = $0 { true } else { false } }
    guard numbers.count == 2 else { return nil }
    var start = numbers[1]
    while start > numbers[0] + 1, tokens[start - 1].isSign { start -= 1 }
    return start
  }
}
