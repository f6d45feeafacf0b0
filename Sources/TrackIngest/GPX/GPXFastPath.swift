/// Takes a whole plain track point that lies in one run of memory, several bytes at a time.
///
/// It knows only what almost every file holds: `lat` and `lon` as plain decimals, `ele`, `time`, `hdop`, further
/// leaves, and extensions without attributes. At the first byte it does not expect it gives up with nil and nothing is
/// lost: the exact path reads the same point again. What it takes it takes as the exact path does.
///
/// - Bounds: `limit` lies ``slack`` bytes before the end of the memory. Every position that is read from is first
///   found to be at most `limit`, or at most `slack - 8` bytes past such a one.
enum GPXFastPath {
  typealias Position = UnsafePointer<UInt8>

  /// Bytes that must follow a checked position: the longest stretch read without a check (a time with its end
  /// tag, 31 bytes) and one load of 8.
  static let slack = 64

  /// The last date read, because the next point is almost always of the same day.
  struct DateCache {
    /// The bytes `YYYY-MM-` and `DD`.
    var yearAndMonth: UInt64 = 0
    var day: UInt16 = 0
    /// Midnight of that day in milliseconds since 1970.
    var midnight: Int64 = 0
  }

  // Bytes of tags in the order of memory, the first in the lowest place.
  private static var trackPointStart: UInt64 { 0x0000_7470_6B72_743C }  // <trkpt
  private static var trackPointEnd: UInt64 { 0x3E74_706B_7274_2F3C }  // </trkpt>
  private static var elevationStart: UInt64 { 0x0000_003E_656C_653C }  // <ele>
  private static var elevationEnd: UInt64 { 0x0000_3E65_6C65_2F3C }  // </ele>
  private static var timeStart: UInt64 { 0x0000_3E65_6D69_743C }  // <time>
  private static var timeEnd: UInt64 { 0x003E_656D_6974_2F3C }  // </time>
  private static var zuluTimeEnd: UInt64 { 0x3E65_6D69_742F_3C5A }  // Z</time>
  private static var hdopStart: UInt64 { 0x0000_3E70_6F64_683C }  // <hdop>
  private static var hdopEnd: UInt64 { 0x003E_706F_6468_2F3C }  // </hdop>
  private static var latitudeName: UInt32 { 0x3D74_616C }  // lat=
  private static var longitudeName: UInt32 { 0x3D6E_6F6C }  // lon=

  private static var fiveBytes: UInt64 { 0xFF_FFFF_FFFF }
  private static var sixBytes: UInt64 { 0xFFFF_FFFF_FFFF }
  private static var sevenBytes: UInt64 { 0xFF_FFFF_FFFF_FFFF }

  /// Reads the point that begins at `start`, which must be `<`. Returns the position after its end, or nil.
  @inline(__always)
  static func point(
    at start: Position, limit: Position, latestTime: Int64, into point: inout GPXPoint, dates: inout DateCache
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
    return children(after: at + 1, limit: limit, latestTime: latestTime, into: &point, dates: &dates)
  }

