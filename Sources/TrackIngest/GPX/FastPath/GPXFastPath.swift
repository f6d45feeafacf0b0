/// Reads a whole plain track point, with the helpers of ``XMLFastPath``.
///
/// It handles only what almost every file contains: `lat` and `lon` as plain decimals, `ele`,
/// `time`, `hdop`, other leaves, and extensions without attributes. At the first unexpected byte it
/// returns nil, and the exact path reads the same point again. Both paths give the same values.
///
/// - Bounds: those of ``XMLFastPath``.
enum GPXFastPath {
  typealias Fast = XMLFastPath
  /// A position in the piece that is scanned: see *Bounds*.
  typealias Position = XMLFastPath.Position

  // The bytes of tags, the first in the lowest place.
  private static var trackPointStart: UInt64 { 0x0000_7470_6B72_743C }  // <trkpt
  private static var trackPointEnd: UInt64 { 0x3E74_706B_7274_2F3C }  // </trkpt>
  private static var elevationStart: UInt64 { 0x0000_003E_656C_653C }  // <ele>
  private static var elevationEnd: UInt64 { 0x0000_3E65_6C65_2F3C }  // </ele>
  private static var timeStart: UInt64 { 0x0000_3E65_6D69_743C }  // <time>
  private static var timeEnd: UInt64 { 0x003E_656D_6974_2F3C }  // </time>
  private static var hdopStart: UInt64 { 0x0000_3E70_6F64_683C }  // <hdop>
  private static var hdopEnd: UInt64 { 0x003E_706F_6468_2F3C }  // </hdop>
  private static var latitudeName: UInt32 { 0x3D74_616C }  // lat=
  private static var longitudeName: UInt32 { 0x3D6E_6F6C }  // lon=

  private static var fiveBytes: UInt64 { 0xFF_FFFF_FFFF }
  private static var sixBytes: UInt64 { 0xFFFF_FFFF_FFFF }
  private static var sevenBytes: UInt64 { 0xFF_FFFF_FFFF_FFFF }

  /// Reads the point that begins at `start`, which must be `<`. Returns the position after its end,
  /// or nil.
  @inline(__always)
  static func point(
    at start: Position, limit: Position, latestTime: Int64, into point: inout GPXPoint,
    dates: inout Fast.DateCache
  ) -> Position? {
    guard start <= limit, Fast.load(start) & sixBytes == trackPointStart else { return nil }
    var at = start + 6
    while Fast.isSpace(at.pointee) {
      at = Fast.skipSpaces(at, limit)
      guard at <= limit else { return nil }
      let name = UInt32(truncatingIfNeeded: Fast.load(at))
      guard name == latitudeName || name == longitudeName else { break }
      let quote = at[4]
      guard quote == 0x22 || quote == 0x27 else { return nil }
      at += 5
      let isLatitude = name == latitudeName
      guard
        let value = Fast.degreesE7(&at, limit, limitE7: isLatitude ? 900_000_000 : 1_800_000_000),
        at.pointee == quote
      else { return nil }
      at += 1
      if isLatitude {
        guard point.latitude == .missing else { return nil }
        point.latitude = .value(value)
      } else {
        guard point.longitude == .missing else { return nil }
        point.longitude = .value(value)
      }
    }
    guard at <= limit, point.latitude != .missing, point.longitude != .missing else { return nil }
    if at.pointee == 0x2F { return at[1] == 0x3E ? at + 2 : nil }
    guard at.pointee == 0x3E else { return nil }
    return children(
      after: at + 1, limit: limit, latestTime: latestTime, into: &point, dates: &dates)
  }

