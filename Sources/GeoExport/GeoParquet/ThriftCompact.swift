/// Writes structures in Thrift's compact protocol, in which Parquet has its metadata.
///
/// A structure is its fields in ascending order of their numbers, each with a byte that has the
/// difference from the number before and the type, and a zero byte at the end.
///
/// - Source: the Thrift compact protocol encoding.
struct ThriftCompact {
  /// The bytes written.
  private(set) var bytes: [UInt8] = []
  private var lastField = 0

  /// The types of fields and of elements of lists.
  enum Kind: UInt8 {
    case yes = 1
    case no = 2
    case byte = 3
    case integer32 = 5
    case integer64 = 6
    case text = 8
    case list = 9
    case structure = 12
  }

  /// Creates an empty writer, whose fields are those of the outermost structure.
  init() {}

  /// The bytes of a whole structure.
  static func structure(_ body: (inout ThriftCompact) -> Void) -> [UInt8] {
    var writer = ThriftCompact()
    writer.structure(body)
    return writer.bytes
  }

  /// Writes a field that is true or false.
  mutating func field(_ number: Int, _ value: Bool) { begin(number, value ? .yes : .no) }

  /// Writes a field of 8 bits.
  mutating func field(_ number: Int, byte value: UInt8) {
    begin(number, .byte)
    bytes.append(value)
  }

  /// Writes a field of 32 bits.
  mutating func field(_ number: Int, _ value: Int32) {
    begin(number, .integer32)
    append(Int64(value))
  }

  /// Writes a field of 64 bits.
  mutating func field(_ number: Int, _ value: Int64) {
    begin(number, .integer64)
    append(value)
  }

  /// Writes a field that is a text.
  mutating func field(_ number: Int, _ text: String) {
    begin(number, .text)
    append(text)
  }

  /// Writes a field that is bytes.
  mutating func field(_ number: Int, _ value: [UInt8]) {
    begin(number, .text)
    bytes.append(varint: UInt64(value.count))
    bytes += value
  }

  /// Writes a field that is a structure.
  mutating func field(_ number: Int, _ body: (inout ThriftCompact) -> Void) {
    begin(number, .structure)
    structure(body)
  }

  /// Writes a field that is a list of structures.
  mutating func field<Element>(
    _ number: Int, each elements: [Element], _ body: (inout ThriftCompact, Element) -> Void
  ) {
    beginList(number, .structure, count: elements.count)
    for element in elements { structure { body(&$0, element) } }
  }

  /// Writes a field that is a list of texts.
  mutating func field(_ number: Int, texts: [String]) {
    beginList(number, .text, count: texts.count)
    for text in texts { append(text) }
  }

  /// Writes a field that is a list of integers.
  mutating func field(_ number: Int, integers: [Int32]) {
    beginList(number, .integer32, count: integers.count)
    for integer in integers { append(Int64(integer)) }
  }

  private mutating func structure(_ body: (inout ThriftCompact) -> Void) {
    let outer = lastField
    lastField = 0
    body(&self)
    bytes.append(0)
    lastField = outer
  }

  private mutating func begin(_ number: Int, _ kind: Kind) {
    let difference = number - lastField
    precondition((1...15).contains(difference), "fields are not in ascending order")
    bytes.append(UInt8(difference) << 4 | kind.rawValue)
    lastField = number
  }

  private mutating func beginList(_ number: Int, _ kind: Kind, count: Int) {
    begin(number, .list)
    if count < 15 {
      bytes.append(UInt8(count) << 4 | kind.rawValue)
    } else {
      bytes.append(0xF0 | kind.rawValue)
      bytes.append(varint: UInt64(count))
    }
  }

  private mutating func append(_ text: String) {
    bytes.append(varint: UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func append(_ value: Int64) { bytes.append(varint: value.zigzag) }
}

extension [UInt8] {
  /// Appends an integer in groups of 7 bits, the lowest first; the high bit is set in all bytes but
  /// the last (LEB128).
  mutating func append(varint value: UInt64) {
    var rest = value
    while rest > 127 {
      append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}

extension Int64 {
  /// 0, -1, 1, -2, 2 … as 0, 1, 2, 3, 4 …, so that small numbers of either sign are short varints.
  var zigzag: UInt64 { UInt64(bitPattern: self << 1 ^ self >> 63) }
}
