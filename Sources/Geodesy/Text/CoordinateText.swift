extension Coordinate {
  /// The position that a text names, in any of the forms in which people paste one:
  ///
  /// - decimal degrees: `48.8584 2.2945`, `48.8584, 2.2945`, `-33.9;18.4`; with a decimal comma
  ///   where two numbers can be told apart: `48,8584 2,2945`;
  /// - with letters, in any order: `48.8584N 2.2945E`, `E2.2945 N48.8584`, `lat 48.8 lon 2.3`;
  /// - degrees and minutes, or minutes and seconds: `48°51'30.2"N 2°17'40"E`, `48 51.5 N 2 17.7 E`,
  ///   `48d51m30s 2d17m40s`;
  /// - a `geo:` URI: `geo:48.8584,2.2945;u=35`;
  /// - a link of Google Maps, Apple Maps or OpenStreetMap.
  ///
  /// The latitude comes first unless letters say otherwise. A minus may be `-` or `−` (U+2212).
  /// Quotes and brackets around all are ignored.
  ///
  /// ```swift
  /// let tower = try Coordinate(text: "48°51'30.2\"N 2°17'40\"E")
  /// print(tower.latitudeDegrees, tower.longitudeDegrees)  // 48.8583889 2.2944444
  /// ```
  ///
  /// - Throws: ``CoordinateTextError``. A latitude beyond 90° with a longitude that would be one is
  ///   an error that proposes the other order, and never silently swapped.
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
      // A comma separates, unless only a decimal one makes sense.
      var failure = CoordinateTextError.unreadable(text)
      for hasDecimalComma in [false, true] {
        guard let tokens = CoordinateTokens.read(text, decimalComma: hasDecimalComma) else {
          continue
        }
        do throws(CoordinateTextError) {
          guard let pair = try CoordinateText.pair(tokens) else { continue }
          self = try CoordinateText.checked(
            pair.latitude, pair.longitude, text: text, hasLetters: pair.hasLetters)
          return
        } catch {
          if case .unreadable = failure { failure = error }
        }
      }
      throw failure
    }
  }
}

/// Puts the tokens of a position together.
enum CoordinateText {
  /// The text without blanks, and without quotes or brackets around all of it.
  static func withoutQuotes(_ text: String) -> String {
    var rest = text[...]
    while true {
      while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
      while rest.last?.isWhitespace == true { rest = rest.dropLast() }
      let pairs: [(Character, Character)] = [
        ("\"", "\""), ("'", "'"), ("“", "”"), ("„", "“"), ("«", "»"), ("‘", "’"), ("(", ")"),
        ("[", "]"), ("`", "`"), ("<", ">"),
      ]
      guard rest.count > 1, pairs.contains(where: { rest.first == $0 && rest.last == $1 }) else {
        return String(rest)
      }
      rest = rest.dropFirst().dropLast()
    }
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

  /// Latitude and longitude of some tokens; nil where they are not two angles.
  static func pair(
    _ tokens: [CoordinateToken]
  ) throws(CoordinateTextError) -> (latitude: Double, longitude: Double, hasLetters: Bool)? {
    guard let split = split(tokens) else { return nil }
    guard let first = try CoordinateAngle(tokens[..<split]),
      let second = try CoordinateAngle(tokens[split...])
    else { return nil }
    // Without marks or letters, `48 51, 2` is more likely a mistake than an angle and a half.
    let isPlain = first.axis == nil && second.axis == nil && !first.isMarked && !second.isMarked
    guard !isPlain || first.count == second.count else { return nil }
    guard !isAmbiguous(first, second) else { return nil }
    switch (first.axis, second.axis) {
    case (nil, nil): return (first.degrees, second.degrees, false)
    case (.latitude, .longitude), (.latitude, nil), (nil, .longitude):
      return (first.degrees, second.degrees, true)
    case (.longitude, .latitude), (.longitude, nil), (nil, .latitude):
      return (second.degrees, first.degrees, true)
    default: return nil
    }
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
    // A letter in the middle may belong to either number, unless a comma says to which.
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
