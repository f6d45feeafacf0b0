import Geodesy

/// Combines sentences into epochs, and converts epochs to fixes.
struct NMEAAssembler {
  /// The epoch that sentences are added to.
  var epoch = NMEAEpoch()
  var clock: NMEAClock
  /// The last epochs.
  var recent = NMEARecentEpochs()
  /// The talker of the last position. It is preferred, so that a log of two receivers does not
  /// zigzag between them.
  var preferredTalker: UInt16 = 0

  /// The values of sentences without a time that belong to the next epoch.
  var nextHDOPOfGSA = Double.nan
  var nextMetersOfRME = Double.nan
  var nextSpeedOfVTG = Double.nan

  /// A sentence with a wrong checksum and a time other than that of the open epoch. It is counted
  /// unless an epoch of its time follows.
  var orphan: (timeOfDay: Int32, line: Int)?

  /// Closed epochs before the first date of the log, in the order of the file.
  private var undated: [NMEAEpoch] = []
  /// True while epochs wait for a date: until one is known, or ``mostUndated`` epochs wait.
  private var awaitsDate = true
  /// The maximum number of epochs that wait for a date: about 60 kB.
  static let mostUndated = 300

  private var hasTrack = false
  /// True if a fix waits for more sentences of its epoch, or for a date.
  var awaitsMore: Bool { epoch.isOpen || !undated.isEmpty }
  /// True if there was an epoch that was a fix, or would have been one.
  var hasReported: Bool { hasTrack }
  private var hasSegment = false
  /// The time of the last fix in milliseconds since 1970 and since midnight, if known.
  private var lastMoment: Int64?
  private var lastTimeOfDay = NMEAField.noTime

  init(now: Timestamp) { clock = NMEAClock(now: now) }

  /// Returns true if a sentence of this kind can add a value to the open epoch.
  @inline(__always)
  func wants(_ kind: NMEAKind) -> Bool {
    switch kind {
    case .gsa: !(epoch.isOpen && epoch.hdop > 0)
    case .vtg: !(epoch.isOpen && !epoch.speedOfRMC.isNaN)
    default: true
    }
  }

  // MARK: Opening and closing

  /// Makes the epoch of a sentence the open one.
  ///
  /// - Returns: false if the sentence comes late: its epoch is closed.
  @inline(__always)
  mutating func enter(
    _ kind: NMEAKind, talker: UInt16, timeOfDay: Int32, date: NMEAClock.Date,
    position: NMEAPosition?, offset: Int, lines: inout NMEALineCounter,
    into sink: inout some TrackSink
  ) -> Bool {
    if timeOfDay < 0 {
      // Without a time, the sentence is part of the open epoch, unless that already has one of its
      // kind.
      if !epoch.isOpen || epoch.kinds & kind.rawValue != 0 {
        open(timeOfDay: NMEAField.noTime, offset: offset, lines: &lines, into: &sink)
      }
      if timeOfDay == NMEAField.notATime { epoch.hasBadTime = true }
    } else if epoch.isOpen, epoch.timeOfDay == timeOfDay, !conflicts(date) {
      // The usual case.
    } else if comesLate(
      kind, talker: talker, timeOfDay: timeOfDay, date: date, position: position)
    {
      if case .day(let day) = date { clock.learn(day: day, timeOfDay: timeOfDay, isTrusted: false) }
      return false
    } else if epoch.isOpen, epoch.timeOfDay < 0, epoch.kinds & kind.rawValue == 0 {
      epoch.timeOfDay = timeOfDay
    } else {
      open(timeOfDay: timeOfDay, offset: offset, lines: &lines, into: &sink)
    }
    epoch.kinds |= kind.rawValue
    return true
  }

  /// Returns true if a sentence belongs to a closed epoch. Another position of the receiver in use
  /// does not: its clock was set back. One of a second receiver does, or it would make a zigzag.
  @inline(__always)
  private mutating func comesLate(
    _ kind: NMEAKind, talker: UInt16, timeOfDay: Int32, date: NMEAClock.Date,
    position: NMEAPosition?
  ) -> Bool {
    let used = epoch.isOpen && epoch.hasPosition ? epoch.talker : preferredTalker
    return recent.contains(
      timeOfDay: timeOfDay, date: date, kind: kind, talker: talker,
      position: talker == used ? position : nil)
  }

