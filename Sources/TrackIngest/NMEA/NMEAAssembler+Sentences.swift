/// Meters per second from knots: 1852 m per hour.
@inline(__always)
private func metersPerSecond(knots: Double) -> Double { knots * 1852 / 3600 }

/// The position of a sentence.
enum NMEAPosition {
  /// Units of 1e-7 degree.
  case valid(latitudeE7: Int32, longitudeE7: Int32, isShort: Bool)
  /// The receiver says that it has no fix.
  case noFix
  /// The receiver has a fix, but the position is missing or impossible.
  case invalid
}

extension NMEAAssembler {
  /// Adds the values of a sentence.
  @inline(__always)
  mutating func take(
    _ sentence: NMEASentence, kind: NMEAKind, talker: UInt16, offset: Int,
    lines: inout NMEALineCounter,
    into sink: inout some TrackSink
  ) {
    switch kind {
    case .gga, .rmc, .gll, .gns:
      let time = sentence.number(kind == .gll ? 5 : 1).timeOfDay
      let position = sentence.position(kind)
      var date = NMEAClock.Date.missing
      if kind == .rmc { date = clock.date(sentence.field(9)) }
      guard
        enter(
          kind, talker: talker, timeOfDay: time, date: date, position: position, offset: offset,
          lines: &lines, into: &sink)
      else { return }
      take(
        position, kind: kind, talker: talker, isChecked: sentence.isChecked, offset: offset,
        lines: &lines, into: &sink)
      takeDetails(sentence, kind: kind, date: date, position: position)
    case .gst, .gbs:
      let time = sentence.field(1).timeOfDay
      guard
        enter(
          kind, talker: talker, timeOfDay: time, date: .missing, position: nil, offset: offset,
          lines: &lines, into: &sink)
      else { return }
      let (first, second) = kind == .gst ? (6, 7) : (2, 3)
      let (north, east) = (sentence.number(first).decimal, sentence.number(second).decimal)
      let meters = (north * north + east * east).squareRoot()
      if kind == .gst { epoch.metersOfGST = meters } else { epoch.metersOfGBS = meters }
    case .zda:
      takeDate(sentence)
    case .vtg, .gsa, .rme:
      takeTimeless(sentence, kind: kind)
    }
  }

  /// Adds the position of a sentence.
  @inline(__always)
  private mutating func take(
    _ position: NMEAPosition, kind: NMEAKind, talker: UInt16, isChecked: Bool, offset: Int,
    lines: inout NMEALineCounter, into sink: inout some TrackSink
  ) {
    switch position {
    case .noFix: epoch.saysNoFix = true
    case .invalid: epoch.hasInvalidPosition = true
    case .valid(let latitudeE7, let longitudeE7, let isShort):
      if isShort {
        // The receiver may omit the zeros, or bytes may be lost.
        guard isChecked else {
          epoch.hasInvalidPosition = true
          return
        }
        sink.warn(
          .repaired, line: lines.line(at: offset),
          "The degrees of a position lack leading zeros; the zeros were added.")
      }
      if epoch.hasPosition, epoch.talker == talker || talker != preferredTalker { return }
      epoch.hasPosition = true
      epoch.talker = talker
      epoch.positionKind = kind.rawValue
      epoch.latitudeE7 = latitudeE7
      epoch.longitudeE7 = longitudeE7
      epoch.line = lines.line(at: offset)
    }
  }

  /// Adds height, dilution, speed and date of a position sentence.
  @inline(__always)
  private mutating func takeDetails(
    _ sentence: NMEASentence, kind: NMEAKind, date: NMEAClock.Date, position: NMEAPosition
  ) {
    switch kind {
    case .gga, .gns:
      if epoch.hdop.isNaN { epoch.hdop = sentence.number(8).decimal }
      if epoch.elevationMeters.isNaN { epoch.elevationMeters = sentence.number(9).decimal }
    case .rmc:
      if case .noFix = position {
        // Without a fix the date comes from a clock that may never have been set.
        if case .day(let day) = date {
          clock.learn(day: day, timeOfDay: epoch.timeOfDay, isTrusted: false)
        }
        return
      }
      if epoch.date == .missing || date != .impossible && date != .missing { epoch.date = date }
      if epoch.speedOfRMC.isNaN {
        epoch.speedOfRMC = metersPerSecond(knots: sentence.number(7).decimal)
      }
    default: break
    }
  }

