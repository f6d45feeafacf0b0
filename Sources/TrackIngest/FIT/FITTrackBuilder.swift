import Geodesy

/// Builds tracks, segments and fixes from the messages of FIT files.
struct FITTrackBuilder {
  /// The latest possible time in milliseconds since 1970.
  private let latestTime: Int64
  private var notices = FITNotices()

  // The file that is read, of those chained in the source.
  private var clock = FITTime()
  private var type: FITFileType?
  private var hasTrack = false
  private var isTimerStopped = false
  private var startsSegment = true
  /// The time of the last dated fix in milliseconds since 1970.
  private var lastTime = Int64.min

  // The whole source.
  private(set) var trackPoints = 0
  private(set) var routePoints = 0
  /// The number of records without a position.
  private(set) var recordsWithoutPosition = 0

  /// A builder at the start of a source.
  init(latestTime: Int64) { self.latestTime = latestTime }

  /// Begins one of the files of a source.
  mutating func beginFile() {
    clock = FITTime()
    type = nil
    hasTrack = false
    isTimerStopped = false
    startsSegment = true
    lastTime = .min
  }

  /// Takes a message, whose bytes begin after its header byte.
  ///
  /// - Parameters:
  ///   - timeBits: the five bits of a compressed time.
  ///   - offset: the offset of the message in the source.
  @inline(__always)
  mutating func take(
    _ message: UnsafeRawPointer, _ definition: FITDefinition, timeBits: UInt8?, offset: Int,
    into sink: inout some TrackSink
  ) {
    let isBigEndian = definition.isBigEndian
    var seconds = definition.timestamp.value(message, isBigEndian: isBigEndian)
    if let seconds {
      clock.note(seconds)
    } else if let timeBits {
      seconds = clock.complete(timeBits)
    }
    switch definition.kind {
    case .record: takeRecord(message, definition, seconds: seconds, offset: offset, into: &sink)
    case .event:
      takeEvent(
        definition.type.value(message, isBigEndian: isBigEndian),
        type: definition.eventType.value(message, isBigEndian: isBigEndian))
    case .fileID:
      if let number = definition.type.value(message, isBigEndian: isBigEndian) {
        type = FITFileType(number: UInt8(truncatingIfNeeded: number))
      }
    case .other: break
    }
  }

  // MARK: - Events

  /// A stop of the timer and its next start are a pause, which ends the segment. Laps, sessions and
  /// other events do not.
  private mutating func takeEvent(_ event: Int64?, type: Int64?) {
    guard event == 0 else { return }
    switch type {
    case 0:
      if isTimerStopped { startsSegment = true }
      isTimerStopped = false
    // Stop, stop all, stop and disable, stop and disable all.
    case 1, 4, 8, 9: isTimerStopped = true
    default: break
    }
  }

  // MARK: - Records

  @inline(__always)
  private mutating func takeRecord(
    _ message: UnsafeRawPointer, _ definition: FITDefinition, seconds: Int64?, offset: Int,
    into sink: inout some TrackSink
  ) {
    let isBigEndian = definition.isBigEndian
    let latitude = definition.latitude.value(message, isBigEndian: isBigEndian)
    let longitude = definition.longitude.value(message, isBigEndian: isBigEndian)
    guard let latitude, let longitude,
      let coordinate = Self.coordinate(latitude: latitude, longitude: longitude)
    else {
      skip(
        definition, isPartial: latitude != nil || longitude != nil, offset: offset, into: &sink)
      return
    }
    let time = moment(seconds, offset: offset, into: &sink)
    let altitude =
      definition.enhancedAltitude.value(message, isBigEndian: isBigEndian)
      ?? definition.altitude.value(message, isBigEndian: isBigEndian)
    let speed =
      definition.enhancedSpeed.value(message, isBigEndian: isBigEndian)
      ?? definition.speed.value(message, isBigEndian: isBigEndian)
    let fix = Fix(
      coordinate: coordinate, time: time.map(Timestamp.init(millisecondsSince1970:)),
      horizontalAccuracyMeters:
        definition.accuracy.value(message, isBigEndian: isBigEndian).map { Double($0) },
      elevationMeters: altitude.map { Double($0 - 2_500) / 5 },
      speedMetersPerSecond: speed.map { Double($0) / 1_000 })
    beginTrack(into: &sink)
    if type?.isPlan == true {
      routePoints += 1
      sink.routePoint(fix, line: offset + 1)
      return
    }
    if startsSegment {
      sink.beginSegment()
      startsSegment = false
    }
    if let time {
      if time < lastTime {
        let first = notices.first(.backwards, at: offset)
        sink.warn(
          .timeBackwards, line: nil,
          "A time is earlier than the one before it, first at byte \(first); "
            + "the order of the file was kept.")
      }
      lastTime = time
    }
    trackPoints += 1
    sink.fix(fix, line: offset + 1)
  }

