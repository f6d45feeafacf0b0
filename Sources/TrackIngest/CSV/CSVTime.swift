/// Reads the times of tables: ISO 8601 and its variants, numbers since 1970, and dates whose order
/// is certain.
struct CSVTime {
  /// What a text says about the time.
  enum Reading: Equatable {
    /// Milliseconds since 1970, and how exact the text is.
    case moment(Int64, TimeResolution)
    /// No text.
    case none
    /// Not a time, or one that may mean several.
    case unclear
  }

  /// Whether the day comes first in `03/04/2024`: nil until a date of the table shows it.
  private var isDayFirst: Bool?
  /// Date and time as one text, for ``TimeText``.
  private var text: [UInt8] = []

  init() {}

  /// The moment of a column that has both date and time.
  mutating func read(_ moment: UnsafeBufferPointer<UInt8>) -> Reading {
    if moment.isEmpty { return .none }
    var resolution = TimeResolution.second
    if Self.isISO(moment), case .moment(let milliseconds) = TimeText.read(moment, &resolution) {
      return .moment(milliseconds, resolution)  // as most tables have it, several times as fast
    }
    if let number = Self.sinceEpoch(moment) { return .moment(number, .second) }
    let end = moment.firstIndex { $0 == 0x20 || $0 | 0x20 == 0x74 } ?? moment.count
    return join(
      UnsafeBufferPointer(rebasing: moment[..<end]), UnsafeBufferPointer(rebasing: moment[end...]))
  }

  /// Whether a text begins with a date of ten characters, year first, and a blank or a `T` behind.
  private static func isISO(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.count > 10 && text[4] == 0x2D && text[7] == 0x2D
      && (text[10] == 0x20 || text[10] | 0x20 == 0x74)
  }

  /// The moment of two columns.
  mutating func read(
    date: UnsafeBufferPointer<UInt8>, time: UnsafeBufferPointer<UInt8>
  ) -> Reading {
    if date.isEmpty, time.isEmpty { return .none }
    if date.isEmpty || time.isEmpty { return .unclear }
    return join(date, time)
  }

  /// A number since 1970, by its size: seconds until the year 5138, milliseconds, microseconds or
  /// nanoseconds. Smaller numbers than 10⁸ (1973) are other clocks, or dates without separators.
  static func sinceEpoch(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard text.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2C }),
      let number = DecimalText.double(text)
    else { return nil }
    let whole = text.prefix { (0x30...0x39).contains($0) }.count
    switch whole {
    // Eight digits are a date, 20240501.
    case 9...11: return Int64((number * 1_000).rounded())
    case 12...14: return Int64(number.rounded())
    case 15...16: return Int64((number / 1_000).rounded())
    case 18...19: return Int64((number / 1_000_000).rounded())
    default: return nil
    }
  }

  /// Reads a date, and a time that may begin with the `T` between them.
  private mutating func join(
    _ date: UnsafeBufferPointer<UInt8>, _ time: UnsafeBufferPointer<UInt8>
  ) -> Reading {
    guard let day = day(date) else { return .unclear }
    text.removeAll(keepingCapacity: true)
    text.append(contentsOf: Array(day.utf8))
    if let first = time.first, first != 0x20, first | 0x20 != 0x74 { text.append(0x54) }
    text.append(contentsOf: time.prefix(64))
    var resolution = TimeResolution.second
    switch text.withUnsafeBufferPointer({ TimeText.read($0, &resolution) }) {
    case .moment(let milliseconds), .day(let milliseconds):
      return .moment(milliseconds, resolution)
    case .none: return .unclear
    }
  }

  /// A date as ISO 8601: three numbers with one kind of separator. The year has four digits. It
  /// comes first, or behind day and month: with points the day is first, with slashes or hyphens
  /// a number above 12 shows which one is the day.
  private mutating func day(_ date: UnsafeBufferPointer<UInt8>) -> String? {
    guard let mark = date.first(where: { !(0x30...0x39).contains($0) }) else {
      // Without separators, as ISO 8601 has it.
      return date.count == 8 ? String(decoding: date, as: UTF8.self) : nil
    }
    guard mark == 0x2D || mark == 0x2F || mark == 0x2E else { return nil }
    let parts = date.split(separator: mark, omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ (1...4).contains($0.count) }) else { return nil }
    let numbers = parts.compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    guard numbers.count == 3 else { return nil }
    let (year, month, day): (Int, Int, Int)
    if parts[0].count == 4 {
      (year, month, day) = (numbers[0], numbers[1], numbers[2])
    } else if parts[2].count == 4 {
      year = numbers[2]
      if mark != 0x2E, numbers[0] > 12 { isDayFirst = true }
      if mark != 0x2E, numbers[1] > 12 { isDayFirst = false }
      guard let dayFirst = mark == 0x2E ? true : isDayFirst else { return nil }
      (month, day) = dayFirst ? (numbers[1], numbers[0]) : (numbers[0], numbers[1])
    } else {
      return nil
    }
    return "\(year)-\(month)-\(day)"
  }
}
