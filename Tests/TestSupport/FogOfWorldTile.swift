import Foundation

/// A tile of Fog of World, made from the public description of the format, for tests of readers.
public struct FogOfWorldTile: Sendable {
  /// The number: the row from the north × 512 + the column from the west.
  public var number: Int
  /// The bitmaps of blocks, 512 bytes each, by place: the row from the north × 128 + the column.
  public private(set) var bitmaps: [Int: [UInt8]] = [:]
  /// Places whose blocks state a wrong number of pixels.
  public var miscountedPlaces: Set<Int> = []

  /// Creates a tile without blocks.
  public init(number: Int) { self.number = number }

  /// Sets a pixel, counted from the northwest corner of the tile, 0...8 191.
  public mutating func set(x: Int, y: Int) {
    let place = y / 64 * 128 + x / 64
    bitmaps[place, default: [UInt8](repeating: 0, count: 512)][y % 64 * 8 + x % 64 / 8] |=
      0x80 >> UInt8(x % 8)
  }

  /// Sets a rectangle of pixels.
  public mutating func set(x: Range<Int>, y: Range<Int>) {
    for y in y { for x in x { set(x: x, y: y) } }
  }

  /// The pixels of the world, 2²² across, that contain positions; and the tiles that have them.
  public static func tiles(
    at positions: [(latitude: Double, longitude: Double)]
  ) -> [FogOfWorldTile] {
    var tiles: [Int: FogOfWorldTile] = [:]
    for position in positions {
      let (x, y) = pixel(latitude: position.latitude, longitude: position.longitude)
      let number = y / 8192 * 512 + x / 8192
      tiles[number, default: FogOfWorldTile(number: number)].set(x: x % 8192, y: y % 8192)
    }
    return tiles.values.sorted { $0.number < $1.number }
  }

  /// The pixel of the world that contains a position.
  public static func pixel(latitude: Double, longitude: Double) -> (x: Int, y: Int) {
    let across = Double(1 << 22)
    let y = (1 - asinh(tan(latitude * .pi / 180)) / .pi) / 2
    return (Int((longitude + 180) / 360 * across), Int(y * across))
  }

  /// The number of set pixels.
  public var pixelCount: Int {
    bitmaps.values.reduce(0) { $0 + $1.reduce(0) { $0 + $1.nonzeroBitCount } }
  }

  /// The set pixels of the world.
  public var pixels: [(x: Int, y: Int)] {
    var found: [(x: Int, y: Int)] = []
    for (place, bitmap) in bitmaps {
      let x = number % 512 * 8192 + place % 128 * 64
      let y = number / 512 * 8192 + place / 128 * 64
      for bit in 0..<4096 {
        let mask: UInt8 = 0x80 >> UInt8(bit % 8)
        if bitmap[bit / 8] & mask != 0 { found.append((x + bit % 64, y + bit / 64)) }
      }
    }
    return found
  }

  // MARK: - Files

  /// The name that the app gives the file.
  public var name: String {
    let digits = String(number).compactMap(\.wholeNumberValue)
    let check = [number / 10 % 10, number % 10]
    return String(Self.md5(Array(String(number).utf8)).prefix(4))
      + String(digits.map { Array("olhwjsktri")[$0] })
      + String(check.map { Array("eizxdwknmo")[$0] })
  }

  /// The table and the blocks.
  public var expanded: [UInt8] {
    let places = bitmaps.keys.sorted()
    var table = [UInt8](repeating: 0, count: 32_768)
    var blocks: [UInt8] = []
    for (index, place) in places.enumerated() {
      table[2 * place] = UInt8((index + 1) % 256)
      table[2 * place + 1] = UInt8((index + 1) / 256)
      let bitmap = bitmaps[place] ?? []
      let count = bitmap.reduce(0) { $0 + $1.nonzeroBitCount }
      let stated = 2 * (miscountedPlaces.contains(place) ? (count + 7) % 4096 : count) + 1
      // The letters D and E as five bits each, then 14 bits for the count.
      let letters = (UInt32(0x44 - 63) << 5 | UInt32(0x45 - 63)) << 14 | UInt32(stated)
      blocks += bitmap + [16, 8, 0].map { UInt8(truncatingIfNeeded: letters >> $0) }
    }
    return table + blocks
  }

  /// The file.
  public var bytes: [UInt8] { Deflate.zlib(expanded) }

  /// The MD5 digest of fewer than 56 bytes as text, computed word by word as RFC 1321 describes it.
  public static func md5(_ message: [UInt8]) -> String {
    var padded = message + [0x80] + [UInt8](repeating: 0, count: 55 - message.count)
    padded += withUnsafeBytes(of: UInt64(message.count * 8).littleEndian) { Array($0) }
    let turns: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    let before = state
    for step in 0..<64 {
      let (b, c, d) = (state[1], state[2], state[3])
      let round = step / 16
      let mixed: [UInt32] = [b & c | ~b & d, d & b | ~d & c, b ^ c ^ d, c ^ (b | ~d)]
      let f = mixed[round]
      let g = [step, 5 * step + 1, 3 * step + 5, 7 * step][round] % 16
      let constant = UInt32(abs(sin(Double(step + 1))) * 4_294_967_296)
      let word = padded[4 * g..<4 * g + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let sum = state[0] &+ f &+ constant &+ word
      let turn = turns[round][step % 4]
      let turned = sum << turn | sum >> (32 - turn)
      state = [d, b &+ turned, b, c]
    }
    var text = ""
    for (old, new) in zip(before, state) {
      let word = (old &+ new).byteSwapped
      text += String(format: "%08x", word)
    }
    return text
  }
}
