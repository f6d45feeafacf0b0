/// Writes a FlatBuffer with the number of its bytes before it, from its beginning to its end.
///
/// Layout, all numbers little-endian, each aligned to its size from the beginning:
/// - 4 bytes: the number of bytes that follow; 4 bytes: a reference to the root table.
/// - A reference is the distance from itself forward to what it refers to, in 4 bytes.
/// - A table begins with the distance back to its virtual table, in 4 bytes, then has its fields.
/// - A virtual table has 2 bytes each for its own size, the size of the table, and for each field
///   of the schema the place in the table; 0 if the field is absent and has its default value.
/// - A vector is the number of its elements in 4 bytes, then the elements; a string is a vector of
///   bytes and a zero byte.
///
/// What a table refers to is appended after it, in any order.
///
/// - Source: the FlatBuffers internals, "FlatBuffer Binary Format".
struct FlatBuffer {
  /// A field of a table.
  enum Field {
    case byte(UInt8)
    case short(UInt16)
    case int(Int32)
    case long(UInt64)
    /// A string, a vector or a table, which is appended later.
    case reference

    fileprivate var width: Int {
      switch self {
      case .byte: 1
      case .short: 2
      case .int, .reference: 4
      case .long: 8
      }
    }
  }

  /// The bytes.
  private(set) var bytes: [UInt8] = []
  /// The place of the reference to the root table.
  static let root = 4

  /// Creates a buffer without tables.
  init() { bytes.append(contentsOf: [0, 0, 0, 0, 0, 0, 0, 0]) }

  /// Appends a table.
  ///
  /// - Parameters:
  ///   - place: the place of the reference to it.
  ///   - fields: those of the schema in its order; nil for absent ones.
  /// - Returns: the place of each field.
  mutating func appendTable(at place: Int, _ fields: [Field?]) -> [Int] {
    var offsets = [Int](repeating: 0, count: fields.count)
    var size = 4
    for width in [8, 4, 2, 1] {
      for (slot, field) in fields.enumerated() where field?.width == width {
        offsets[slot] = size
        size += width
      }
    }
    align(2)
    let virtualTable = bytes.count
    bytes.append(littleEndian: UInt16(4 + 2 * fields.count))
    bytes.append(littleEndian: UInt16(size))
    for offset in offsets { bytes.append(littleEndian: UInt16(offset)) }
    // The largest fields come right after the first 4 bytes.
    align(fields.contains { $0?.width == 8 } ? 8 : 4, after: 4)
    let table = bytes.count
    setReference(at: place)
    bytes.append(littleEndian: Int32(table - virtualTable))
    for width in [8, 4, 2, 1] {
      for case let field? in fields where field.width == width { append(field) }
    }
    return offsets.map { table + $0 }
  }

  private mutating func append(_ field: Field) {
    switch field {
    case .byte(let value): bytes.append(value)
    case .short(let value): bytes.append(littleEndian: value)
    case .int(let value): bytes.append(littleEndian: value)
    case .long(let value): bytes.append(littleEndian: value)
    case .reference: bytes.append(littleEndian: UInt32(0))
    }
  }

  /// Appends a string that the field at a place refers to.
  mutating func appendString(at place: Int, _ text: String) {
    align(4)
    setReference(at: place)
    bytes.append(littleEndian: UInt32(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
    bytes.append(0)
  }

  /// Appends a vector of numbers that the field at a place refers to.
  mutating func appendVector(at place: Int, _ values: [Double]) {
    align(8, after: 4)
    setReference(at: place)
    bytes.append(littleEndian: UInt32(values.count))
    for value in values { bytes.append(littleEndian: value) }
  }

  /// Appends a vector of references that the field at a place refers to.
  ///
  /// - Returns: the place of each reference.
  mutating func appendReferences(at place: Int, count: Int) -> [Int] {
    align(4)
    setReference(at: place)
    bytes.append(littleEndian: UInt32(count))
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: 4 * count))
    return (0..<count).map { start + 4 * $0 }
  }

  /// Ends the buffer at a multiple of 8 bytes, and writes their number.
  mutating func finish() {
    align(8)
    bytes.set(littleEndian: UInt32(bytes.count - 4), at: 0)
  }

  /// Appends zero bytes until the byte `distance` after the end is aligned.
  private mutating func align(_ width: Int, after distance: Int = 0) {
    while (bytes.count + distance) % width != 0 { bytes.append(0) }
  }

  private mutating func setReference(at place: Int) {
    bytes.set(littleEndian: UInt32(bytes.count - place), at: place)
  }
}

extension [UInt8] {
  /// Overwrites 4 bytes with an integer, its lowest byte first.
  mutating func set(littleEndian value: UInt32, at place: Int) {
    for byte in 0..<4 { self[place + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
  }
}
