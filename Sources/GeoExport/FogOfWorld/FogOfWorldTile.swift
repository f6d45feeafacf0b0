import ByteStreams
import Geodesy

/// The explored pixels of one tile of Fog of World, which a file holds.
///
/// The layout is described in `docs/formats/fog-of-world.md`.
struct FogOfWorldTile {
  /// The pixels across a tile, and down.
  static let width = 1 << 13
  /// The blocks across a tile, and down.
  static let blocksAcross = 128
  /// The pixels across a block, and down.
  static let blockWidth = 64
  /// The bytes of a block: its pixels, its country and the number of explored pixels.
  static let blockBytes = 8 * blockWidth + 3
  /// The tiles across the world, and from its northern to its southern edge.
  static let tilesAcrossWorld = 512
  /// The pixels across the world.
  static let pixelsAcrossWorld = width * tilesAcrossWorld

  /// The place of the tile: its row from the north, and its column from the west.
  let row: Int
  let column: Int
  /// For each place of a block, row by row from the northwest, its number, counted from 1 in the
  /// order in which blocks were explored; 0 if nothing in it is.
  private var numbers = [UInt16](repeating: 0, count: blocksAcross * blocksAcross)
  /// The 64 rows of each block; the most significant bit is the westernmost pixel.
  private var words: [UInt64] = []

  init(row: Int, column: Int) { (self.row, self.column) = (row, column) }

  /// Explores a rectangle of pixels. Columns and rows are counted from the northwest of the tile.
  mutating func explore(_ columns: Range<Int>, rows: Range<Int>) {
    var y = rows.lowerBound
    while y < rows.upperBound {
      let (blockRow, top) = y.quotientAndRemainder(dividingBy: Self.blockWidth)
      let height = min(Self.blockWidth - top, rows.upperBound - y)
      var x = columns.lowerBound
      while x < columns.upperBound {
        let (block, bit) = x.quotientAndRemainder(dividingBy: Self.blockWidth)
        let count = min(Self.blockWidth - bit, columns.upperBound - x)
        let ones: UInt64 = count == 64 ? ~0 : (1 << UInt64(count) &- 1) << UInt64(64 - bit - count)
        let number = number(ofBlock: blockRow * Self.blocksAcross + block)
        let first = (number - 1) * Self.blockWidth + top
        for row in first..<first + height { words[row] |= ones }
        x += count
      }
      y += height
    }
  }

  private mutating func number(ofBlock place: Int) -> Int {
    if numbers[place] == 0 {
      words += [UInt64](repeating: 0, count: Self.blockWidth)
      numbers[place] = UInt16(words.count / Self.blockWidth)
    }
    return Int(numbers[place])
  }

  /// The number of explored pixels.
  var pixelCount: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// The bytes of the tile before they are compressed.
  ///
  /// Sound: the array has 2 bytes for each place of a block and `blockBytes` for each explored
  /// block, and no more are stored; its buffer is used only during the call.
  ///
  /// - Parameter country: the two letters of the country at a position, `A` to `Z`; nil for none.
  func bytes(country: (Coordinate) -> String?) -> [UInt8] {
    let tableBytes = 2 * numbers.count
    let blockCount = words.count / Self.blockWidth
    var bytes = [UInt8](repeating: 0, count: tableBytes + blockCount * Self.blockBytes)
    bytes.withUnsafeMutableBytes { bytes in
      var next = 0
      for (place, number) in numbers.enumerated() where number > 0 {
        let start = tableBytes + next * Self.blockBytes
        next += 1
        bytes.storeBytes(of: UInt16(next).littleEndian, toByteOffset: 2 * place, as: UInt16.self)
        let first = (Int(number) - 1) * Self.blockWidth
        var count = 0
        for row in 0..<Self.blockWidth {
          let word = words[first + row]
          count += word.nonzeroBitCount
          bytes.storeBytes(of: word.bigEndian, toByteOffset: start + 8 * row, as: UInt64.self)
        }
        let letters = country(center(ofBlock: place)).map(Self.code) ?? 0
        let last = letters << 14 | count << 1 | 1
        for (place, shift) in [16, 8, 0].enumerated() {
          bytes[start + 8 * Self.blockWidth + place] = UInt8(truncatingIfNeeded: last >> shift)
        }
      }
    }
    return bytes
  }

  /// The letters of a country in 10 bits, counted from `?`; 0 for a text that is not two letters.
  private static func code(_ country: String) -> Int {
    let letters = country.utf8.map { Int($0) - 0x3F }
    guard letters.count == 2, letters.allSatisfy({ (0..<32).contains($0) }) else { return 0 }
    return letters[0] << 5 | letters[1]
  }

  private func center(ofBlock place: Int) -> Coordinate {
    let (y, x) = place.quotientAndRemainder(dividingBy: Self.blocksAcross)
    let count = Double(Self.tilesAcrossWorld * Self.blocksAcross)
    return WebMercator.coordinate(
      x: (Double(column * Self.blocksAcross + x) + 0.5) / count,
      y: (Double(row * Self.blocksAcross + y) + 0.5) / count)
  }

  /// The name of the tile's file in the folder `Sync`.
  var name: String { FogOfWorldTile.name(ofTile: row * Self.tilesAcrossWorld + column) }

  private static let numberLetters = Array("olhwjsktri".utf8)
  private static let checkLetters = Array("eizxdwknmo".utf8)

  /// The name of a tile by its number: the beginning of a digest, the number, and its last two
  /// digits.
  static func name(ofTile number: Int) -> String {
    let digits = String(number)
    var letters = digits.utf8.map { numberLetters[Int($0) - 0x30] }
    letters.append(checkLetters[number / 10 % 10])
    letters.append(checkLetters[number % 10])
    return ShortMD5.hexadecimal(digits.utf8).prefix(4) + String(decoding: letters, as: UTF8.self)
  }
}
