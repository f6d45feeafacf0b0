/// Writes the numbers of a state: integers of 7 bits per byte, the low ones first, and real numbers
/// of 8 bytes.
struct StateWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Writes a signed number: twice its magnitude, less one if it is negative.
  mutating func append(signed value: Int64) { append(UInt64(bitPattern: value << 1 ^ value >> 63)) }

  mutating func append(_ value: Double) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> shift))
    }
  }

  /// Writes the number of elements, and the difference of each to the one before.
  mutating func append(ascending values: [UInt64]) {
    append(UInt64(values.count))
    var before: UInt64 = 0
    for value in values {
      append(value &- before)
      before = value
    }
  }
}

/// Reads what ``StateWriter`` wrote. After a damaged number, all further ones are 0, and
/// ``isDamaged`` is true.
struct StateReader {
  private let bytes: ArraySlice<UInt8>
  private var index: Int
  private(set) var isDamaged = false

  init(_ bytes: ArraySlice<UInt8>) { (self.bytes, index) = (bytes, bytes.startIndex) }

  /// Whether all bytes were read and all numbers fit.
  var isWhole: Bool { !isDamaged && index == bytes.endIndex }

  mutating func number() -> UInt64 {
    var (value, shift) = (UInt64(0), UInt64(0))
    while !isDamaged {
      guard index < bytes.endIndex, shift < 64 else { break }
      let byte = bytes[index]
      index += 1
      if shift == 63, byte > 1 { break }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    isDamaged = true
    return 0
  }

  mutating func number<Number: FixedWidthInteger>(as type: Number.Type) -> Number {
    let value = number()
    guard let number = Number(exactly: value) else {
      isDamaged = true
      return 0
    }
    return number
  }

  mutating func signed<Number: FixedWidthInteger>(as type: Number.Type) -> Number {
    let bits = number()
    let value = Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)
    guard let number = Number(exactly: value) else {
      isDamaged = true
      return 0
    }
    return number
  }

  /// A number that is finite and not negative.
  mutating func real() -> Double {
    guard !isDamaged, bytes.endIndex - index >= 8 else {
      isDamaged = true
      return 0
    }
    var bits: UInt64 = 0
    for offset in 0..<8 { bits |= UInt64(bytes[index + offset]) << UInt64(8 * offset) }
    index += 8
    let value = Double(bitPattern: bits)
    if !value.isFinite || value < 0 { isDamaged = true }
    return isDamaged ? 0 : value
  }

  /// The number of elements that follow, each of at least a byte.
  mutating func count() -> Int {
    let count = number()
    guard count <= UInt64(bytes.endIndex - index) else {
      isDamaged = true
      return 0
    }
    return Int(count)
  }

  mutating func ascending<Number: FixedWidthInteger>(as type: Number.Type) -> [Number] {
    var before: UInt64 = 0
    var values: [Number] = []
    for position in 0..<count() {
      let step = number()
      let (value, overflows) = before.addingReportingOverflow(step)
      guard !isDamaged, !overflows, position == 0 || step > 0, let number = Number(exactly: value)
      else {
        isDamaged = true
        return []
      }
      values.append(number)
      before = value
    }
    return values
  }
}
