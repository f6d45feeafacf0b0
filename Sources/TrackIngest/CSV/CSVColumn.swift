/// The meaning of a column of a table.
enum CSVColumn: Equatable {
  /// Degrees, or units of 1e-7 degree; with a plain name (`lat`, `Latitude (deg)`), or one of
  /// several (`home_lat`).
  case latitude(isE7: Bool, isPlain: Bool)
  case longitude(isE7: Bool, isPlain: Bool)
  /// A letter N or S, E or W, for the sign of a coordinate.
  case northSouth, eastWest
  /// A position as well-known text, `POINT (8.2 48.1)`.
  case point
  /// Date and time of day together, or a number of seconds or milliseconds since 1970.
  case moment
  /// A date, a time of day.
  case date, time
  /// A radius; nil if its unit is not a length.
  case accuracy(metersPerUnit: Double?)
  case hdop
  case elevation(metersPerUnit: Double)
  /// A speed; its unit is that of the name, or of the values.
  case speed(metersPerSecondPerUnit: Double?)
  /// The person, device or track that a row belongs to.
  case track
}

extension CSVColumn {
  /// The meaning of a column by its name: `lat`, `Latitude (deg)`, `location-lat`, `tracked_at`,
  /// `Breitengrad`. Nil for other names, for a name of both axes (`lat/lon`), and for the end of a
  /// sentence.
  init?(name: String) {
    let whole = name.lowercased()
    let name = whole.prefix { $0 != "(" && $0 != "[" }
    let words = name.split { !$0.isLetter }
    if let axis = CSVAxisName(name, words) {
      guard !CSVAxisName.hasDeviation(whole), let column = axis.column else { return nil }
      self = column
      return
    }
    func hasWord(_ candidates: Set<Substring>) -> Bool {
      words.contains(where: candidates.contains)
    }
    func has(_ parts: [String]) -> Bool { parts.contains { name.hasPart($0) } }
    switch name.trimmingSpaces {
    case "n/s": self = .northSouth
    case "e/w": self = .eastWest
    case "geom", "geometry", "the_geom", "wkt", "point", "location", "position": self = .point
    case _ where hasWord(["hdop"]): self = .hdop
    case _ where has(Self.otherMeasures): return nil
    case _ where has(Self.accuracies) || hasWord(["hacc"]):
      if has(Self.otherAccuracies) || hasWord(["ele", "alt", "time", "timestamp", "zeit"]) {
        return nil
      }
      self = .accuracy(metersPerUnit: CSVLength.metersPerUnit(ofColumn: whole))
    case _ where CSVAxisName.hasDeviation(whole): return nil
    case _ where hasWord(Self.heights):
      self = .elevation(metersPerUnit: whole.hasPart("ft") || whole.hasPart("feet") ? 0.3048 : 1)
    case _ where hasWord(Self.speeds): self = .speed(metersPerSecondPerUnit: Self.unit(of: whole))
    case _ where Self.tracks.contains(name.filter { $0.isLetter }): self = .track
    default:
      guard let time = Self.time(name, words) else { return nil }
      self = time
    }
  }

  private static let heights: Set<Substring> = [
    "ele", "elevation", "alt", "altitude", "height", "höhe", "hoehe", "altitud", "altura", "quota",
    "высота", "海拔", "高度", "標高",
  ]
  private static let speeds: Set<Substring> = [
    "speed", "velocity", "geschwindigkeit", "vitesse", "velocidad", "velocità", "скорость", "速度",
  ]
  private static let tracks: Set<String> = [
    "user", "userid", "uid", "device", "deviceid", "track", "trackid", "trip", "tripid", "segment",
    "segmentid", "individuallocalidentifier",
  ]
  private static let accuracies = ["accuracy", "genauigkeit", "précision", "precisión"]
  /// Parts of the names of accuracies of something else than the position.
  private static let otherAccuracies = [
    "altitude", "height", "elevation", "eleaccuracy", "altaccuracy", "höhe", "hoehe", "velocity",
    "speed", "timeaccuracy", "timestampaccuracy", "zeitgenauigkeit", "activity",
  ]
  /// Parts of the names of other measures of the same quantities.
  private static let otherMeasures = [
    "vertical", "vacc", "vdop", "pdop", "gain", "loss", "elapsed", "duration", "zone", "offset",
    "utcofst", "interval", "difference", "delta", "moving", "geoid", "bearing", "heading", "course",
    "arrival", "departure",
  ]

  private static func time(_ name: Substring, _ words: [Substring]) -> CSVColumn? {
    let dates: Set<Substring> = ["date", "datum", "fecha", "дата", "日付", "日期", "날짜"]
    let times: Set<Substring> = [
      "time", "zeit", "uhrzeit", "hora", "heure", "ora", "время", "時刻", "時間", "时间", "시간",
    ]
    let moments: Set<Substring> = [
      "timestamp", "datetime", "epoch", "unixtime", "tst", "zeitstempel", "horodatage", "at",
      "timestampms", "timestampmsec", "gpstime", "utctime", "dt",
    ]
    let hasDate = words.contains(where: dates.contains)
    let hasTime = words.contains(where: times.contains)
    if words.contains(where: moments.contains) || hasDate && hasTime { return .moment }
    if hasDate { return .date }
    return hasTime ? .time : nil
  }

  /// Meters per second of the unit in a name or behind a value; nil if there is none.
  static func unit(of text: String) -> Double? {
    if ["km/h", "kmh", "kph"].contains(where: text.hasPart) { return 1 / 3.6 }
    if ["m/s", "mps"].contains(where: text.hasPart) { return 1 }
    if text.hasPart("mph") { return 0.44704 }
    return ["knots", "knoten", "(kn)", "(kt)"].contains(where: text.hasPart) ? 1_852 / 3_600 : nil
  }
}

extension Substring {
  /// The text without spaces at both ends.
  ///
  /// - Complexity: O(length of the text): `Substring.removeLast()` would take as long each time.
  var trimmingSpaces: Substring {
    let bytes = utf8
    var (start, end) = (startIndex, endIndex)
    while start < end, bytes[start] == UInt8(ascii: " ") { start = bytes.index(after: start) }
    while start < end, case let last = bytes.index(before: end), bytes[last] == UInt8(ascii: " ") {
      end = last
    }
    return self[start..<end]
  }
}