  /// Reads the children of a point, and its end tag.
  @inline(__always)
  private static func children(
    after start: Position, limit: Position, latestTime: Int64, into point: inout GPXPoint,
    dates: inout Fast.DateCache
  ) -> Position? {
    var at = start
    while true {
      at = Fast.skipSpaces(at, limit)
      guard at <= limit else { return nil }
      let word = Fast.load(at)
      if word & fiveBytes == elevationStart {
        guard point.elevation == nil else { return nil }
        at += 5
        let number = Fast.number(&at, limit)
        guard at <= limit, Fast.load(at) & sixBytes == elevationEnd else { return nil }
        if let number, number.isFinite { point.elevation = number }
        at += 6
      } else if word & sixBytes == timeStart {
        guard !point.hasTime, let (next, time) = Fast.time(at + 6, limit, &dates),
          Fast.load(next) & sevenBytes == timeEnd, time >= 0, time <= latestTime
        else { return nil }
        point.hasTime = true
        point.time = time
        at = next + 7
      } else if word == trackPointEnd {
        return at + 8
      } else if word & sixBytes == hdopStart {
        guard point.hdop == nil else { return nil }
        at += 6
        let number = Fast.number(&at, limit)
        guard at <= limit, Fast.load(at) & sevenBytes == hdopEnd else { return nil }
        if let number, number.isFinite { point.hdop = number }
        at += 7
      } else {
        guard word & 0xFF == 0x3C,
          let next = element(at, limit, isChildOfPoint: true, depth: 0, into: &point)
        else { return nil }
        at = next
      }
    }
  }

  // MARK: - Further elements

  /// Reads an element without attributes that begins at `start`, with its contents.
  private static func element(
    _ start: Position, _ limit: Position, isChildOfPoint: Bool, depth: Int,
    into point: inout GPXPoint
  ) -> Position? {
    let name = start + 1
    guard Fast.isLetter(name.pointee) else { return nil }
    var at = name + 1
    var colon: Position?
    let longest = name + Fast.longestName
    while at < longest, Fast.isNameByte(at.pointee) {
      if at.pointee == 0x3A, colon == nil { colon = at }
      at += 1
    }
    guard at <= limit else { return nil }
    let length = at - name
    let local = colon.map { $0 + 1 } ?? name
    var leaf = GPXElement.named(UnsafeBufferPointer(start: local, count: at - local))
    if isChildOfPoint {
      switch leaf {
      case .other, .accuracy, .speed: break
      case .extensions where colon == nil: break
      default: return nil
      }
    } else if leaf != .accuracy, leaf != .speed {
      leaf = .other
    }
    if at.pointee == 0x2F { return at[1] == 0x3E ? at + 2 : nil }
    guard at.pointee == 0x3E else { return nil }
    let text = at + 1
    guard var markup = Fast.textEnd(text, limit) else { return nil }
    if markup[1] == 0x2F {
      let value = UnsafeBufferPointer(start: text, count: markup - text)
      guard take(value, as: leaf, into: &point) else { return nil }
      return Fast.end(markup, named: name, length: length, limit)
    }
    // Only extensions and elements inside them have children, and values do not.
    guard leaf == .extensions || (!isChildOfPoint && leaf == .other), depth < 8 else { return nil }
    repeat {
      guard
        let next = element(markup, limit, isChildOfPoint: false, depth: depth + 1, into: &point),
        let following = Fast.textEnd(next, limit)
      else { return nil }
      markup = following
    } while markup[1] != 0x2F
    return Fast.end(markup, named: name, length: length, limit)
  }

  /// Takes the text of an accuracy or speed, unless there was an earlier one.
  @inline(__always)
  private static func take(
    _ text: UnsafeBufferPointer<UInt8>, as leaf: GPXElement, into point: inout GPXPoint
  ) -> Bool {
    guard leaf == .accuracy || leaf == .speed else { return true }
    guard text.count <= XMLLimits.valueBytes else { return false }
    let number = DecimalText.double(text)
    if leaf == .accuracy {
      if point.accuracy == nil { point.accuracy = number }
    } else if point.speed == nil, let number, number.isFinite {
      point.speed = number
    }
    return true
  }
}
