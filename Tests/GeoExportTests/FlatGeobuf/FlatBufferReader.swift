/// Reads FlatBuffers as slowly and plainly as their documentation describes them. Every number must
/// be aligned to its size.
struct FlatBufferReader {
  let bytes: [UInt8]
  private(set) var misaligned = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func number(_ place: Int, width: Int) -> UInt64 {
    if place % width != 0 { misaligned += 1 }
    return (0..<width).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
  }

  mutating func reference(at place: Int) -> Int { place + Int(number(place, width: 4)) }

  /// The place of a field of a table; nil if it is absent.
  mutating func field(_ slot: Int, of table: Int) -> Int? {
    let distance = Int(Int32(truncatingIfNeeded: number(table, width: 4)))
    let virtualTable = table - distance
    guard 4 + 2 * slot < Int(number(virtualTable, width: 2)) else { return nil }
    let offset = Int(number(virtualTable + 4 + 2 * slot, width: 2))
    return offset == 0 ? nil : table + offset
  }

  mutating func number(_ slot: Int, of table: Int, width: Int) -> UInt64? {
    field(slot, of: table).map { number($0, width: width) }
  }

  /// The places of the elements of a vector that a field refers to.
  mutating func vector(_ slot: Int, of table: Int, width: Int) -> [Int]? {
    guard let field = field(slot, of: table) else { return nil }
    let vector = reference(at: field)
    return (0..<Int(number(vector, width: 4))).map { vector + 4 + $0 * width }
  }

  mutating func text(_ slot: Int, of table: Int) -> String? {
    guard let places = vector(slot, of: table, width: 1) else { return nil }
    let end = (places.last ?? (reference(at: field(slot, of: table) ?? 0) + 3)) + 1
    guard bytes[end] == 0 else { return nil }
    return String(decoding: places.map { bytes[$0] }, as: UTF8.self)
  }

  mutating func doubles(_ slot: Int, of table: Int) -> [Double]? {
    vector(slot, of: table, width: 8)?.map { Double(bitPattern: number($0, width: 8)) }
  }

  mutating func table(_ slot: Int, of table: Int) -> Int? {
    field(slot, of: table).map { reference(at: $0) }
  }
}
