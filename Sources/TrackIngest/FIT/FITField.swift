/// The place of an integer in the messages of one definition.
struct FITField {
  /// The offset after the header byte of the message; negative if the messages lack the field.
  private var offset: Int32 = -1
  /// 1, 2 or 4 bytes.
  private(set) var width: UInt8 = 0
  private var isSigned = false
  /// The value that means "unknown".
  private var invalid: UInt32 = 0

  /// A field that the messages lack.
  init() {}

  /// The field at an offset; nil if its type is not an integer of at most 4 bytes, or if it is
  /// smaller than its type. Of an array, the first element is read.
  init?(offset: Int, size: Int, baseType: UInt8) {
    switch baseType & 0x1F {
    case 0, 2: (width, invalid) = (1, 0xFF)
    case 1: (width, invalid, isSigned) = (1, 0x7F, true)
    case 3: (width, invalid, isSigned) = (2, 0x7FFF, true)
    case 4: (width, invalid) = (2, 0xFFFF)
    case 5: (width, invalid, isSigned) = (4, 0x7FFF_FFFF, true)
    case 6: (width, invalid) = (4, 0xFFFF_FFFF)
    case 10: width = 1
    case 11: width = 2
    case 12: width = 4
    default: return nil
    }
    guard size >= Int(width) else { return nil }
    self.offset = Int32(offset)
  }

  /// True if the messages have the field.
  @inline(__always) var isPresent: Bool { offset >= 0 }

  /// The value in a message; nil if it is missing or unknown.
  ///
  /// Sound: ``FITDefinition`` gives a field only an offset at which the message has `width` bytes
  /// more, and the caller provides the whole message.
  @inline(__always)
  func value(_ message: UnsafeRawPointer, isBigEndian: Bool) -> Int64? {
    guard offset >= 0 else { return nil }
    let place = message + Int(offset)
    let raw: UInt32
    switch width {
    case 1: raw = UInt32(place.load(as: UInt8.self))
    case 2:
      let bytes = place.loadUnaligned(as: UInt16.self)
      raw = UInt32(isBigEndian ? UInt16(bigEndian: bytes) : UInt16(littleEndian: bytes))
    default:
      let bytes = place.loadUnaligned(as: UInt32.self)
      raw = isBigEndian ? UInt32(bigEndian: bytes) : UInt32(littleEndian: bytes)
    }
    guard raw != invalid else { return nil }
    guard isSigned else { return Int64(raw) }
    let unused = 32 - 8 * Int32(width)
    return Int64(Int32(bitPattern: raw << unused) >> unused)
  }
}
