import Geodesy

/// The columns of a table by the names in its first row, or as the user states them.
struct CSVHeader {
  let separator: UInt8
  /// Whether the first row has no names, but a position.
  private(set) var isPosition = false
  /// The number of columns.
  private(set) var count = 0

  // The column of each meaning; nil if there is none.
  private(set) var latitude: Int?
  private(set) var longitude: Int?
  private(set) var northSouth: Int?
  private(set) var eastWest: Int?
  private(set) var point: Int?
  private(set) var moment: Int?
  private(set) var date: Int?
  private(set) var time: Int?
  private(set) var accuracy: Int?
  private(set) var hdop: Int?
  private(set) var elevation: Int?
  private(set) var speed: Int?
  private(set) var track: Int?

  /// Whether rows have times.
  var hasTime: Bool { moment != nil || (date != nil && time != nil) }

  /// Whether coordinates are in units of 1e-7 degree.
  private(set) var isE7 = false
  /// Nil if the unit of accuracies is not a length.
  private(set) var metersPerAccuracy: Double? = 1
  private(set) var metersPerElevation = 1.0
  /// Nil if the values have their unit.
  private(set) var metersPerSecondPerSpeed: Double?

  /// The characters that separate fields.
  static let separators = Array(",;\t|".utf8)

  /// The separator that a line before the names states, as Excel reads it: `sep=;`. Nil for any
  /// other row.
  static func separator(statedIn row: UnsafeBufferPointer<UInt8>) -> UInt8? {
    guard row.count <= CSVLimits.columns else { return nil }
    // Other programs quote it, and add separators up to the number of columns.
    let text = row.filter { $0 != 0x22 }
    guard text.count > 4, text.prefix(4).map({ $0 | 0x20 }).elementsEqual("sep=".utf8),
      separators.contains(text[4]), text[5...].allSatisfy({ $0 == text[4] || $0 == 0x20 })
    else { return nil }
    return text[4]
  }

  /// The header in a first row; nil if no separator gives both coordinates, or positions.
  ///
  /// With stated columns, a separator that makes the row a position is preferred, then the one that
  /// makes the most fields: `latitude, degrees;longitude, degrees` has two.
  ///
  /// - Parameter separator: the separator that a line before states; nil to find it.
  static func read(
    _ row: UnsafeBufferPointer<UInt8>, stated columns: TableColumns? = nil,
    separator: UInt8? = nil
  ) -> CSVHeader? {
    let candidates = separator.map { [$0] } ?? separators
    let found = candidates.lazy.compactMap { CSVHeader(row, separator: $0, stated: columns) }
    guard columns != nil else { return found.first }
    let headers = Array(found)
    return headers.first(where: \.isPosition) ?? headers.max { $0.count < $1.count }
  }

  /// The header with a separator; nil if it names no positions, or lacks a stated column.
  init?(
    _ row: UnsafeBufferPointer<UInt8>, separator: UInt8, stated columns: TableColumns? = nil
  ) {
    self.separator = separator
    var fields = CSVFields()
    fields.split(row, at: separator)
    if fields.count > 1 { fields.dropEmptyEnd() }
    count = fields.count
    guard count <= CSVLimits.columns else { return nil }
    var axes = CSVAxes()
    for column in 0..<count {
      let name = String(decoding: fields[column], as: UTF8.self)
      guard Self.hasMatchedParentheses(name) else { return nil }
      guard let meaning = CSVColumn(name: name) else { continue }
      if !axes.take(meaning, column) { take(meaning, column) }
    }
    if let latitude = axes.latitude { (self.latitude, isE7) = (latitude.column, latitude.isE7) }
    longitude = axes.longitude?.column
    if let columns, !take(columns, fields) { return nil }
    if latitude == nil || longitude == nil {
      guard point != nil else { return nil }
      (latitude, longitude) = (nil, nil)
    } else {
      point = nil
    }
    // A time of day alone, or a date alone, may be both together.
    if moment == nil, date == nil || time == nil { (moment, date, time) = (time ?? date, nil, nil) }
    isPosition = columns != nil && isPosition(fields)
    if isPosition { metersPerAccuracy = 1 }
  }

