/// The checksum of serialized data: CRC-32C (Castagnoli), which detects every burst of up to 32
/// wrong bits.
///
/// Polynomial 0x1EDC6F41, reflected; register and result inverted. `123456789` gives 0xE3069283.
///
/// - Source: RFC 3720, appendix B.4, and section 12.1.
struct CRC32C {
  private var register: UInt32 = ~0

  /// Entry k × 256 + b: the effect of byte b on the register when k more bytes follow it.
  private static let table: [UInt32] = {
    var table = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = value >> 1 ^ (value & 1 == 1 ? 0x82F6_3B78 : 0) }
      table[byte] = value
    }
    for index in 256..<table.count {
      let shorter = table[index - 256]
      table[index] = shorter >> 8 ^ table[Int(shorter & 255)]
    }
    return table
  }()

  /// Adds bytes to the checksum, eight at a time.
  ///
  /// Sound: eight bytes are read only if eight are left, and 11 bits index the 2,048 entries of the
  /// table. No pointer is kept.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var register = register
    CRC32C.table.withUnsafeBufferPointer { table in
      var offset = 0
      while offset + 8 <= bytes.count {
        let eight =
          UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
          ^ UInt64(register)
        register = 0
        for byte in 0..<8 {
          register ^=
            table[(7 - byte) << 8 | Int(truncatingIfNeeded: eight >> UInt64(8 * byte) & 255)]
        }
        offset += 8
      }
      while offset < bytes.count {
        register = register >> 8 ^ table[Int((register ^ UInt32(bytes[offset])) & 255)]
        offset += 1
      }
    }
    self.register = register
  }

  /// The checksum of all bytes so far.
  var value: UInt32 { ~register }

  /// The checksum of `bytes`.
  static func checksum(_ bytes: some Collection<UInt8>) -> UInt32 {
    var checksum = CRC32C()
    let done: Void? = bytes.withContiguousStorageIfAvailable {
      checksum.update(UnsafeRawBufferPointer($0))
    }
    if done == nil { Array(bytes).withUnsafeBytes { checksum.update($0) } }
    return checksum.value
  }
}
