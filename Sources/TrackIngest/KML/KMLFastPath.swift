/// Reads plain positions and times of KML, with the helpers of ``XMLFastPath``.
///
/// At the first unexpected byte each function returns nil, and the exact path reads the same text
/// again. Both paths give the same values.
///
/// - Bounds: those of ``XMLFastPath``.
enum KMLFastPath {
  typealias Fast = XMLFastPath
  /// A position in the piece that is scanned: see *Bounds*.
  typealias Position = XMLFastPath.Position

  // The bytes of tags, the first in the lowest place.
  private static var whenStart: UInt64 { 0x0000_3E6E_6568_773C }  // <when>
  private static var whenEnd: UInt64 { 0x003E_6E65_6877_2F3C }  // </when>
  private static var gxStart: UInt64 { 0x726F_6F63_3A78_673C }  // <gx:coor
  private static var gxEnd: UInt64 { 0x6F6F_633A_7867_2F3C }  // </gx:coo
  private static var coordStart: UInt64 { 0x003E_6472_6F6F_633C }  // <coord>
  private static var coordEnd: UInt64 { 0x3E64_726F_6F63_2F3C }  // </coord>

  private static var sixBytes: UInt64 { 0xFFFF_FFFF_FFFF }
  private static var sevenBytes: UInt64 { 0xFF_FFFF_FFFF_FFFF }

  /// Reads the `when` at `start`. Returns the time and the position after the element.
  @inline(__always)
  static func when(
    _ start: Position, _ limit: Position, latestTime: Int64, _ dates: inout Fast.DateCache
  ) -> (Position, Int64)? {
    guard start <= limit, Fast.load(start) & sixBytes == whenStart,
      let (next, time) = Fast.time(start + 6, limit, &dates),
      Fast.load(next) & sevenBytes == whenEnd, time >= 0, time <= latestTime
    else { return nil }
    return (next + 7, time)
  }

  /// Reads the `gx:coord` or `coord` at `start`. Returns the position after the element.
  @inline(__always)
  static func coord(_ start: Position, _ limit: Position) -> (
    Position, longitude: Int32, latitude: Int32, elevation: Double?
  )? {
    guard start <= limit else { return nil }
    let word = Fast.load(start)
    let isPrefixed = word == gxStart && start[8] == 0x64 && start[9] == 0x3E
    guard isPrefixed || word & sevenBytes == coordStart else { return nil }
    var at = start + (isPrefixed ? 10 : 7)
    guard let longitude = Fast.degreesE7(&at, limit, limitE7: 1_800_000_000), at <= limit,
      at.pointee == 0x20
    else { return nil }
    at += 1
    guard let latitude = Fast.degreesE7(&at, limit, limitE7: 900_000_000), at <= limit else {
      return nil
    }
    var elevation: Double?
    if at.pointee == 0x20 {
      at += 1
      guard let number = Fast.decimal(&at, limit) else { return nil }
      elevation = number
    }
    guard at <= limit else { return nil }
    let end = Fast.load(at)
    if isPrefixed {
      guard end == gxEnd, at[8] == 0x72, at[9] == 0x64, at[10] == 0x3E else { return nil }
      return (at + 11, longitude, latitude, elevation)
    }
    return end == coordEnd ? (at + 8, longitude, latitude, elevation) : nil
  }

  /// Reads the `longitude,latitude[,elevation]` at `start`, and the blank or `<` after it, which it
  /// does not consume.
  @inline(__always)
  static func tuple(_ start: Position, _ limit: Position) -> (
    Position, longitude: Int32, latitude: Int32, elevation: Double?
  )? {
    var at = start
    guard let longitude = Fast.degreesE7(&at, limit, limitE7: 1_800_000_000), at <= limit,
      at.pointee == 0x2C
    else { return nil }
    at += 1
    guard let latitude = Fast.degreesE7(&at, limit, limitE7: 900_000_000), at <= limit else {
      return nil
    }
    var elevation: Double?
    if at.pointee == 0x2C {
      at += 1
      guard let number = Fast.decimal(&at, limit), at <= limit else { return nil }
      elevation = number
    }
    return Fast.isSpace(at.pointee) ? (at, longitude, latitude, elevation) : nil
  }
}