  /// Returns true if a date differs from that of the open epoch.
  @inline(__always)
  private func conflicts(_ date: NMEAClock.Date) -> Bool {
    if case .day(let new) = date, case .day(let old) = epoch.date { return new != old }
    return false
  }

  /// Closes the open epoch and opens another.
  private mutating func open(
    timeOfDay: Int32, offset: Int, lines: inout NMEALineCounter, into sink: inout some TrackSink
  ) {
    close(into: &sink)
    if let waiting = orphan, waiting.timeOfDay != timeOfDay { flushOrphan(into: &sink) }
    epoch = NMEAEpoch()
    epoch.isOpen = true
    epoch.timeOfDay = timeOfDay
    epoch.line = lines.line(at: offset)
    epoch.hdopOfGSA = nextHDOPOfGSA
    epoch.metersOfRME = nextMetersOfRME
    epoch.speedOfVTG = nextSpeedOfVTG
    (nextHDOPOfGSA, nextMetersOfRME, nextSpeedOfVTG) = (.nan, .nan, .nan)
    if orphan != nil {
      epoch.hasBadChecksum = true
      orphan = nil
    }
  }

  /// Closes the open epoch.
  private mutating func close(into sink: inout some TrackSink) {
    guard epoch.isOpen else { return }
    epoch.isOpen = false
    settle(epoch, into: &sink)
  }

  /// Reports a closed epoch, or keeps it until a date is known.
  private mutating func settle(_ epoch: NMEAEpoch, into sink: inout some TrackSink) {
    if epoch.timeOfDay >= 0 { recent.insert(epoch) }
    guard epoch.isReport else { return }
    if epoch.hasPosition { preferredTalker = epoch.talker }
    if case .day(let day) = epoch.date, epoch.timeOfDay >= 0 {
      clock.learn(day: day, timeOfDay: epoch.timeOfDay, isTrusted: true)
    }
    if awaitsDate {
      if clock.anchor == nil, undated.count < Self.mostUndated {
        undated.append(epoch)
        return
      }
      reportUndated(into: &sink)
    }
    report(epoch, into: &sink)
  }

  /// Reports the epochs that waited for a date. Each is dated by the one after it, backwards from
  /// the first date.
  private mutating func reportUndated(into sink: inout some TrackSink) {
    awaitsDate = false
    var later = clock
    for index in undated.indices.reversed() {
      let timeOfDay = undated[index].timeOfDay
      guard timeOfDay >= 0, undated[index].date == .missing,
        let moment = later.resolve(timeOfDay: timeOfDay)
      else { continue }
      undated[index].date = .day(Int32(clamping: (moment - Int64(timeOfDay)) / NMEAClock.day))
    }
    let waited = undated
    undated = []
    for epoch in waited { report(epoch, into: &sink) }
  }

  /// Reports an epoch as a fix or a skipped position.
  private mutating func report(_ epoch: NMEAEpoch, into sink: inout some TrackSink) {
    beginTrack(into: &sink)
    if epoch.hasInvalidPosition {
      sink.warn(
        .unreadable, line: epoch.line,
        "A position is missing, not a number or out of range; it was ignored.")
    }
    if epoch.hasPosition {
      reportFix(epoch, into: &sink)
    } else if epoch.hasInvalidPosition {
      sink.skip(.invalidCoordinate, line: epoch.line)
    } else if epoch.hasBadChecksum {
      sink.skip(.badChecksum, line: epoch.line)
    } else {
      sink.skip(.noFix, line: epoch.line)
    }
  }

  private mutating func beginTrack(into sink: inout some TrackSink) {
    guard !hasTrack else { return }
    sink.beginTrack()
    hasTrack = true
  }

  // MARK: Fixes