  /// Takes the date of ZDA: `time,dd,mm,yyyy`.
  private mutating func takeDate(_ sentence: NMEASentence) {
    let time = sentence.field(1).timeOfDay
    guard time >= 0, sentence.field(4).count == 4, let day = sentence.field(2).smallInteger,
      let month = sentence.field(3).smallInteger, let year = sentence.field(4).smallInteger,
      case .day(let days) = clock.date(year: year, month: month, day: day)
    else { return }
    clock.learn(day: days, timeOfDay: time, isTrusted: true)
  }

  /// Adds a sentence without a time to the open epoch, or to the next one if the open one has such
  /// a value.
  private mutating func takeTimeless(_ sentence: NMEASentence, kind: NMEAKind) {
    switch kind {
    case .gsa:
      let hdop =
        sentence.field(2).character == UInt8(ascii: "1") ? .nan : sentence.number(16).decimal
      if epoch.isOpen, epoch.hdopOfGSA.isNaN {
        epoch.hdopOfGSA = hdop
      } else {
        nextHDOPOfGSA = hdop
      }
    case .vtg:
      let speed = sentence.speedOfVTG
      if epoch.isOpen, epoch.speedOfVTG.isNaN {
        epoch.speedOfVTG = speed
      } else {
        nextSpeedOfVTG = speed
      }
    default:
      let meters = sentence.number(1).decimal
      if epoch.isOpen, epoch.metersOfRME.isNaN {
        epoch.metersOfRME = meters
      } else {
        nextMetersOfRME = meters
      }
    }
  }
}

extension NMEASentence {
  /// The position of a sentence of the four kinds that have one.
  @inline(__always)
  func position(_ kind: NMEAKind) -> NMEAPosition {
    let first: Int
    switch kind {
    case .gga, .gns:
      first = 2
      guard kind == .gga ? isFixOfGGA : isFixOfGNS else { return .noFix }
    case .rmc:
      first = 3
      guard field(2).character == UInt8(ascii: "A"), hasFix(mode: field(12).character) else {
        return .noFix
      }
    default:
      first = 1
      // Before NMEA 2.0 the sentence had no status.
      if fieldCount >= 6, field(6).character != UInt8(ascii: "A") { return .noFix }
      guard hasFix(mode: field(7).character) else { return .noFix }
    }
    let latitude = field(first).angle(digits: 4)
    let longitude = field(first + 2).angle(digits: 5)
    let (vertical, horizontal) = (field(first + 1).character, field(first + 3).character)
    guard latitude.e7 >= 0, latitude.e7 <= 900_000_000, longitude.e7 >= 0,
      longitude.e7 <= 1_800_000_000,
      vertical == UInt8(ascii: "N") || vertical == UInt8(ascii: "S"),
      horizontal == UInt8(ascii: "E") || horizontal == UInt8(ascii: "W")
    else { return .invalid }
    let (north, east) = (Int32(latitude.e7), Int32(longitude.e7))
    return .valid(
      latitudeE7: vertical == UInt8(ascii: "N") ? north : -north,
      longitudeE7: horizontal == UInt8(ascii: "E") ? east : -east,
      isShort: latitude.isShort || longitude.isShort)
  }

  /// Returns true if a sentence with a wrong checksum claims a position.
  func wouldGivePosition(_ kind: NMEAKind) -> Bool {
    if case .valid = position(kind) { return true }
    return false
  }

  /// True if the quality of GGA is a fix: not 0, empty, a non-digit or 8 (simulator).
  @inline(__always)
  private var isFixOfGGA: Bool {
    let quality = field(6).character
    return quality &- UInt8(ascii: "1") < 9 && quality != UInt8(ascii: "8")
  }

  /// True if a mode of GNS, one letter per constellation, is a fix.
  private var isFixOfGNS: Bool {
    let modes = field(6)
    for index in 0..<modes.count where hasFix(mode: modes.start[index]) { return true }
    return false
  }

  /// Returns true if a mode, 0 if missing, is neither no fix (`N`) nor simulator (`S`).
  @inline(__always)
  private func hasFix(mode: UInt8) -> Bool {
    mode != UInt8(ascii: "N") && mode != UInt8(ascii: "S")
  }

  /// The speed of VTG in meters per second, from knots if given, else km/h; NaN if neither is.
  var speedOfVTG: Double {
    if field(9).character == UInt8(ascii: "N") { return .nan }
    if field(6).character == UInt8(ascii: "N") {
      let knots = field(5).decimal
      if !knots.isNaN { return metersPerSecond(knots: knots) }
    }
    return field(8).character == UInt8(ascii: "K") ? field(7).decimal / 3.6 : .nan
  }
}
