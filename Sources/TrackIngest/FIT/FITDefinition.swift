/// The layout of the messages of one local type, reduced to the fields that are read.
struct FITDefinition {
  /// The messages that matter.
  enum Kind {
    /// The kind of the whole file (global message 0).
    case fileID
    /// One position and what was measured there (20).
    case record
    /// Start and stop of the timer, and other events (21).
    case event
    /// Any other. Its time is the base of compressed times.
    case other
  }

  /// The definition message without its fields: header, reserved byte, byte order, number of the
  /// message in 2 bytes, count of fields.
  static let fixedBytes = 6

  let kind: Kind
  let isBigEndian: Bool
  /// The bytes of a message after its header byte: at most 2 × 255 fields of 255 bytes.
  private(set) var size = 0

  private(set) var timestamp = FITField()
  /// Of `record`: semicircles.
  private(set) var latitude = FITField()
  private(set) var longitude = FITField()
  private(set) var altitude = FITField()
  private(set) var enhancedAltitude = FITField()
  private(set) var speed = FITField()
  private(set) var enhancedSpeed = FITField()
  private(set) var accuracy = FITField()
  /// Of `file_id`: the type of the file. Of `event`: the event.
  private(set) var type = FITField()
  /// Of `event`: what happened to it.
  private(set) var eventType = FITField()

  /// The bytes of a definition message if `available` bytes contain it; otherwise the number of
  /// bytes, more than `available`, that it has at least.
  ///
  /// Sound: every index is compared with `available`, the count of bytes at `start`.
  static func length(_ start: UnsafePointer<UInt8>, available: Int) -> Int {
    guard available >= fixedBytes else { return fixedBytes }
    let fieldsEnd = fixedBytes + 3 * Int(start[5])
    guard start[0] & FITHeaderByte.developerFields != 0 else { return fieldsEnd }
    guard available > fieldsEnd else { return fieldsEnd + 1 }
    return fieldsEnd + 1 + 3 * Int(start[fieldsEnd])
  }

  /// Reads a definition message of `length` bytes; nil if its byte order does not exist, so that it
  /// is damaged.
  ///
  /// Sound: `length` is that of ``length(_:available:)``, and its bytes contain the counted fields.
  init?(_ start: UnsafePointer<UInt8>, length: Int) {
    guard start[2] <= 1 else { return nil }
    isBigEndian = start[2] == 1
    let number =
      isBigEndian
      ? UInt16(start[3]) << 8 | UInt16(start[4]) : UInt16(start[4]) << 8 | UInt16(start[3])
    switch number {
    case 0: kind = .fileID
    case 20: kind = .record
    case 21: kind = .event
    default: kind = .other
    }
    let fieldsEnd = Self.fixedBytes + 3 * Int(start[5])
    for place in stride(from: Self.fixedBytes, to: fieldsEnd, by: 3) {
      let bytes = Int(start[place + 1])
      if let field = FITField(offset: size, size: bytes, baseType: start[place + 2]) {
        take(field, number: start[place])
      }
      size += bytes
    }
    if fieldsEnd < length {
      for place in stride(from: fieldsEnd + 1, to: length, by: 3) { size += Int(start[place + 1]) }
    }
  }

  /// Keeps a field if it is read; the first of those with the same number counts.
  private mutating func take(_ field: FITField, number: UInt8) {
    switch (kind, number) {
    case (_, 253): Self.keep(field, as: &timestamp)
    // Only four bytes hold semicircles.
    case (.record, 0) where field.width == 4: Self.keep(field, as: &latitude)
    case (.record, 1) where field.width == 4: Self.keep(field, as: &longitude)
    case (.record, 2): Self.keep(field, as: &altitude)
    case (.record, 6): Self.keep(field, as: &speed)
    case (.record, 31): Self.keep(field, as: &accuracy)
    case (.record, 73): Self.keep(field, as: &enhancedSpeed)
    case (.record, 78): Self.keep(field, as: &enhancedAltitude)
    case (.fileID, 0), (.event, 0): Self.keep(field, as: &type)
    case (.event, 1): Self.keep(field, as: &eventType)
    default: break
    }
  }

  private static func keep(_ field: FITField, as target: inout FITField) {
    if !target.isPresent { target = field }
  }
}

/// The bits of the byte before each message.
enum FITHeaderByte {
  /// The message has a compressed time: two bits of local type, five bits of time.
  static let compressedTime: UInt8 = 0x80
  /// The message is a definition.
  static let definition: UInt8 = 0x40
  /// The definition has developer fields.
  static let developerFields: UInt8 = 0x20
  /// The local type of other messages.
  static let localType: UInt8 = 0x0F
  /// Bits that are 0 in messages with neither of the first two.
  static let reserved: UInt8 = 0x30
}
