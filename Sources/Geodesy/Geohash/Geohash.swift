/// An error about a text that is not a geohash.
///
/// ```swift
/// do {
///   print(try Geohash("sxk97a"))
/// } catch GeohashError.character(let character) {
///   print("\(character) is not used in a geohash.")
/// }
/// ```
public enum GeohashError: Error, Equatable, Sendable {
  /// Empty, or longer than 12 characters.
  case length(Int)
  /// A character outside `0123456789bcdefghjkmnpqrstuvwxyz` (a, i, l and o are not used).
  case character(Character)
}

/// A geohash: longitude and latitude halved in turn, five bits a character, longitude first.
///
/// ```swift
/// let geohash = Geohash(here, length: 6)
/// print(geohash, geohash.bounds.south, geohash.prefix(4))
/// ```
///
/// - Source: G. Niemeyer's geohash.org (2008); the alphabet and bit order are described in the
///   public domain.
public struct Geohash: Hashable, Sendable, CustomStringConvertible {
  /// The bits: `5 × length` of them at the low end, those of the first character first.
  package let bits: UInt64
  /// The number of characters, 1...12.
  public let length: Int

  /// The number of characters stored in a store: a cell of 9 characters is 4.8 m × 4.8 m at the
  /// equator (360° / 2²³ × 111.3 km/°, 180° / 2²² × 110.6 km/°).
  package static let storedLength = 9

  init(bits: UInt64, length: Int) {
    self.bits = bits
    self.length = length
  }

  static let alphabet = Array("0123456789bcdefghjkmnpqrstuvwxyz".utf8)

  /// Creates the geohash of a coordinate. `length` is clamped to 1...12; by default it is the one
  /// that stores use.
  ///
  /// - Complexity: O(1).
  public init(_ coordinate: Coordinate, length: Int = 9) {
    let length = min(12, max(1, length))
    self.init(
      column: Self.column(longitudeE7: coordinate.longitudeE7, length: length),
      row: Self.row(latitudeE7: coordinate.latitudeE7, length: length), length: length)
  }

  /// Reads a geohash in upper or lower case.
  ///
  /// - Throws: ``GeohashError`` for an invalid length or character.
  public init(_ text: some StringProtocol) throws(GeohashError) {
    guard (1...12).contains(text.count) else { throw .length(text.count) }
    var bits: UInt64 = 0
    for character in text {
      guard let ascii = character.lowercased().utf8.first, character.utf8.count == 1,
        let value = Self.alphabet.firstIndex(of: ascii)
      else { throw .character(character) }
      bits = bits << 5 | UInt64(value)
    }
    self.bits = bits
    length = text.count
  }

  /// The larger geohash cell given by the first characters.
  ///
  /// - Precondition: `length` is 1...`self.length`.
  public func prefix(_ length: Int) -> Geohash {
    precondition(
      (1...self.length).contains(length), "a geohash begins with fewer characters than it has")
    return Geohash(bits: bits >> UInt64(5 * (self.length - length)), length: length)
  }

  /// The text: `length` characters in lower case.
  public var description: String {
    String(unsafeUninitializedCapacity: length) { write(to: $0) }
  }

  /// Writes the text in ASCII at the start of a buffer.
  ///
  /// Sound: it writes `length` bytes, for which its callers have made room.
  ///
  /// - Precondition: `buffer` has room for `length` bytes.
  /// - Returns: `length`.
  package func write(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    for index in 0..<length {
      buffer[index] = Self.alphabet[Int(bits >> UInt64(5 * (length - 1 - index)) & 31)]
    }
    return length
  }

  /// The cell of the geohash in degrees; its northern and eastern edges belong to the neighbors.
  public var bounds: (south: Double, west: Double, north: Double, east: Double) {
    let longitudeBits = Self.longitudeBits(length: length)
    let latitudeBits = Self.latitudeBits(length: length)
    let even = latitudeBits == longitudeBits
    let x = Double(Self.gather(even ? bits >> 1 : bits))
    let y = Double(Self.gather(even ? bits : bits >> 1))
    let width = 360 / Double(1 << longitudeBits)
    let height = 180 / Double(1 << latitudeBits)
    return (y * height - 90, x * width - 180, (y + 1) * height - 90, (x + 1) * width - 180)
  }

  /// Moves bit n to bit 2n, for up to 32 bits.
  static func spread(_ value: UInt64) -> UInt64 {
    var bits = value & 0xFFFF_FFFF
    bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
    bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits << 2) & 0x3333_3333_3333_3333
    return (bits | bits << 1) & 0x5555_5555_5555_5555
  }

  /// Moves bit 2n to bit n: the inverse of `spread`.
  static func gather(_ value: UInt64) -> UInt64 {
    var bits = value & 0x5555_5555_5555_5555
    bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
    bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
    return (bits | bits >> 16) & 0x0000_0000_FFFF_FFFF
  }
}
