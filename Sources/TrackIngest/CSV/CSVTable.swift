import Geodesy

/// Builds tracks, segments and fixes from the rows of a table.
struct CSVTable {
  /// The latest possible time in milliseconds since 1970.
  private let latestTime: Int64
  /// The columns that the user states.
  private let columns: TableColumns?
  private var header: CSVHeader?
  private var sawFirstRow = false
  /// The separator that a line before the first row states; nil if there is none.
  private var statedSeparator: UInt8?
  /// What the first row lacks of the columns that the user states; nil if nothing.
  private(set) var lack: String?
  private var fields = CSVFields()
  private var clock = CSVTime()

  private var hasTrack = false
  private var hasSegment = false
  private var hasPosition = false
  private var trackName: [UInt8] = []
  /// The time of the last dated fix in milliseconds since 1970.
  private var lastTime: Int64?
  /// The most bytes of the last field so far, if that is a coordinate.
  private var longestLastField = 0

  /// A builder at the start of a file.
  init(latestTime: Int64, columns: TableColumns?) {
    self.latestTime = latestTime
    self.columns = columns
  }

  /// The separator of fields; nil before the header, or if there is none.
  var separator: UInt8? { header?.separator }

  /// Takes one row: the first that is not empty is the header, unless it is a position.
  mutating func take(_ row: TextRows.Row, into sink: inout some TrackSink) {
    if header == nil {
      guard !sawFirstRow, row.text.contains(where: { $0 > 0x20 }) else { return }
      if statedSeparator == nil, let separator = CSVHeader.separator(statedIn: row.text) {
        statedSeparator = separator
        return
      }
      sawFirstRow = true
      if !row.isTooLong {
        header = CSVHeader.read(row.text, stated: columns, separator: statedSeparator)
      }
      if header == nil { lack = columns?.lack(in: row.text) }
      guard header?.isPosition == true else { return }
    }
    guard let header else { return }
    if row.isUnclosed, !row.isLast, !row.isTooLong {
      sink.warn(
        .unreadable, line: row.line, "A quotation mark is not closed; the row was ignored.")
      return skip(.invalidCoordinate, row.line, into: &sink)
    }
    fields.split(row.text, at: header.separator)
    if fields.count > header.count { fields.dropEmptyEnd() }
    if !row.isTooLong, fields.isBlank {
      // An empty line, or a row of separators only.
      if fields.count > 1 { skip(.noFix, row.line, into: &sink) }
      return
    }
    guard !row.isTooLong, fields.count <= header.count else {
      sink.warn(
        .unreadable, line: row.line,
        row.isTooLong
          ? "A row is longer than \(GroupedNumber.text(CSVLimits.rowBytes)) bytes; it was ignored."
          : "A row has more fields than the first row; it was ignored.")
      return skip(.invalidCoordinate, row.line, into: &sink)
    }
    take(row, header, into: &sink)
  }

  // MARK: - Rows

  private mutating func take(
    _ row: TextRows.Row, _ header: CSVHeader, into sink: inout some TrackSink
  ) {
    if header.lacksPosition(in: fields), fields.count == header.count {
      // A row of something else, such as a pause.
      return skip(.noFix, row.line, into: &sink)
    }
    if row.isLast, isUncertain(header) {
      sink.warn(
        .truncated, line: row.line,
        "The file may end inside the coordinates of its last row; the row was ignored.")
      return
    }
    guard let coordinate = header.coordinate(in: fields) else {
      sink.warn(
        .unreadable, line: row.line,
        "A coordinate is missing, not a number or out of range; the row was ignored.")
      return skip(.invalidCoordinate, row.line, into: &sink)
    }
    note(header)
    report(at: coordinate, row.line, header, into: &sink)
  }

  /// Whether a last row without a line end may be cut in a coordinate: its last field is one, and
  /// is shorter than one before it.
  private func isUncertain(_ header: CSVHeader) -> Bool {
    let last = fields.count - 1
    let lastCoordinate = max(header.latitude ?? 0, header.longitude ?? 0, header.point ?? 0)
    if last < lastCoordinate { return true }
    guard last == header.latitude || last == header.longitude else { return false }
    return fields.count < header.count || fields[last].count < longestLastField
  }

  private mutating func note(_ header: CSVHeader) {
    let last = header.count - 1
    guard last == header.latitude || last == header.longitude else { return }
    longestLastField = max(longestLastField, fields[last].count)
  }

  private mutating func skip(_ reason: SkipReason, _ line: Int, into sink: inout some TrackSink) {
    beginTrack(into: &sink)
    sink.skip(reason, line: line)
  }

  // MARK: - Fixes

