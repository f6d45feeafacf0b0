/// Follows where each position of a source is, until the filter has decided about it.
///
/// Verdicts come later than fixes, but in their order, so the places wait in a queue. The filter
/// holds at most a few dozen fixes back.
///
/// Its calls are not inlined: most sources are not explained, and their fixes would pass by all
/// that code.
struct PositionTrace {
  /// Where a position is.
  private struct Place {
    let number: Int
    let line: Int
    let byte: Int?
  }

  /// The positions left out so far.
  private(set) var summary = LeftOutSummary()
  /// The positions left out since they were last taken; empty if only the summary is wanted.
  private var leftOut: [LeftOutPosition] = []
  /// The number of positions that wait to be taken. More come together only while a source is
  /// searched for NMEA; the others are in the summary only.
  private static let leftOutAtMost = 1 << 16

  private let isWhole: Bool
  private var waiting: [Place] = []
  /// The index of the first place in ``waiting`` that has no verdict yet.
  private var next = 0
  private var number = 0
  private var byte: Int?
  /// True if the lines of this format are bytes, counted from 1.
  var linesAreBytes = false

  /// Creates a trace; `isWhole` is true to collect each position, and not only the summary.
  init(isWhole: Bool) { self.isWhole = isWhole }

  /// The offset of the next position.
  mutating func locate(byte: Int) { self.byte = byte }

  /// Takes the place of the next fix.
  @inline(never)
  mutating func push(line: Int) { waiting.append(place(line)) }

  /// Takes a position that is not a fix.
  @inline(never)
  mutating func skip(_ reason: SkipReason, line: Int) { add(.skipped(reason), place(line)) }

  /// Takes the verdict about the next fix.
  @inline(never)
  mutating func settle(_ verdict: Verdict) {
    guard next < waiting.count else { return }
    if case .dropped(let reason) = verdict { add(.dropped(reason), waiting[next]) }
    next += 1
    if next == waiting.count {
      waiting.removeAll(keepingCapacity: true)
      next = 0
    } else if next >= 1_024 {
      waiting.removeFirst(next)
      next = 0
    }
  }

  /// Returns the positions left out since the last call, in the order of their verdicts.
  mutating func take() -> [LeftOutPosition] {
    var taken: [LeftOutPosition] = []
    swap(&taken, &leftOut)
    return taken
  }

  private mutating func place(_ line: Int) -> Place {
    number += 1
    defer { byte = nil }
    return Place(number: number, line: line, byte: byte)
  }

  private mutating func add(_ reason: LeftOutPosition.Reason, _ place: Place) {
    let position = LeftOutPosition(
      reason: reason, number: place.number, line: linesAreBytes ? nil : place.line,
      byte: linesAreBytes ? place.line - 1 : place.byte)
    summary.add(position)
    if isWhole, !position.isHidden, leftOut.count < Self.leftOutAtMost { leftOut.append(position) }
  }
}
