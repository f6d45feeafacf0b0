/// Reads a whole plain track point that is in one run of memory, several bytes at a time.
///
/// It handles only what almost every file contains: `lat` and `lon` as plain decimals, `ele`,
/// `time`, `hdop`, other leaves, and extensions without attributes. At the first unexpected byte it
/// returns nil, and the exact path reads the same point again. Both paths give the same values.
///
/// - Bounds: `limit` is ``slack`` bytes before the end of the memory. Every position is checked to
///   be at most `limit`, or at most `slack - 8` bytes after a checked one, before it is read.
enum GPXFastPath {
  /// A position in the piece that is scanned: see *Bounds*.
  typealias Position = UnsafePointer<UInt8>

  /// The number of bytes that must follow a checked position: the longest run read without a check
  /// (a time with its end tag, 31 bytes) and one load of 8.
  static let slack = 64
  /// The longest name that is read: with the load after it, it ends within the slack.
  private static var longestName: Int { 48 }

  /// The last date read: the next point almost always has the same.
  struct DateCache {
    /// The bytes `YYYY-MM-` and `DD`.
    var yearAndMonth: UInt64 = 0
    var day: UInt16 = 0
    /// Midnight of that day in milliseconds since 1970.
    var midnight: Int64 = 0
  }

  // The bytes of tags, the first in the lowest place.
  private static var trackPointStart: UInt64 { 0x0000_7470_6B72_743C }  // <trkpt
  private static var trackPointEnd: UInt64 { 0x3E74_706B_7274_2F3C }  // </trkpt>
  private static var elevationStart: UInt64 { 0x0000_003E_656C_653C }  // <ele>
  private static var elevationEnd: UInt64 { 0x0000_3E65_6C65_2F3C }  // </ele>
  private static var timeStart: UInt64 { 0x0000_3E65_6D69_743C }  // <time>
  static var timeEnd: UInt64 { 0x003E_656D_6974_2F3C }  // </time>
  static var zuluTimeEnd: UInt64 { 0x3E65_6D69_742F_3C5A }  // Z</time>
  private static var hdopStart: UInt64 { 0x0000_3E70_6F64_683C }  // <hdop>
  private static var hdopEnd: UInt64 { 0x003E_706F_6468_2F3C }  // </hdop>
  private static var latitudeName: UInt32 { 0x3D74_616C }  // lat=
  private static var longitudeName: UInt32 { 0x3D6E_6F6C }  // lon=

  private static var fiveBytes: UInt64 { 0xFF_FFFF_FFFF }
  private static var sixBytes: UInt64 { 0xFFFF_FFFF_FFFF }
  static var sevenBytes: UInt64 { 0xFF_FFFF_FFFF_FFFF }

  /// Reads the point that begins at `start`, which must be `<`. Returns the position after its end,
  /// or nil.
  @inline(__always)
  static func point(
    at start: Position, limit: Position, latestTime: Int64, into point: inout GPXPoint,
    dates: inout DateCache
  ) -> Position? {
    guard start <= limit, load(start) & sixBytes == trackPointStart else { return nil }
    var at = start + 6
    while isSpace(at.pointee) {
      at = skipSpaces(at, limit)
      guard at <= limit else { return nil }
      let name = UInt32(truncatingIfNeeded: load(at))
      guard name == latitudeName || name == longitudeName else { break }
      let quote = at[4]
      guard quote == 0x22 || quote == 0x27 else { return nil }
      at += 5
      let isLatitude = name == latitudeName
      guard let value = degreesE7(&at, limit, limitE7: isLatitude ? 900_000_000 : 1_800_000_000),
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
    dates: inout DateCache
  ) -> Position? {
    var at = start
    while true {
      at = skipSpaces(at, limit)
      guard at <= limit else { return nil }
      let word = load(at)
      if word & fiveBytes == elevationStart {
        guard point.elevation == nil else { return nil }
        at += 5
        let number = number(&at, limit)
        guard at <= limit, load(at) & sixBytes == elevationEnd else { return nil }
        if let number, number.isFinite { point.elevation = number }
        at += 6
      } else if word & sixBytes == timeStart {
        guard !point.hasTime, let (next, time) = time(at + 6, limit, &dates), time >= 0,
          time <= latestTime
        else { return nil }
        point.hasTime = true
        point.time = time
        at = next
      } else if word == trackPointEnd {
        return at + 8
      } else if word & sixBytes == hdopStart {
        guard point.hdop == nil else { return nil }
        at += 6
        let number = number(&at, limit)
        guard at <= limit, load(at) & sevenBytes == hdopEnd else { return nil }
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
    guard isLetter(name.pointee) else { return nil }
    var at = name + 1
    var colon: Position?
    let longest = name + longestName
    while at < longest, isNameByte(at.pointee) {
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
    guard var markup = textEnd(text, limit) else { return nil }
    if markup[1] == 0x2F {
      let value = UnsafeBufferPointer(start: text, count: markup - text)
      guard take(value, as: leaf, into: &point) else { return nil }
      return end(markup, named: name, length: length, limit)
    }
    // Only extensions and elements inside them have children, and values do not.
    guard leaf == .extensions || (!isChildOfPoint && leaf == .other), depth < 8 else { return nil }
    repeat {
      guard
        let next = element(markup, limit, isChildOfPoint: false, depth: depth + 1, into: &point),
        let following = textEnd(next, limit)
      else { return nil }
      markup = following
    } while markup[1] != 0x2F
    return end(markup, named: name, length: length, limit)
  }

  /// Takes the text of an accuracy or speed, unless there was an earlier one.
  @inline(__always)
  private static func take(
    _ text: UnsafeBufferPointer<UInt8>, as leaf: GPXElement, into point: inout GPXPoint
  ) -> Bool {
    guard leaf == .accuracy || leaf == .speed else { return true }
    guard text.count <= GPXLimits.valueBytes else { return false }
    let number = DecimalText.double(text)
    if leaf == .accuracy {
      if point.accuracy == nil { point.accuracy = number }
    } else if point.speed == nil, let number, number.isFinite {
      point.speed = number
    }
    return true
  }

  /// The position after the end tag at `markup`, if it closes the element whose name begins at
  /// `name`.
  @inline(__always)
  private static func end(_ markup: Position, named name: Position, length: Int, _ limit: Position)
    -> Position?
  {
    let end = markup + 2
    guard end + length <= limit else { return nil }
    // Eight bytes at a time; of the last word only the bytes of the name.
    var done = 0
    while length - done >= 8 {
      guard load(end + done) == load(name + done) else { return nil }
      done += 8
    }
    let rest = UInt64(8 &* (length - done))
    guard (load(end + done) ^ load(name + done)) & ((1 << rest) &- 1) == 0 else { return nil }
    return end[length] == 0x3E ? end + length + 1 : nil
  }

  /// The position of the next `<`, if only plain ASCII is before it.
  @inline(__always)
  static func textEnd(_ start: Position, _ limit: Position) -> Position? {
    var at = isSpace(start.pointee) ? skipSpaces(start, limit) : start
    while at <= limit {
      let (plain, isEnd) = plainRun(at)
      at += plain
      if isEnd { return at }
      if plain == 8 { continue }
      let byte = at.pointee
      if byte == 0x3C { return at }
      guard (byte >= 0x20 && byte < 0x7F && byte != 0x26) || isSpace(byte) else { return nil }
      at += 1
    }
    return nil
  }
}
