import ByteStreams

/// A name of a fixed number of bytes, in the order of its bytes.
package protocol ByteName: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number of bytes.
  static var byteCount: Int { get }
  /// The name of these bytes, or nil if there are not ``byteCount`` of them.
  init?(bytes: some Collection<UInt8>)
  /// The bytes.
  var bytes: [UInt8] { get }
}

extension ByteName {
  /// The bytes as lowercase hexadecimal digits.
  package var hexadecimal: String { Hexadecimal.text(bytes) }

  /// The name with these lowercase hexadecimal digits, or nil if they are no such name.
  package init?(hexadecimal text: some StringProtocol) {
    guard let bytes = Hexadecimal.bytes(lowercase: text) else { return nil }
    self.init(bytes: bytes)
  }

  /// The hexadecimal digits.
  package var description: String { hexadecimal }
}

/// A name of 8 bytes.
package protocol EightByteName: ByteName {
  /// The bytes as a number, the first byte highest.
  var number: UInt64 { get }
  /// The name with this number.
  init(number: UInt64)
}

extension EightByteName {
  /// 8.
  package static var byteCount: Int { 8 }

  /// The name of these bytes, or nil if there are not 8.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 8 else { return nil }
    self.init(number: bytes.reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// The bytes.
  package var bytes: [UInt8] { number.bigEndianBytes }

  /// The order of the bytes.
  package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// A name of 16 bytes.
package protocol SixteenByteName: ByteName {
  /// The first 8 bytes as a number, the first byte highest.
  var high: UInt64 { get }
  /// The last 8 bytes as a number.
  var low: UInt64 { get }
  /// The name with these numbers.
  init(high: UInt64, low: UInt64)
}

extension SixteenByteName {
  /// 16.
  package static var byteCount: Int { 16 }

  /// The name of these bytes, or nil if there are not 16.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    self.init(
      high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
      low: bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// The bytes.
  package var bytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes }

  /// The order of the bytes.
  package static func < (left: Self, right: Self) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension UInt64 {
  /// The 8 bytes, the highest first.
  package var bigEndianBytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * UInt64($0))) }
  }
}