  /// Counts a record that is not a fix. One whose coordinates are missing or unknown says that the
  /// receiver has no position; one of the other coordinates alone is an error.
  @inline(never)
  private mutating func skip(
    _ definition: FITDefinition, isPartial: Bool, offset: Int, into sink: inout some TrackSink
  ) {
    recordsWithoutPosition += 1
    guard definition.latitude.isPresent || definition.longitude.isPresent else { return }
    guard type?.isPlan != true else { return }
    beginTrack(into: &sink)
    guard isPartial else { return sink.skip(.noFix, line: offset + 1) }
    sink.skip(.invalidCoordinate, line: offset + 1)
    let first = notices.first(.coordinate, at: offset)
    sink.warn(
      .unreadable, line: nil,
      "A record has only one coordinate, or one out of range, first at byte \(first); "
        + "it was ignored.")
  }

  private mutating func beginTrack(into sink: inout some TrackSink) {
    guard !hasTrack else { return }
    hasTrack = true
    if type?.isPlan == true { sink.beginRoute() } else { sink.beginTrack() }
  }

  /// The position of two angles in semicircles; nil if the latitude is beyond ±90°.
  @inline(__always)
  static func coordinate(latitude: Int64, longitude: Int64) -> Coordinate? {
    Coordinate(latitudeE7: unitsE7(latitude), longitudeE7: unitsE7(longitude))
  }

  /// Units of 1e-7 degree of an angle in semicircles, 180°/2³¹.
  ///
  /// - Guarantee: the nearest unit, halves away from zero: 180e7/2³¹ is 3 515 625/2²², and the
  ///   product of it and a 32-bit integer fits into 64 bits.
  @inline(__always)
  static func unitsE7(_ semicircles: Int64) -> Int32 {
    // An unsigned field has the same bits.
    let angle = Int64(Int32(truncatingIfNeeded: semicircles))
    let scaled = (abs(angle) * 3_515_625 + 1 << 21) >> 22
    return Int32(angle < 0 ? -scaled : scaled)
  }

  // MARK: - Times

  /// Milliseconds since 1970; nil if there is no time, or an impossible one.
  @inline(__always)
  private mutating func moment(
    _ seconds: Int64?, offset: Int, into sink: inout some TrackSink
  ) -> Int64? {
    guard let seconds else { return nil }
    switch FITTime.read(seconds) {
    case .moment(let milliseconds) where milliseconds <= latestTime: return milliseconds
    case .moment:
      let first = notices.first(.future, at: offset)
      sink.warn(
        .impossibleTime, line: nil,
        "A time is in the future, first at byte \(first); it was ignored.")
    case .withoutDate:
      let first = notices.first(.withoutDate, at: offset)
      sink.warn(
        .impossibleTime, line: nil,
        "A time counts from the start of the device and has no date, first at byte \(first); "
          + "it was ignored.")
    }
    return nil
  }

  // MARK: - The end

  /// Says what the source lacks.
  func finish(into sink: inout some TrackSink) {
    guard trackPoints == 0 else { return }
    if routePoints > 0 {
      sink.warn(
        .leftOut, line: nil,
        "The file contains no track points; it has "
          + "\(GroupedNumber.text(routePoints, "route point")) of a course.")
    } else {
      let kind = type?.name.map { " (type of file: \($0))" } ?? ""
      sink.warn(
        .leftOut, line: nil,
        recordsWithoutPosition > 0
          ? "The file contains no positions, only other measurements\(kind); nothing was read."
          : "The file contains no positions\(kind); nothing was read.")
    }
  }
}

/// The first occurrence of each problem, so that its warnings are one and the same.
struct FITNotices {
  enum Problem: Int, CaseIterable {
    case backwards, coordinate, future, withoutDate
  }

  private var offsets = [Int?](repeating: nil, count: Problem.allCases.count)

  /// The offset of the first occurrence, which is this one if there was none.
  mutating func first(_ problem: Problem, at offset: Int) -> Int {
    if let first = offsets[problem.rawValue] { return first }
    offsets[problem.rawValue] = offset
    return offset
  }
}
