import TestSupport
import Testing

@testable import Geodesy

@Suite struct GeohashTests {
  /// Halves the ranges bit by bit, as in the definition.
  private func slowGeohash(_ coordinate: Coordinate, length: Int) -> String {
    // In units of 1e-7 degree times 2^36, so that every halving is exact in 128 bits.
    var (south, north) = (Int128(-900_000_000) << 36, Int128(900_000_000) << 36)
    var (west, east) = (Int128(-1_800_000_000) << 36, Int128(1_800_000_000) << 36)
    let (y, x) = (Int128(coordinate.latitudeE7) << 36, Int128(coordinate.longitudeE7) << 36)
    var text = ""
    var isLongitude = true
    for _ in 0..<length {
      var value = 0
      for _ in 0..<5 {
        if isLongitude {
          let middle = (west + east) / 2
          if x >= middle {
            (value, west) = (value * 2 + 1, middle)
          } else {
            (value, east) = (value * 2, middle)
          }
        } else {
          let middle = (south + north) / 2
          if y >= middle {
            (value, south) = (value * 2 + 1, middle)
          } else {
            (value, north) = (value * 2, middle)
          }
        }
        isLongitude.toggle()
      }
      text.append(Array("0123456789bcdefghjkmnpqrstuvwxyz")[value])
    }
    return text
  }

  @Test func `known coordinates have their known geohashes`() {
    #expect(Geohash(Coordinate(57.649_11, 10.407_44), length: 11).description == "u4pruydqqvj")
    #expect(Geohash(Coordinate(42.605, -5.603), length: 5).description == "ezs42")
  }

  @Test(arguments: Seeds.sample(200))
  func `encoding equals halving the ranges bit by bit`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let corners: [Coordinate] = [
      Coordinate(90, 180), Coordinate(-90, -180), Coordinate(90, -180), Coordinate(0, 0),
      Coordinate(45, 90), Coordinate(-45, -90), Coordinate(89.999_999_9, 179.999_999_9),
    ]
    let coordinate =
      seed <= UInt64(corners.count) ? corners[Int(seed) - 1] : Coordinate.random(using: &random)
    for length in 1...12 {
      #expect(
        Geohash(coordinate, length: length).description == slowGeohash(coordinate, length: length))
    }
  }

  @Test(arguments: Seeds.sample(100))
  func `a geohash is parsed back unchanged, and its cell contains the coordinate`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let coordinate = Coordinate.random(using: &random)
    for length in 1...12 {
      let hash = Geohash(coordinate, length: length)
      #expect(try Geohash(hash.description) == hash)
      #expect(try Geohash(hash.description.uppercased()) == hash)
      let cell = hash.bounds
      #expect(cell.south <= coordinate.latitudeDegrees + 1e-9)
      #expect(cell.north >= coordinate.latitudeDegrees - 1e-9)
      #expect(cell.west <= coordinate.longitudeDegrees + 1e-9)
      #expect(cell.east >= coordinate.longitudeDegrees - 1e-9)
    }
  }

  @Test(arguments: Seeds.sample(50))
  func `a prefix is the geohash of fewer characters`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let coordinate = Coordinate.random(using: &random)
    let whole = Geohash(coordinate, length: 12)
    for length in 1...12 {
      #expect(whole.prefix(length) == Geohash(coordinate, length: length))
      #expect(whole.description.hasPrefix(whole.prefix(length).description))
    }
  }

  @Test func `invalid geohashes are refused with a reason`() {
    #expect(throws: GeohashError.length(0)) { try Geohash("") }
    #expect(throws: GeohashError.length(13)) { try Geohash("0123456789bcd") }
    #expect(throws: GeohashError.character("a")) { try Geohash("u4a") }
    #expect(throws: GeohashError.character("é")) { try Geohash("u4é") }
  }

  @Test(arguments: Seeds.sample(60))
  func `a covering contains the cells of all points in its box, each once`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let center = Coordinate.random(using: &random)
    let box = BoundingBox(
      around: center, radiusMeters: Double.random(in: 1...400_000, using: &random))
    for length in 1...3 {
      let cover = Geohash.Cover(of: box, length: length)
      var cells: [Geohash] = []
      for row in cover.rows {
        for column in cover.columns.joined() {
          cells.append(Geohash(column: column, row: row, length: length))
        }
      }
      #expect(cells.count == cover.count)
      #expect(Set(cells).count == cells.count)
      for _ in 0..<50 {
        let inside = center.randomNeighbor(within: 400_000, using: &random)
        guard box.contains(inside) else { continue }
        #expect(cells.contains(Geohash(inside, length: length)))
      }
    }
  }

  @Test(arguments: Seeds.sample(40))
  func `the first longitude and latitude of a cell are in it, and those before are not`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    let length = Int(seed % 12) + 1
    let columns = 1 << Geohash.longitudeBits(length: length)
    let rows = 1 << Geohash.latitudeBits(length: length)
    let some = (0..<40).map { _ in Int.random(in: 0..<columns, using: &random) }
    for column in [0, 1, columns - 1] + some {
      let west = Geohash.firstLongitudeE7(column: column, length: length)
      #expect(Geohash.column(longitudeE7: west, length: length) == column)
      if column > 0 { #expect(Geohash.column(longitudeE7: west - 1, length: length) == column - 1) }
    }
    for row in [0, 1, rows - 1] + some.map({ $0 % rows }) {
      let south = Geohash.firstLatitudeE7(row: row, length: length)
      #expect(Geohash.row(latitudeE7: south, length: length) == row)
      if row > 0 { #expect(Geohash.row(latitudeE7: south - 1, length: length) == row - 1) }
    }
    #expect(Geohash.firstLongitudeE7(column: columns, length: length) == 1_800_000_000)
    #expect(Geohash.firstLatitudeE7(row: rows, length: length) == 900_000_000)
  }

  @Test func `a covering of the whole Earth has all cells`() {
    #expect(Geohash.Cover(of: .world, length: 1).count == 32)
    #expect(Geohash.Cover(of: .world, length: 2).count == 1_024)
  }

  @Test(arguments: Seeds.sample(60))
  func `the text range of a geohash contains exactly the texts that begin with it`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let prefix = Geohash(
      Coordinate.random(using: &random), length: Int.random(in: 1...8, using: &random))
    let range = prefix.textRange
    for _ in 0..<200 {
      // Often near the cell, because neighbors share its first characters.
      let bounds = prefix.bounds
      let near = Coordinate(
        min(
          90, max(-90, Double.random(in: bounds.south - 0.01...bounds.north + 0.01, using: &random))
        ),
        min(
          180, max(-180, Double.random(in: bounds.west - 0.01...bounds.east + 0.01, using: &random))
        ))
      let text = Geohash(near).description
      #expect((text >= range.from && text < range.below) == text.hasPrefix(prefix.description))
    }
  }
}
