import Geodesy

/// Builds tracks, segments and fixes from the records of an IGC file.
struct IGCFlight {
  /// True if there was a record that only IGC files have.
  private(set) var isRecognized = false

  private var clock: IGCClock
  private var extensions = IGCExtensions()
  private var hasTrack = false
  private var hasSegment = false
  private var hasFix = false
  private var hasUndatedFix = false
  /// The moment of the last dated fix in milliseconds since 1970.
  private var lastMoment: Int64?

  /// A builder at the start of a file that is read at `now`.
  init(now: Timestamp) { clock = IGCClock(now: now) }

  /// Takes one line.
  mutating func take(_ row: TextRows.Row, into sink: inout some TrackSink) {
    let record = IGCRecord(row.text)
    guard !row.isTooLong else { return }
    switch record.byte(0) {
    case UInt8(ascii: "A"): takeRecorder(record)
    case UInt8(ascii: "H"): takeHeader(record, row.line, into: &sink)
    case UInt8(ascii: "I"):
      if record.number(1..<3) != nil { extensions = IGCExtensions(record) }
    case UInt8(ascii: "B"): takeFix(record, row, into: &sink)
    default: break
    }
  }

  // MARK: - Headers

  /// The recorder begins a flight: another one, if there was a fix before.
  private mutating func takeRecorder(_ record: IGCRecord) {
    guard record.count >= 4 else { return }
    isRecognized = true
    guard hasTrack else { return }
    clock.reset()
    extensions = IGCExtensions()
    (hasTrack, hasSegment, lastMoment) = (false, false, nil)
  }

  /// A header: the source of the value (`F`, `O`, `P`), three letters of its name, the value.
  private mutating func takeHeader(
    _ record: IGCRecord, _ line: Int, into sink: inout some TrackSink
  ) {
    guard record.isDate else { return }
    isRecognized = true
    var start = 5
    if record.has("DATE", at: start) { start += 4 }
    start = record.skippingColon(from: start)
    if let day = record.number(start..<start + 2), let month = record.number(start + 2..<start + 4),
      let year = record.number(start + 4..<start + 6),
      clock.set(day: day, month: month, year: year)
    {
      return
    }
    sink.warn(.impossibleTime, line: line, "A date is impossible; it was ignored.")
  }

  // MARK: - Fixes

  private mutating func takeFix(
    _ record: IGCRecord, _ row: TextRows.Row, into sink: inout some TrackSink
  ) {
    let fix = IGCFix(record, extensions)
    if fix.position == .invalid {
      guard isRecognized else { return }
      if row.isLast {
        sink.warn(.truncated, line: row.line, "The file ends inside a fix; the fix was ignored.")
        return
      }
      sink.warn(
        .unreadable, line: row.line,
        "A fix is incomplete, or a coordinate is not a number or out of range; it was ignored.")
    }
    isRecognized = true
    if !hasTrack {
      sink.beginTrack()
      hasTrack = true
    }
    switch fix.position {
    case .invalid: sink.skip(.invalidCoordinate, line: row.line)
    case .noFix: sink.skip(.noFix, line: row.line)
    case .fix(let coordinate): report(fix, at: coordinate, row.line, into: &sink)
    }
  }

  private mutating func report(
    _ fix: IGCFix, at coordinate: Coordinate, _ line: Int, into sink: inout some TrackSink
  ) {
    let moment = moment(of: fix, line, into: &sink)
    let longestGap = Int64(NMEADecoder.longestGapSeconds) * 1_000
    let isGap =
      if let moment, let lastMoment { abs(moment - lastMoment) > longestGap } else { false }
    if !hasSegment || isGap {
      sink.beginSegment()
      hasSegment = true
    }
    if let moment {
      if let lastMoment, moment < lastMoment {
        sink.warn(
          .timeBackwards, line: line,
          "A time is earlier than the one before it; the order of the file was kept.")
      }
      lastMoment = moment
    }
    hasFix = true
    sink.fix(
      Fix(
        coordinate: coordinate, time: moment.map(Timestamp.init(millisecondsSince1970:)),
        horizontalAccuracyMeters: fix.accuracyMeters, elevationMeters: fix.elevationMeters,
        speedMetersPerSecond: fix.speedMetersPerSecond),
      line: line)
  }

  private mutating func moment(
    of fix: IGCFix, _ line: Int, into sink: inout some TrackSink
  ) -> Int64? {
    guard let timeOfDay = fix.timeOfDay else {
      sink.warn(.impossibleTime, line: line, "A time is impossible; it was ignored.")
      return nil
    }
    guard let moment = clock.moment(timeOfDay) else {
      hasUndatedFix = true
      return nil
    }
    guard clock.isPossible(moment) else {
      sink.warn(
        .impossibleTime, line: line, "A time is before 1970 or in the future; it was ignored.")
      return nil
    }
    return moment
  }

  // MARK: - The end

  /// Says what the file lacks.
  func finish(into sink: inout some TrackSink) {
    if hasUndatedFix {
      sink.warn(
        .impossibleTime, line: nil,
        "The file states no date before its fixes; their times were ignored.")
    }
    if !hasFix {
      sink.warn(
        .leftOut, line: nil,
        hasTrack
          ? "The file contains no valid fix; nothing was read."
          : "The file contains no fixes; nothing was read.")
    }
  }
}
