/// Writes FIT files for tests, byte by byte, with every freedom that the format has.
struct FITWriter {
  /// A field of a definition: its number in the profile, its size and its base type.
  struct Field {
    let number: UInt8
    let size: Int
    let baseType: UInt8

    init(_ number: UInt8, _ size: Int, _ baseType: UInt8) {
      (self.number, self.size, self.baseType) = (number, size, baseType)
    }

    static let timestamp = Field(253, 4, 0x86)
    static let latitude = Field(0, 4, 0x85)
    static let longitude = Field(1, 4, 0x85)
    static let accuracy = Field(31, 1, 2)
    static let altitude = Field(2, 2, 0x84)
    static let enhancedAltitude = Field(78, 4, 0x86)
    static let speed = Field(6, 2, 0x84)
    static let enhancedSpeed = Field(73, 4, 0x86)
  }

  /// The messages so far, without header and checksum.
  var data: [UInt8] = []
  private var layouts: [Int: (fields: [Field], isBigEndian: Bool, developerBytes: Int)] = [:]

  /// Adds a definition.
  mutating func define(
    _ local: Int, global: Int, _ fields: [Field], isBigEndian: Bool = false,
    developerSizes: [Int] = []
  ) {
    data.append(0x40 | (developerSizes.isEmpty ? 0 : 0x20) | UInt8(local))
    data += [0, isBigEndian ? 1 : 0]
    data += Self.bytes(global, 2, isBigEndian) + [UInt8(fields.count)]
    for field in fields { data += [field.number, UInt8(field.size), field.baseType] }
    if !developerSizes.isEmpty {
      data.append(UInt8(developerSizes.count))
      for size in developerSizes { data += [7, UInt8(size), 0] }
    }
    layouts[local] = (fields, isBigEndian, developerSizes.reduce(0, +))
  }

  /// Adds a message. Values beyond the first element of an array, and developer fields, are filled.
  mutating func message(_ local: Int, _ values: [Int], timeBits: Int? = nil, fill: UInt8 = 0x55) {
    guard let layout = layouts[local] else { return data.append(UInt8(local)) }
    data.append(timeBits.map { 0x80 | UInt8(local) << 5 | UInt8($0) } ?? UInt8(local))
    for (field, value) in zip(layout.fields, values) {
      let width = min(field.size, [0x86: 4, 0x85: 4, 0x84: 2, 0x83: 2][field.baseType] ?? 1)
      data += Self.bytes(value, width, layout.isBigEndian)
      data += [UInt8](repeating: fill, count: field.size - width)
    }
    data += [UInt8](repeating: fill, count: layout.developerBytes)
  }

  /// Adds a definition and a message of the kind of the file.
  mutating func fileType(_ type: Int) {
    define(15, global: 0, [Field(0, 1, 0)])
    message(15, [type])
  }

  /// Adds an event of the timer.
  mutating func timer(_ type: Int) {
    define(14, global: 21, [Field(0, 1, 0), Field(1, 1, 0)])
    message(14, [0, type])
  }

  /// The file: header, data and checksum.
  func file(headerSize: Int = 14, length: Int? = nil) -> [UInt8] {
    let length = length ?? data.count
    var bytes: [UInt8] = [UInt8(headerSize), 0x20, 0x54, 0x08]
    bytes += Self.bytes(length, 4, false) + Array(".FIT".utf8)
    if headerSize >= 14 { bytes += Self.bytes(Self.checksum(bytes), 2, false) }
    bytes += [UInt8](repeating: 0, count: headerSize - bytes.count)
    bytes += data
    return bytes + Self.bytes(Self.checksum(bytes), 2, false)
  }

  static func bytes(_ value: Int, _ count: Int, _ isBigEndian: Bool) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }

  /// CRC-16 bit by bit.
  static func checksum(_ bytes: [UInt8]) -> Int {
    var sum = 0
    for byte in bytes {
      sum ^= Int(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
    }
    return sum
  }
}
