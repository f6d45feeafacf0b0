import Geodesy

/// The text of `repeat_visits.visits`: a block of the visits to a region.
///
/// Each visit is `offset:duration`, separated by commas: `0:45,604800:30.5` are two visits. The
/// offset is the time from the start of the region's first visit to the start of this one, and the
/// duration is that of the visit, both in seconds with up to three decimals if the times have
/// milliseconds. Numbers have no superfluous zeros.
///
/// The text takes half of what a row for each visit takes, and the view `visits` reads it with
/// SQLite's own functions (`docs/decisions/visits-in-blocks.md`).
enum VisitBlock {
  /// Number of visits in a block; the last block of a region may have fewer. A recording at home, a
  /// place visited thousands of times, rewrites one block of about 400 bytes.
  static let capacity = 32

  /// Returns the number of blocks for a number of visits. A region's only visit is in its own row,
  /// without a block.
  static func count(forVisits visits: Int) -> Int {
    visits > 1 ? (visits - 1) / capacity + 1 : 0
  }

  /// Returns the range of a region's visits in a block.
  static func range(of block: Int, visits: Int) -> Range<Int> {
    block * capacity..<min(visits, (block + 1) * capacity)
  }

  /// Returns the text for some visits of a region whose first visit began at `start`.
  static func text(of visits: ArraySlice<Visit>, since start: Timestamp) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(visits.count * 16)
    for visit in visits {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
      append(
        visit.start.millisecondsSince1970 - start.millisecondsSince1970, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      append(visit.end.millisecondsSince1970 - visit.start.millisecondsSince1970, to: &bytes)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the visits of a text to those of the preceding blocks.
  ///
  /// - Returns: whether the text has the form that ``text(of:since:)`` gives it, with at most
  ///   ``capacity`` visits that follow each other and all earlier ones, in the years 0 to 9999.
  ///   Visits before the first error are appended.
  static func append(
    _ text: UnsafeRawBufferPointer, since start: Timestamp, to visits: inout [Visit]
  ) -> Bool {
    var reader = Reader(text: text)
    let limit = visits.count + capacity
    repeat {
      guard visits.count < limit, let offset = reader.milliseconds(), reader.take(":"),
        let duration = reader.milliseconds()
      else { return false }
      let begin = Timestamp(millisecondsSince1970: start.millisecondsSince1970 + offset)
      let end = Timestamp(millisecondsSince1970: begin.millisecondsSince1970 + duration)
      guard visits.last.map({ $0.end < begin }) ?? (offset == 0),
        end <= Timestamp.writable.upperBound
      else { return false }
      visits.append(Visit(start: begin, end: end))
    } while reader.take(",")
    return reader.isAtEnd
  }

  /// Appends milliseconds, 0 or more, as seconds.
  private static func append(_ milliseconds: Int64, to bytes: inout [UInt8]) {
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    appendDigits(of: seconds, to: &bytes)
    guard rest > 0 else { return }
    bytes.append(UInt8(ascii: "."))
    var (left, unit) = (rest, Int64(100))
    while left > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(left / unit))
      (left, unit) = (left % unit, unit / 10)
    }
  }

  private static func appendDigits(of number: Int64, to bytes: inout [UInt8]) {
    let first = bytes.count
    var left = number
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(left % 10))
      left /= 10
    } while left > 0
    bytes[first...].reverse()
  }

  /// Reads the text from left to right.
  private struct Reader {
    /// Sound: the reader lives only during the call of ``append(_:since:to:)`` that borrows the
    /// bytes.
    let text: UnsafeRawBufferPointer
    private var place = 0

    init(text: UnsafeRawBufferPointer) { self.text = text }

    var isAtEnd: Bool { place == text.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard place < text.count, text[place] == UInt8(ascii: character) else { return false }
      place += 1
      return true
    }

    /// Reads seconds and returns them in milliseconds; nil if no number follows in the form that a
    /// writer produces. Twelve digits exceed the number of seconds in the years 0 to 9999.
    mutating func milliseconds() -> Int64? {
      let first = place
      guard var number = digits(atMost: 12), place == first + 1 || text[first] != UInt8(ascii: "0")
      else { return nil }
      number *= 1000
      guard take(".") else { return number }
      let point = place
      guard var rest = digits(atMost: 3), text[place - 1] != UInt8(ascii: "0") else { return nil }
      for _ in place..<point + 3 { rest *= 10 }
      return number + rest
    }

    private mutating func digits(atMost limit: Int) -> Int64? {
      var number: Int64 = 0
      let first = place
      while place < text.count, case let digit = text[place] &- UInt8(ascii: "0"), digit < 10 {
        guard place < first + limit else { return nil }
        number = number * 10 + Int64(digit)
        place += 1
      }
      return place > first ? number : nil
    }
  }
}