  /// Takes the columns that the user states; returns false if the row lacks one.
  private mutating func take(_ columns: TableColumns, _ fields: CSVFields) -> Bool {
    func index(_ column: TableColumns.Column?, else found: Int?) -> Int?? {
      guard let column else { return .some(found) }
      return columns.index(of: column, in: fields).map { .some($0) }
    }
    guard let latitude = index(columns.latitude, else: latitude),
      let longitude = index(columns.longitude, else: longitude),
      let moment = index(columns.time, else: moment),
      let accuracy = index(columns.accuracy, else: accuracy)
    else { return false }
    if columns.latitude != nil || columns.longitude != nil {
      isE7 = latitude.map { Self.isE7(fields[$0]) } ?? false
      (northSouth, eastWest) = (nil, nil)
    }
    if columns.time != nil { (date, time) = (nil, nil) }
    if columns.accuracy != nil, let accuracy {
      let name = String(decoding: fields[accuracy], as: UTF8.self)
      metersPerAccuracy = CSVLength.metersPerUnit(ofColumn: name.lowercased())
    }
    (self.latitude, self.longitude) = (latitude, longitude)
    (self.moment, self.accuracy) = (moment, accuracy)
    return true
  }

  private static func isE7(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    String(decoding: name, as: UTF8.self).lowercased().hasSuffix("e7")
  }

  /// Whether a first row has coordinates in the columns of both.
  private func isPosition(_ fields: CSVFields) -> Bool {
    guard let latitude, let longitude else { return false }
    let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    return [(latitude, true), (longitude, false)].allSatisfy { column, isLatitude in
      CSVCoordinate.read(fields[column], isE7: false, isLatitude: isLatitude, hemisphere: none)
        != nil
    }
  }

  /// The position of a row; nil if a coordinate is missing, not a number or out of range.
  func coordinate(in fields: CSVFields) -> Coordinate? {
    if let point { return CSVCoordinate.point(fields[point]) }
    guard let latitude, let longitude,
      let latitudeE7 = CSVCoordinate.read(
        fields[latitude], isE7: isE7, isLatitude: true, hemisphere: fields[northSouth ?? .max]),
      let longitudeE7 = CSVCoordinate.read(
        fields[longitude], isE7: isE7, isLatitude: false, hemisphere: fields[eastWest ?? .max])
    else { return nil }
    return Coordinate(latitudeE7: latitudeE7, longitudeE7: longitudeE7)
  }

  /// The name of a column of positions that other columns of a first row have too; nil if there is
  /// none, or if the user states its number.
  func repeatedName(
    in row: UnsafeBufferPointer<UInt8>, stated columns: TableColumns?
  ) -> String? {
    var fields = CSVFields()
    fields.split(row, at: separator)
    let names = (0..<fields.count).map { String(decoding: fields[$0], as: UTF8.self) }
    let normalized = names.map(TableColumns.normalized)
    let numbers = [columns?.latitude, columns?.longitude].compactMap { column -> Int? in
      guard case .number(let number)? = column else { return nil }
      return number - 1
    }
    return [latitude, longitude, northSouth, eastWest, point].compactMap { $0 }.first { column in
      !numbers.contains(column) && normalized.count { $0 == normalized[column] } > 1
    }.map { names[$0] }
  }

  /// Whether a row has nothing where its position should be.
  func lacksPosition(in fields: CSVFields) -> Bool {
    point.map { fields[$0].isEmpty }
      ?? (fields[latitude ?? 0].isEmpty && fields[longitude ?? 0].isEmpty)
  }

  /// Takes the first column of each meaning other than a coordinate.
  private mutating func take(_ meaning: CSVColumn, _ column: Int) {
    switch meaning {
    case .northSouth: northSouth = northSouth ?? column
    case .eastWest: eastWest = eastWest ?? column
    case .point: point = point ?? column
    case .moment: moment = moment ?? column
    case .date: date = date ?? column
    case .time: time = time ?? column
    case .accuracy(let unit) where accuracy == nil:
      accuracy = column
      metersPerAccuracy = unit
    case .hdop: hdop = hdop ?? column
    case .elevation(let unit) where elevation == nil:
      elevation = column
      metersPerElevation = unit
    case .speed(let unit) where speed == nil:
      speed = column
      metersPerSecondPerSpeed = unit
    case .track: track = track ?? column
    default: break
    }
  }

  /// Whether the parentheses in a name match, as in `latitude (deg)`; those in the fields of
  /// `f(lat, lon)` do not.
  private static func hasMatchedParentheses(_ name: String) -> Bool {
    var depth = 0
    for byte in name.utf8 {
      if byte == 0x28 { depth += 1 }
      if byte == 0x29 { depth -= 1 }
      if depth < 0 { return false }
    }
    return depth == 0
  }
}
