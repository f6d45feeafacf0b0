/// The kinds of sentences with values of a fix. Raw values are bits, so that an epoch can store a
/// set of them.
enum NMEAKind: UInt16 {
  case gga = 1
  case rmc = 2
  case gll = 4
  case gns = 8
  case gst = 16
  case gbs = 32
  case zda = 64
  case vtg = 128
  case gsa = 256
  case rme = 512

  /// The bits of the kinds that carry a position.
  static let positionBits: UInt16 = 1 | 2 | 4 | 8

  /// True if sentences of this kind carry a position.
  var carriesPosition: Bool { rawValue & Self.positionBits != 0 }
}

/// The address of a sentence: the seven bytes from its `$` on.
enum NMEAAddress {
  /// A sentence with values, and its talker as two bytes.
  case known(NMEAKind, talker: UInt16)
  /// The start of another kind of sentence: a talker, or a manufacturer's letters.
  case other
  /// Not the start of a sentence: not two letters or digits.
  case none
  /// Possibly a sentence: more bytes are needed.
  case incomplete

  /// Reads the address of the sentence whose `$` is at `start`, of which `available` bytes may be
  /// read.
  @inline(__always)
  static func read(_ start: UnsafePointer<UInt8>, available: Int) -> NMEAAddress {
    guard available >= 7 else {
      for index in 1..<max(1, available) where !isAddressByte(start[index]) {
        return index <= 2 ? .none : .other
      }
      return .incomplete
    }
    // Sound: seven bytes are available, and bytes 1 to 6 are read.
    let raw = UnsafeRawPointer(start)
    let talker = UInt16(littleEndian: raw.loadUnaligned(fromByteOffset: 1, as: UInt16.self))
    let formatter = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 3, as: UInt32.self))
    let kind: NMEAKind
    switch formatter {
    case 0x2C41_4747: kind = .gga
    case 0x2C43_4D52: kind = .rmc
    case 0x2C4C_4C47: kind = .gll
    case 0x2C53_4E47: kind = .gns
    case 0x2C54_5347: kind = .gst
    case 0x2C53_4247: kind = .gbs
    case 0x2C41_445A: kind = .zda
    case 0x2C47_5456: kind = .vtg
    case 0x2C41_5347: kind = .gsa
    case 0x2C45_4D52 where talker == 0x4750: return .known(.rme, talker: talker)  // "$PGRME,"
    default: return isAddressByte(start[1]) && isAddressByte(start[2]) ? .other : .none
    }
    // A first byte P marks a proprietary sentence, whatever letters follow.
    guard isAddressByte(start[1]), isAddressByte(start[2]) else { return .none }
    return start[1] == UInt8(ascii: "P") ? .other : .known(kind, talker: talker)
  }

  /// Returns true if a byte may be in an address: an uppercase letter or a digit.
  @inline(__always)
  private static func isAddressByte(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "A") < 26 || byte &- UInt8(ascii: "0") < 10
  }
}

/// The end of a sentence, and whether its checksum matches.
struct NMEAScan {
  enum State {
    /// The available bytes end before the sentence does.
    case incomplete
    /// Ended by a checksum that matches.
    case checked
    /// Ended by a line end without a checksum.
    case unchecked
    /// Ended by a checksum that does not match.
    case badChecksum
    /// Ended by a byte that no sentence has: it was cut or overwritten.
    case cut
  }

  /// The way in which the sentence ended.
  let state: State
  /// The length with `$` and checksum, without the line end.
  let length: Int
  /// Fields after the address.
  let fieldCount: Int

  /// The longest sentence in bytes (the standard allows 82; receivers write up to about 120).
  static let longestSentence = 400
  /// The maximum number of fields of a sentence (the longest that is read, GSA, has 18).
  static let mostFields = 40
  /// Room for the offsets of all field separators, and one for the end.
  static let offsetCapacity = mostFields + 2

  /// Finds the end of the sentence whose `$` is at `start`, its separators and its checksum, eight
  /// bytes at a time. At most `available` bytes are read.
  ///
  /// `offsets`, with room for ``offsetCapacity``, receives the offset of each comma from `start`,
  /// and then that of the end of the last field. Only bytes below `-` (0x2D) or above 0x7F are
  /// examined one by one: separators, `*`, `$`, `!`, blanks, controls and bytes that are not ASCII
  /// are among them; digits, letters, `-` and `.` are not.
  @inline(__always)
  static func scan(
    _ start: UnsafePointer<UInt8>, available: Int, offsets: UnsafeMutablePointer<UInt16>
  ) -> NMEAScan {
    let limit = min(available, longestSentence)
    var sum: UInt64 = 0
    var count = 0
    var position = 1
    while position < limit {
      let remaining = limit - position
      let word: UInt64
      if remaining >= 8 {
        // Sound: at least eight of the available bytes are at `position`.
        word = UInt64(
          littleEndian: UnsafeRawPointer(start).loadUnaligned(
            fromByteOffset: position, as: UInt64.self))
      } else {
        word = partialWord(start + position, count: remaining)
      }
      var special =
        (word | ~((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x5353_5353_5353_5353)) & 0x8080_8080_8080_8080
      while special != 0 {
        let bit = special.trailingZeroBitCount & ~7
        special &= special &- 1
        let here = position + bit >> 3
        if here >= limit { break }
        let byte = UInt8(truncatingIfNeeded: word &>> UInt64(bit))
        if byte == UInt8(ascii: ",") {
          guard count < mostFields else {
            return NMEAScan(state: .cut, length: here, fieldCount: 0)
          }
          offsets[count] = UInt16(truncatingIfNeeded: here)
          count += 1
          continue
        }
        if byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "*"), byte != UInt8(ascii: "$"),
          byte != UInt8(ascii: "!")
        {
          continue
        }
        sum ^= word & ((1 &<< UInt64(bit)) &- 1)
        offsets[count] = UInt16(truncatingIfNeeded: here)
        return end(start, available: available, at: here, byte: byte, sum: sum, fieldCount: count)
      }
      sum ^= word
      position += 8
    }
    return NMEAScan(
      state: available < longestSentence ? .incomplete : .cut, length: limit, fieldCount: count)
  }

