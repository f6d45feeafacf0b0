/// Converts UTF-16 and UTF-32 to UTF-8, in pieces of any size. Holds at most four bytes between
/// pieces.
struct WideTextReader {
  private let unitSize: Int
  private let isBigEndian: Bool
  private var unit: UInt32 = 0
  private var unitCount = 0
  private var highSurrogate: UInt32 = 0
  /// True if there was a lone surrogate or a number beyond Unicode; each became U+FFFD.
  private(set) var sawInvalid = false

  /// A reader of UTF-16 (`unitSize` 2) or UTF-32 (`unitSize` 4).
  init(unitSize: Int, isBigEndian: Bool) {
    self.unitSize = unitSize
    self.isBigEndian = isBigEndian
  }

  /// Converts `input` and appends UTF-8 to `output`.
  mutating func convert(_ input: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {
    for byte in input {
      if isBigEndian {
        unit = unit << 8 | UInt32(byte)
      } else {
        unit |= UInt32(byte) << (8 * UInt32(unitCount))
      }
      unitCount += 1
      guard unitCount == unitSize else { continue }
      take(unit, into: &output)
      unit = 0
      unitCount = 0
    }
  }

  /// Ends the text: an incomplete character becomes U+FFFD.
  mutating func finish(into output: inout [UInt8]) {
    if unitCount > 0 || highSurrogate != 0 { replace(into: &output) }
    unitCount = 0
    highSurrogate = 0
  }

  private mutating func take(_ value: UInt32, into output: inout [UInt8]) {
    if highSurrogate != 0 {
      let high = highSurrogate
      highSurrogate = 0
      if (0xDC00...0xDFFF).contains(value) {
        append(0x10000 + ((high - 0xD800) << 10) + (value - 0xDC00), to: &output)
        return
      }
      replace(into: &output)
    }
    if unitSize == 2, (0xD800...0xDBFF).contains(value) {
      highSurrogate = value
    } else {
      append(value, to: &output)
    }
  }

  private mutating func append(_ value: UInt32, to output: inout [UInt8]) {
    guard let scalar = Unicode.Scalar(value) else { return replace(into: &output) }
    output.append(
      contentsOf: Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
  }

  private mutating func replace(into output: inout [UInt8]) {
    sawInvalid = true
    output.append(contentsOf: [0xEF, 0xBF, 0xBD])
  }
}