  /// Reads what lies between the tags of a point, and its end tag.
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
        guard !point.hasTime, let (next, time) = time(at + 6, limit, &dates), time >= 0, time <= latestTime
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
        guard word & 0xFF == 0x3C, let next = element(at, limit, isChildOfPoint: true, depth: 0, into: &point)
        else { return nil }
        at = next
      }
    }
  }

  // MARK: - Further elements

  /// Reads an element without attributes that begins at `start`, with what lies in it.
  private static func element(
    _ start: Position, _ limit: Position, isChildOfPoint: Bool, depth: Int, into point: inout GPXPoint
  ) -> Position? {
    let name = start + 1
    guard isLetter(name.pointee) else { return nil }
    var at = name + 1
    var colon: Position?
    while isNameByte(at.pointee) {
      if at.pointee == 0x3A, colon == nil { colon = at }
      at += 1
      guard at <= limit, at - name <= 64 else { return nil }
    }
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
    // Children: of extensions and below only, and not in what was to be a value.
    guard leaf == .extensions || (!isChildOfPoint && leaf == .other), depth < 8 else { return nil }
    repeat {
      guard let next = element(markup, limit, isChildOfPoint: false, depth: depth + 1, into: &point),
        let following = textEnd(next, limit)
      else { return nil }
      markup = following
    } while markup[1] != 0x2F
    return end(markup, named: name, length: length, limit)
  }

  /// Takes the text of an accuracy or speed, unless there was one before.
  @inline(__always)
  private static func take(
    _ text: UnsafeBufferPointer<UInt8>, as leaf: GPXElement, into point: inout GPXPoint
  ) -> Bool {
    guard leaf == .accuracy || leaf == .speed else { return true }
    guard text.count <= GPXDecoder.valueLimit else { return false }
    let number = DecimalText.double(text)
    if leaf == .accuracy {
      if point.accuracy == nil { point.accuracy = number }
    } else if point.speed == nil, let number, number.isFinite {
      point.speed = number
    }
    return true
  }

  /// The position after the end tag at `markup`, if it closes the element whose name begins at `name`.
  @inline(__always)
  private static func end(_ markup: Position, named name: Position, length: Int, _ limit: Position)
    -> Position?
  {
    // The name is as long as one that was read before, at most 64 bytes: the end tag may pass the limit.
    let end = markup + 2
    guard end + length <= limit else { return nil }
    // Eight bytes at a time; of the last ones only as many as belong to the name.
    var done = 0
    while length - done >= 8 {
      guard load(end + done) == load(name + done) else { return nil }
      done += 8
    }
    let rest = UInt64(8 &* (length - done))
    guard (load(end + done) ^ load(name + done)) & ((1 << rest) &- 1) == 0 else { return nil }
    return end[length] == 0x3E ? end + length + 1 : nil
  }

  /// The position of the next `<`, if only plain ASCII lies before it.
  @inline(__always)
  private static func textEnd(_ start: Position, _ limit: Position) -> Position? {
    var at = skipSpaces(start, limit)
    while at <= limit {
      let byte = at.pointee
      if byte == 0x3C { return at }
      guard (byte >= 0x20 && byte < 0x7F && byte != 0x26) || isSpace(byte) else { return nil }
      at += 1
    }
    return nil
  }

  // MARK: - Values

  /// A plain decimal of degrees, rounded half away from zero to 1e-7; nil where it is anything else or not below
  /// the limit. Leaves `at` behind the last digit.
  @inline(__always)
  private static func degreesE7(_ at: inout Position, _ limit: Position, limitE7: UInt64) -> Int32? {
    guard at <= limit else { return nil }
    let start = at
    let isNegative = at.pointee == 0x2D
    if isNegative { at += 1 }
    let (whole, wholeCount) = digits(at)
    guard wholeCount >= 1, wholeCount <= 3 else { return nil }
    at += wholeCount
    var magnitude = whole &* 10_000_000
    if at.pointee == 0x2E {
      at += 1
      let (fraction, count) = digits(at)
      at += count
      if count == 8 {
        // The eighth digit alone decides: 5 and more is half or above.
        magnitude &+= (fraction &+ 5) / 10
        guard skipDigits(&at, limit), at - start <= GPXDecoder.valueLimit else { return nil }
      } else {
        guard count > 0 else { return nil }
        magnitude &+= fraction &* power(7 - count)
      }
    }
    guard magnitude < limitE7 else { return nil }
    let value = Int32(truncatingIfNeeded: magnitude)
    return isNegative ? -value : value
  }

  /// A number: nil where the text is none. Leaves `at` at the `<` that ends it, or where it gave up.
  @inline(__always)
  private static func number(_ at: inout Position, _ limit: Position) -> Double? {
    guard at <= limit else { return nil }
    let start = at
    let isNegative = at.pointee == 0x2D
    if isNegative { at += 1 }
    let (whole, wholeCount) = digits(at)
    if wholeCount >= 1 {
      let point = at + wholeCount
      if point.pointee == 0x3C {
        at = point
        return isNegative ? -Double(whole) : Double(whole)
      }
      if point.pointee == 0x2E {
        let (fraction, count) = digits(point + 1)
        var end = point + 1 + count
        let scale = power(count)
        var mantissa = whole &* scale &+ fraction
        if end.pointee == 0x3C {
          at = end
          let value = Double(mantissa) / Double(scale)
          return isNegative ? -value : value
        }
        // As the exact path: 18 significant digits count, those after them are passed over.
        var exponent = count
        while end <= limit, end - start <= GPXDecoder.valueLimit {
          let digit = end.pointee &- 0x30
          guard digit < 10 else { break }
          if mantissa < 100_000_000_000_000_000 {
            mantissa = mantissa &* 10 &+ UInt64(digit)
            exponent &+= 1
          }
          end += 1
        }
        if end <= limit, end.pointee == 0x3C, end - start <= GPXDecoder.valueLimit, exponent <= 19 {
          at = end
          let value = Double(mantissa) / DecimalText.tenTo(exponent)
          return isNegative ? -value : value
        }
      }
    }
    // Longer, or with white space or an exponent, or no number.
    guard let end = textEnd(start, limit), end - start <= GPXDecoder.valueLimit else { return nil }
    at = end
    return DecimalText.double(UnsafeBufferPointer(start: start, count: end - start))
  }

  /// The time at `start` and the position after its end tag; nil where it is not certainly a moment.
  @inline(__always)
  private static func time(_ start: Position, _ limit: Position, _ dates: inout DateCache) -> (
    Position, Int64
  )? {
    guard start <= limit else { return nil }
    let yearAndMonth = load(start)
    let day = UInt16(start[8]) | UInt16(start[9]) << 8
    // HH:MM:SS minus 00:00:00: digits 0...9, colons 0.
    let clock = load(start + 11) ^ 0x3030_3A30_303A_3030
    let isClock = ((clock & lowBits) &+ 0x7676_7F76_767F_7676 | clock) & highBits == 0
    guard isClock, start[10] == 0x54 else { return anyTime(start, limit) }
    if yearAndMonth != dates.yearAndMonth || day != dates.day {
      guard let midnight = midnight(start) else { return anyTime(start, limit) }
      dates = DateCache(yearAndMonth: yearAndMonth, day: day, midnight: midnight)
    }
    let hour = (clock & 0xFF) &* 10 &+ (clock >> 8 & 0xFF)
    let minute = (clock >> 24 & 0xFF) &* 10 &+ (clock >> 32 & 0xFF)
    let second = (clock >> 48 & 0xFF) &* 10 &+ (clock >> 56)
    guard hour < 24, minute < 60, second < 60 else { return anyTime(start, limit) }
    var time = dates.midnight &+ Int64(bitPattern: ((hour &* 60 &+ minute) &* 60 &+ second) &* 1000)
    let tail = start + 19
    if load(tail) == zuluTimeEnd { return (tail + 8, time) }
    guard tail.pointee == 0x2E, load(tail + 4) == zuluTimeEnd else { return anyTime(start, limit) }
    let (tenths, hundredths, thousandths) = (tail[1] &- 0x30, tail[2] &- 0x30, tail[3] &- 0x30)
    guard tenths < 10, hundredths < 10, thousandths < 10 else { return nil }
    time &+= Int64(tenths) &* 100 &+ Int64(hundredths) &* 10 &+ Int64(thousandths)
    return (tail + 12, time)
  }

  /// Midnight of a date written `YYYY-MM-DD`.
  private static func midnight(_ start: Position) -> Int64? {
    let date = UnsafeBufferPointer(start: start, count: 10)
    let isPlain = date.enumerated().allSatisfy { index, byte in
      index == 4 || index == 7 ? byte == 0x2D : (0x30...0x39).contains(byte)
    }
    guard isPlain, case .day(let midnight) = TimeText.read(date) else { return nil }
    return midnight
  }

  /// A time in any other form.
  private static func anyTime(_ start: Position, _ limit: Position) -> (Position, Int64)? {
    guard let end = textEnd(start, limit), end - start <= GPXDecoder.valueLimit,
      load(end) & sevenBytes == timeEnd,
      case .moment(let time) = TimeText.read(UnsafeBufferPointer(start: start, count: end - start))
    else { return nil }
    return (end + 7, time)
  }

  // MARK: - Eight bytes at a time

  private static var highBits: UInt64 { 0x8080_8080_8080_8080 }
  private static var lowBits: UInt64 { 0x7F7F_7F7F_7F7F_7F7F }

  /// Eight bytes, the first in the lowest place.
  @inline(__always)
  private static func load(_ at: Position) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt64.self))
  }

  /// The number that the digits at `at` make, up to eight of them, and how many there are.
  @inline(__always)
  private static func digits(_ at: Position) -> (value: UInt64, count: Int) {
    let bytes = load(at) ^ 0x3030_3030_3030_3030
    // A byte above 9 gets its high bit: 0x0A + 0x76 = 0x80.
    let others = ((bytes & lowBits) &+ 0x7676_7676_7676_7676 | bytes) & highBits
    let count = others.trailingZeroBitCount / 8
    guard count > 0 else { return (0, 0) }
    // Zeros in front of fewer than eight digits; then pairs, fours and all eight are joined.
    var value = bytes << UInt64(64 &- 8 &* count)
    value = (value &* 10 &+ (value >> 8)) & 0x00FF_00FF_00FF_00FF
    value = (value &* 100 &+ (value >> 16)) & 0x0000_FFFF_0000_FFFF
    value = (value &* 10_000 &+ (value >> 32)) & 0xFFFF_FFFF
    return (value, count)
  }

  /// Passes over digits; false where the limit came first.
  @inline(__always)
  private static func skipDigits(_ at: inout Position, _ limit: Position) -> Bool {
    while at <= limit {
      guard at.pointee &- 0x30 < 10 else { return true }
      at += 1
    }
    return false
  }

  /// 10^`count` for 0...8.
  @inline(__always)
  private static func power(_ count: Int) -> UInt64 {
    switch count {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    case 7: 10_000_000
    default: 100_000_000
    }
  }

  /// Passes over white space, eight blanks at a time where there are many.
  @inline(__always)
  private static func skipSpaces(_ start: Position, _ limit: Position) -> Position {
    var at = start
    while at <= limit {
      if at.pointee == 0x20, load(at) == 0x2020_2020_2020_2020 {
        at += 8
      } else if isSpace(at.pointee) {
        at += 1
      } else {
        break
      }
    }
    return at
  }

  @inline(__always)
  private static func isSpace(_ byte: UInt8) -> Bool { DecimalText.isSpace(byte) }

  @inline(__always)
  private static func isLetter(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return (lower >= 0x61 && lower <= 0x7A) || byte == 0x5F
  }

  @inline(__always)
  private static func isNameByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || (byte >= 0x2D && byte <= 0x3A && byte != 0x2F)
  }
}
