/// Reads the text of `coordinates` byte by byte: `longitude,latitude[,elevation]`, with white space
/// between positions.
///
/// Blanks after a comma are accepted where they are certain: `11.5, 48.1, 520`. A comma before the
/// blank that ends a position (`11.5,48.1, 11.6,48.2,`) is accepted too. More than three numbers
/// are not a position, because it is not known which of them belong together.
struct KMLTupleReader {
  private enum Axis {
    case missing
    case value(Int32)
  }

  /// True if a position is incomplete.
  private(set) var isOpen = false
  /// The line where it begins.
  private var line = 1
  /// The number that is read.
  private var number = BoundedText(limit: XMLLimits.valueBytes)
  /// The number of commas before it.
  private var commas = 0
  /// True if the last byte that is no blank was a comma.
  private var isAfterComma = false
  /// True if a blank followed the first comma.
  private var hasBlanks = false
  /// True if there are more than three numbers.
  private var hasMore = false
  private var longitude = Axis.missing
  private var latitude = Axis.missing
  private var elevation: Double?
  /// True if what follows up to a blank is not to be read.
  private var isSkipping = false

  /// True if a position may begin at the next byte.
  var isIdle: Bool { !isOpen && !isSkipping }

  /// Starts another text.
  mutating func reset() {
    isSkipping = false
    discard()
  }

  /// Ignores the open position, because markup in it is broken, and what follows up to a blank.
  mutating func spoil() {
    isSkipping = true
    discard()
  }

  /// Takes one byte. Returns a position that it ends.
  mutating func take(_ byte: UInt8, line: @autoclosure () -> Int) -> KMLPosition? {
    let isBlank = DecimalText.isSpace(byte)
    if isSkipping {
      if isBlank { isSkipping = false }
      return nil
    }
    guard isOpen || !isBlank else { return nil }
    if !isOpen {
      isOpen = true
      self.line = line()
    }
    if byte == 0x2C {
      endNumber()
      commas += 1
      isAfterComma = true
    } else if !isBlank {
      number.append(byte)
      isAfterComma = false
    } else if endsPosition(byte) {
      return finish()
    }
    return nil
  }

  /// Ends the text. Returns a position that ends with it.
  mutating func finish() -> KMLPosition? {
    guard isOpen else { return nil }
    endNumber()
    defer { discard() }
    guard !hasMore, case .value(let longitudeE7) = longitude, case .value(let latitudeE7) = latitude
    else { return KMLPosition(invalidAtLine: line) }
    return KMLPosition(
      longitudeE7: longitudeE7, latitudeE7: latitudeE7, elevation: elevation, line: line)
  }

  /// Whether a blank ends the position: one after a comma may be inside it.
  private mutating func endsPosition(_ blank: UInt8) -> Bool {
    guard isAfterComma else { return true }
    if commas == 1 {
      hasBlanks = true
      return false
    }
    return !hasBlanks || blank == 0x0A || blank == 0x0D
  }

  private mutating func endNumber() {
    defer { number.reset() }
    guard number.count > 0 else { return }
    switch commas {
    case 0: longitude = Self.axis(number, limitE7: 1_800_000_000)
    case 1: latitude = Self.axis(number, limitE7: 900_000_000)
    case 2: elevation = number.withValue(DecimalText.double)
    default: hasMore = true
    }
  }

  private static func axis(_ number: BoundedText, limitE7: Int64) -> Axis {
    guard case .value(let value) = number.withValue({ DecimalText.degreesE7($0, limitE7: limitE7) })
    else { return .missing }
    return .value(value)
  }

  private mutating func discard() {
    isOpen = false
    number.reset()
    commas = 0
    (isAfterComma, hasBlanks, hasMore) = (false, false, false)
    (longitude, latitude, elevation) = (.missing, .missing, nil)
  }
}
