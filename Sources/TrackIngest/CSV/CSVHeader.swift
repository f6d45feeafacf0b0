/// The columns of a table by the names in its first row.
struct CSVHeader {
  let separator: UInt8
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
  private(set) var metersPerElevation = 1.0
  /// Nil if the values have their unit.
  private(set) var metersPerSecondPerSpeed: Double?

  /// The characters that separate fields.
  static let separators = Array(",;\t|".utf8)

  /// The header in a first row; nil if no separator gives both coordinates, or positions.
  static func read(_ row: UnsafeBufferPointer<UInt8>) -> CSVHeader? {
    separators.lazy.compactMap { CSVHeader(row, separator: $0) }.first
  }

  /// The header with a separator; nil if it names no positions.
  init?(_ row: UnsafeBufferPointer<UInt8>, separator: UInt8) {
    self.separator = separator
    var fields = CSVFields()
    fields.split(row, at: separator)
    if fields.count > 1 { fields.dropEmptyEnd() }
    count = fields.count
    guard count <= CSVLimits.columns else { return nil }
    for column in 0..<count {
      let name = String(decoding: fields[column], as: UTF8.self)
      guard Self.hasMatchedParentheses(name) else { return nil }
      if let meaning = CSVColumn(name: name) { take(meaning, column) }
    }
    if latitude == nil || longitude == nil {
      guard point != nil else { return nil }
      (latitude, longitude) = (nil, nil)
    } else {
      point = nil
    }
    // A time of day alone, or a date alone, may be both together.
    if moment == nil, date == nil || time == nil { (moment, date, time) = (time ?? date, nil, nil) }
  }

  /// Takes the first column of each meaning.
  private mutating func take(_ meaning: CSVColumn, _ column: Int) {
    switch meaning {
    case .latitude(let isE7) where latitude == nil:
      latitude = column
      self.isE7 = isE7
    case .longitude: longitude = longitude ?? column
    case .northSouth: northSouth = northSouth ?? column
    case .eastWest: eastWest = eastWest ?? column
    case .point: point = point ?? column
    case .moment: moment = moment ?? column
    case .date: date = date ?? column
    case .time: time = time ?? column
    case .accuracy: accuracy = accuracy ?? column
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