  private mutating func report(
    at coordinate: Coordinate, _ line: Int, _ header: CSVHeader, into sink: inout some TrackSink
  ) {
    hasPosition = true
    guard header.hasTime else {
      // Saved places, or the privacy zones of another program: nobody was there in this order.
      return sink.waypoint(fix(at: coordinate, time: nil, header), line: line)
    }
    if let track = header.track { takeTrack(fields[track]) }
    beginTrack(into: &sink)
    var resolution = TimeResolution.second
    let time = time(line, header, &resolution, into: &sink)
    let longestGap = Int64(NMEADecoder.longestGapSeconds) * 1_000
    let isGap =
      if let time, let lastTime { abs(time - lastTime) > longestGap } else { false }
    if !hasSegment || isGap {
      sink.beginSegment()
      hasSegment = true
    }
    if let time {
      if let lastTime, time < lastTime {
        sink.warn(
          .timeBackwards, line: line,
          "A time is earlier than the one before it; the order of the file was kept.")
      }
      lastTime = time
    }
    var fix = fix(at: coordinate, time: time, header)
    fix.timeResolution = resolution
    sink.fix(fix, line: line)
  }

  /// A fix of the current row.
  private func fix(at coordinate: Coordinate, time: Int64?, _ header: CSVHeader) -> Fix {
    Fix(
      coordinate: coordinate, time: time.map(Timestamp.init(millisecondsSince1970:)),
      horizontalAccuracyMeters: accuracy(header),
      elevationMeters: header.elevation.flatMap { elevation(fields[$0], header) },
      speedMetersPerSecond: header.speed.flatMap { speed(fields[$0], header) })
  }

  /// Another person, device or track begins another track.
  private mutating func takeTrack(_ name: UnsafeBufferPointer<UInt8>) {
    let name = name.prefix(CSVLimits.trackNameBytes)
    guard !name.elementsEqual(trackName) else { return }
    trackName = Array(name)
    (hasTrack, hasSegment, lastTime) = (false, false, nil)
  }

  private mutating func beginTrack(into sink: inout some TrackSink) {
    guard !hasTrack else { return }
    sink.beginTrack()
    hasTrack = true
  }

  private mutating func time(
    _ line: Int, _ header: CSVHeader, _ resolution: inout TimeResolution,
    into sink: inout some TrackSink
  ) -> Int64? {
    let reading: CSVTime.Reading
    if let moment = header.moment {
      reading = clock.read(fields[moment])
    } else if let date = header.date, let time = header.time {
      reading = clock.read(date: fields[date], time: fields[time])
    } else {
      return nil
    }
    switch reading {
    case .none: return nil
    case .unclear:
      sink.warn(.impossibleTime, line: line, "A time is impossible or ambiguous; it was ignored.")
    case .moment(let milliseconds, let found) where (0...latestTime).contains(milliseconds):
      resolution = found
      return milliseconds
    case .moment:
      sink.warn(
        .impossibleTime, line: line, "A time is before 1970 or in the future; it was ignored.")
    }
    return nil
  }

  // MARK: - Measures

  /// Meters as stated, otherwise HDOP × 5 m. Programs write 0 for an unknown value.
  private func accuracy(_ header: CSVHeader) -> Double? {
    if let column = header.accuracy, let (value, unit) = Self.number(fields[column]), value != 0,
      let factor = unit.isEmpty ? header.metersPerAccuracy : CSVLength.meters(ofUnit: unit[...])
    {
      return value * factor
    }
    guard let column = header.hdop, let hdop = Self.number(fields[column])?.value, hdop > 0,
      hdop.isFinite
    else { return nil }
    return hdop * Fix.metersPerHDOP
  }

  private func elevation(
    _ text: UnsafeBufferPointer<UInt8>, _ header: CSVHeader
  ) -> Double? {
    guard let (value, unit) = Self.number(text), value.isFinite else { return nil }
    switch unit {
    case "": return value * header.metersPerElevation
    case "m": return value
    case "ft": return value * 0.3048
    default: return nil
    }
  }

  /// A speed whose unit is stated.
  private func speed(_ text: UnsafeBufferPointer<UInt8>, _ header: CSVHeader) -> Double? {
    guard let (value, unit) = Self.number(text), value.isFinite, value >= 0,
      let factor = unit.isEmpty ? header.metersPerSecondPerSpeed : CSVColumn.unit(of: unit)
    else { return nil }
    return value * factor
  }

  /// A number and the unit behind it; nil if there is no number.
  private static func number(
    _ text: UnsafeBufferPointer<UInt8>
  ) -> (value: Double, unit: String)? {
    let digits = UnsafeBufferPointer(rebasing: text.prefix { (0x2B...0x39).contains($0) })
    guard digits.count < text.count else { return DecimalText.double(text).map { ($0, "") } }
    guard let value = DecimalText.double(digits) else {
      return DecimalText.double(text).map { ($0, "") }
    }
    let unit = String(decoding: text[digits.count...].prefix(16), as: UTF8.self)
    // An exponent is not a unit.
    return DecimalText.double(text).map { ($0, "") }
      ?? (value, unit.split(separator: " ").first?.lowercased() ?? "")
  }

  // MARK: - The end

  /// The reason to refuse a table in whose stated columns no row has a position: a text of another
  /// kind, or wrong columns. A table that was refused can be imported with others.
  var refusal: IngestError? {
    guard columns != nil, !hasPosition else { return nil }
    return IngestError(
      code: .unknownFormat, message: "No row has a position in the columns that were stated.",
      isUncertain: true)
  }

  /// Says what the file lacks.
  func finish(into sink: inout some TrackSink) {
    if !hasPosition {
      sink.warn(.leftOut, line: nil, "The table contains no positions; nothing was read.")
    }
  }
}