  /// The last available bytes as a word, padded with letters, which the scan ignores.
  ///
  /// Sound: `bytes` has `count` bytes, fewer than eight.
  @inline(never)
  private static func partialWord(_ bytes: UnsafePointer<UInt8>, count: Int) -> UInt64 {
    var word: UInt64 = 0x4141_4141_4141_4141
    for index in 0..<count {
      let shift = UInt64(index * 8)
      word = word & ~(0xFF &<< shift) | UInt64(bytes[index]) &<< shift
    }
    return word
  }

  /// The result for the byte that stopped the scan.
  ///
  /// Sound: each byte after `here` is read only if `available` allows it.
  @inline(__always)
  private static func end(
    _ start: UnsafePointer<UInt8>, available: Int, at here: Int, byte: UInt8, sum: UInt64,
    fieldCount: Int
  ) -> NMEAScan {
    switch byte {
    case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
      return NMEAScan(state: .unchecked, length: here, fieldCount: fieldCount)
    case UInt8(ascii: "*"):
      guard here + 1 < available else { break }
      let first = start[here + 1]
      if first == UInt8(ascii: "\r") || first == UInt8(ascii: "\n") {
        return NMEAScan(state: .unchecked, length: here + 1, fieldCount: fieldCount)
      }
      // A star before a letter instead of a digit is a wrong checksum.
      guard let high = hexadecimal(first) else {
        let isText = first >= 0x20 && first < 0x7F && first != UInt8(ascii: "$")
        return NMEAScan(
          state: isText ? .badChecksum : .cut, length: here + 1, fieldCount: fieldCount)
      }
      guard here + 2 < available else { break }
      guard let low = hexadecimal(start[here + 2]) else {
        return NMEAScan(state: .badChecksum, length: here + 2, fieldCount: fieldCount)
      }
      let folded32 = UInt32(truncatingIfNeeded: sum ^ (sum &>> 32))
      let folded16 = folded32 ^ (folded32 &>> 16)
      let folded = UInt8(truncatingIfNeeded: folded16 ^ (folded16 &>> 8))
      return NMEAScan(
        state: folded == high &<< 4 | low ? .checked : .badChecksum, length: here + 3,
        fieldCount: fieldCount)
    default:
      return NMEAScan(state: .cut, length: here, fieldCount: fieldCount)
    }
    return NMEAScan(state: .incomplete, length: available, fieldCount: fieldCount)
  }

  /// The value of a hexadecimal digit of either case.
  @inline(__always)
  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    if byte &- 0x30 < 10 { return byte &- 0x30 }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter &+ 10 : nil
  }
}

/// A complete sentence with its fields.
struct NMEASentence {
  /// The `$`; the sentence is only valid while the memory of its bytes and offsets is.
  let start: UnsafePointer<UInt8>
  /// Offsets of the commas and of the end, as ``NMEAScan/scan(_:available:offsets:)`` leaves them.
  let offsets: UnsafePointer<UInt16>
  /// Fields after the address.
  let fieldCount: Int
  /// True if its checksum matches.
  let isChecked: Bool

  /// A field, counted from 1 as in the manuals, without surrounding blanks and quotation marks;
  /// empty if the sentence has fewer fields.
  ///
  /// Sound: `index` is at least 1, and the scan has written `fieldCount` + 1 offsets that ascend.
  @inline(__always)
  func field(_ index: Int) -> NMEAField {
    guard index <= fieldCount else { return NMEAField(start: start, count: 0) }
    let first = Int(offsets[index - 1]) + 1
    let field = NMEAField(start: start + first, count: Int(offsets[index]) - first)
    return field.isPadded ? field.trimmed : field
  }

  /// A numeric field. Without a checksum the last field of a sentence may have lost digits, so it
  /// counts as empty.
  @inline(__always)
  func number(_ index: Int) -> NMEAField {
    isChecked || index < fieldCount ? field(index) : NMEAField(start: start, count: 0)
  }
}
