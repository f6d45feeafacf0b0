/// The table at the beginning of a tile: for each of 128 × 128 places, row by row from the
/// northwest, the number of its block, counted from 1, or 0 if nothing in it is explored. Blocks
/// follow the table in the order of their numbers.
struct FogOfWorldTable {
  /// The number of blocks across a tile.
  static let width = 128
  private static let placeCount = width * width
  /// The bytes of the table: a number of 16 bits for each place, the low byte first.
  static let byteCount = 2 * placeCount

  /// The place of each block; nil for one without a place.
  private(set) var places: [Int?] = []

  /// Reads a table of ``byteCount`` bytes.
  ///
  /// - Throws: the reason to refuse the tile: a number that no tile can have, or one that occurs
  ///   twice.
  init(_ bytes: [UInt8]) throws(IngestError) {
    for place in 0..<Self.placeCount {
      let number = Int(bytes[2 * place]) + 256 * Int(bytes[2 * place + 1])
      if number == 0 { continue }
      guard number <= Self.placeCount else {
        throw IngestError(
          code: .malformed,
          message: "It is damaged: its table names block \(number), and a tile has at most "
            + "\(Self.placeCount).")
      }
      while places.count < number { places.append(nil) }
      guard places[number - 1] == nil else {
        throw IngestError(
          code: .malformed, message: "It is damaged: its table names block \(number) twice.")
      }
      places[number - 1] = place
    }
  }
}
