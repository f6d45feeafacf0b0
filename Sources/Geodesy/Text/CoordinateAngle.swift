/// An angle in degrees, minutes and seconds, with what a letter says of it.
struct CoordinateAngle {
  /// Degrees, south and west negative.
  let degrees: Double
  /// Which of the two it is, where a letter or a word says so.
  let axis: CoordinateAxis?
  /// Numbers it is made of: 1 to 3.
  let count: Int
  /// Whether marks say which number is which.
  let isMarked: Bool
  /// Whether it ends in an `s` that was taken for seconds.
  let endsInLetterS: Bool

  /// The angle of these tokens, all of which are used; nil where they are none. Separators at the
  /// ends are left out.
  ///
  /// - Throws: ``CoordinateTextError/sixtiethsOutOfRange(_:)``.
  init?(_ tokens: ArraySlice<CoordinateToken>) throws(CoordinateTextError) {
    var rest = tokens
    while rest.first == .comma || rest.first == .semicolon { rest = rest.dropFirst() }
    while rest.last == .comma || rest.last == .semicolon { rest = rest.dropLast() }
    var (axis, isNegative, hasLetter) = (CoordinateAxis?.none, false, false)
    func take(_ token: CoordinateToken?) -> Bool {
      guard case .axis(let found, let negative, let isLabel) = token else { return false }
      (axis, isNegative, hasLetter) = (found, negative, !isLabel)
      return true
    }
    if take(rest.first) {
      rest = rest.dropFirst()
    } else if take(rest.last) {
      rest = rest.dropLast()
    }
    if rest.first == .minus || rest.first == .plus {
      // `-33.9 S` states the hemisphere twice.
      guard !hasLetter else { return nil }
      isNegative = rest.first == .minus
      rest = rest.dropFirst()
    }
    var values: [(value: Double, isWhole: Bool)] = []
    var marked = 0
    var isLetterSeconds = false
    var expectsNumber = true
    for token in rest {
      switch token {
      case .number(let value, let isWhole):
        guard values.count < 3 else { return nil }
        values.append((value, isWhole))
        expectsNumber = false
      case .degrees, .minutes, .seconds, .letterMinutes, .letterSeconds:
        guard !expectsNumber, values.count == Self.place(of: token) else { return nil }
        marked += 1
        isLetterSeconds = token == .letterSeconds
        expectsNumber = true
      default: return nil
      }
    }
    guard !values.isEmpty, values.dropLast().allSatisfy(\.isWhole) else { return nil }
    for part in values.dropFirst() where part.value >= 60 {
      throw .sixtiethsOutOfRange(part.value)
    }
    let sum = values.reversed().reduce(0.0) { $0 / 60 + $1.value }
    degrees = isNegative ? -sum : sum
    self.axis = axis
    count = values.count
    isMarked = marked > 0
    endsInLetterS = isLetterSeconds
  }

  /// How many numbers there are when this mark stands.
  private static func place(of mark: CoordinateToken) -> Int {
    switch mark {
    case .degrees: 1
    case .minutes, .letterMinutes: 2
    default: 3
    }
  }
}
