/// Times of the form `2024-05-01T10:00:00Z`, with or without milliseconds; ``TimeText`` reads all
/// others.
///
/// Sound: every position is checked as the type's *Bounds* says.
extension XMLFastPath {
  /// The time at `start` and the position of the `<` after it; nil if it is not certainly a moment.
  @inline(__always)
  static func time(_ start: Position, _ limit: Position, _ dates: inout DateCache) -> (
    Position, Int64
  )? {
    guard start <= limit else { return nil }
    let yearAndMonth = load(start)
    let day = UInt16(start[8]) | UInt16(start[9]) << 8
    // HH:MM:SS exclusive-or 00:00:00: digits become 0...9, colons 0.
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
    if tail[0] == 0x5A, tail[1] == 0x3C { return (tail + 1, time) }
    guard tail[0] == 0x2E, tail[4] == 0x5A, tail[5] == 0x3C else { return anyTime(start, limit) }
    let (tenths, hundredths, thousandths) = (tail[1] &- 0x30, tail[2] &- 0x30, tail[3] &- 0x30)
    guard tenths < 10, hundredths < 10, thousandths < 10 else { return nil }
    time &+= Int64(tenths) &* 100 &+ Int64(hundredths) &* 10 &+ Int64(thousandths)
    return (tail + 5, time)
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
    guard let end = textEnd(start, limit), end - start <= XMLLimits.valueBytes,
      case .moment(let time) = TimeText.read(UnsafeBufferPointer(start: start, count: end - start))
    else { return nil }
    return (end, time)
  }
}