  private mutating func reportFix(_ epoch: NMEAEpoch, into sink: inout some TrackSink) {
    guard let coordinate = Coordinate(latitudeE7: epoch.latitudeE7, longitudeE7: epoch.longitudeE7)
    else {
      return  // angles are checked where they are read
    }
    if epoch.saysNoFix {
      sink.warn(
        .repaired, line: epoch.line,
        "Sentences of one moment disagree on whether there is a fix; they were read as a fix.")
    }
    let moment = moment(of: epoch, into: &sink)
    if startsSegment(epoch, at: moment) {
      sink.beginSegment()
      hasSegment = true
    }
    if let moment, let lastMoment, moment < lastMoment {
      sink.warn(
        .timeBackwards, line: epoch.line,
        "A time is earlier than the one before it; the order of the file was kept.")
    }
    if let moment { lastMoment = moment }
    if epoch.timeOfDay >= 0 { lastTimeOfDay = epoch.timeOfDay }
    sink.fix(
      Fix(
        coordinate: coordinate, time: moment.map(Timestamp.init(millisecondsSince1970:)),
        horizontalAccuracyMeters: epoch.horizontalAccuracyMeters,
        elevationMeters: epoch.elevationMeters.isNaN ? nil : epoch.elevationMeters,
        speedMetersPerSecond: epoch.speedMetersPerSecond),
      line: epoch.line)
  }

  /// The moment of an epoch in milliseconds since 1970; nil if its time or date is unknown.
  private mutating func moment(of epoch: NMEAEpoch, into sink: inout some TrackSink) -> Int64? {
    if epoch.hasBadTime || epoch.date == .impossible {
      sink.warn(
        .impossibleTime, line: epoch.line, "A date or time is impossible; it was ignored.")
    }
    guard epoch.timeOfDay >= 0, epoch.date != .impossible else { return nil }
    let dated: Int64? =
      if case .day(let day) = epoch.date {
        Int64(day) * NMEAClock.day + Int64(epoch.timeOfDay)
      } else {
        clock.resolve(timeOfDay: epoch.timeOfDay)
      }
    guard let moment = dated else { return nil }
    guard clock.isPossible(moment) else {
      sink.warn(
        .impossibleTime, line: epoch.line,
        "A time is before 1970 or in the future; it was ignored.")
      return nil
    }
    return moment
  }

  /// Returns true if there is a gap before an epoch: by the times if both are known, else by the
  /// times of day.
  private func startsSegment(_ epoch: NMEAEpoch, at moment: Int64?) -> Bool {
    guard hasSegment else { return true }
    let longestGap = Int64(NMEADecoder.longestGapSeconds) * 1_000
    if let moment, let lastMoment { return abs(moment - lastMoment) > longestGap }
    guard epoch.timeOfDay >= 0, lastTimeOfDay >= 0 else { return false }
    let difference = abs(Int64(epoch.timeOfDay) - Int64(lastTimeOfDay))
    return min(difference, NMEAClock.day - difference) > longestGap
  }

  // MARK: Wrong checksums

  /// Adds a sentence with a wrong checksum that has a position.
  mutating func takeBad(
    _ sentence: NMEASentence, kind: NMEAKind, talker: UInt16, line: Int,
    into sink: inout some TrackSink
  ) {
    sink.warn(.unreadable, line: line, "A sentence has a wrong checksum; it was ignored.")
    let timeOfDay = sentence.field(kind == .gll ? 5 : 1).timeOfDay
    if epoch.isOpen, timeOfDay >= 0, epoch.timeOfDay == timeOfDay {
      epoch.hasBadChecksum = true
      return
    }
    if timeOfDay >= 0 {
      if orphan?.timeOfDay == timeOfDay { return }
      let isLate = comesLate(
        kind, talker: talker, timeOfDay: timeOfDay, date: .missing,
        position: sentence.position(kind))
      if isLate { return }
    }
    flushOrphan(into: &sink)
    orphan = (timeOfDay, line)
  }

  private mutating func flushOrphan(into sink: inout some TrackSink) {
    guard let waiting = orphan else { return }
    orphan = nil
    // Its time may be the wrong part, so it is not remembered as a closed epoch.
    var lost = NMEAEpoch()
    (lost.line, lost.hasBadChecksum) = (waiting.line, true)
    settle(lost, into: &sink)
  }

  /// Ends the open epoch of a live log because its line is silent, and reports epochs that wait for
  /// a date: they get that of the computer's clock if it agrees with the receiver's time of day,
  /// otherwise none.
  mutating func completeEpoch(now: Timestamp, into sink: inout some TrackSink) {
    clock.update(now: now)
    close(into: &sink)
    guard let last = undated.last else { return }
    clock.learnDate(from: now, timeOfDay: last.timeOfDay)
    reportUndated(into: &sink)
  }

  /// Ends the log.
  mutating func finish(into sink: inout some TrackSink) {
    close(into: &sink)
    flushOrphan(into: &sink)
    reportUndated(into: &sink)
  }
}
