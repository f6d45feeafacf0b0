extension [UInt8] {
  /// Appends an integer, its lowest byte first.
  @inlinable
  package mutating func append(littleEndian value: some FixedWidthInteger) {
    // Sound: the bytes are copied during the call.
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends a number as its 8 bytes of IEEE 754, the lowest first.
  @inlinable
  package mutating func append(littleEndian value: Double) {
    append(littleEndian: value.bitPattern)
  }
}
