/// The column of geometries: well-known binary, never null.
final class GeometryColumn: ParquetColumn {
  private var values: [UInt8] = []
  private var count = 0

  /// Creates an empty column.
  init() {
    super.init(
      ParquetLeaf(path: ["geometry"], physical: .bytes, logical: nil, isOptional: false))
  }

  override var byteCount: Int { values.count }

  /// Appends a geometry. Its measures are not part of it: GeoParquet has no measures.
  func append(_ geometry: ExportGeometry, _ shape: ExportLayer.Shape) {
    let start = values.count
    values.append(littleEndian: UInt32(0))
    WellKnownBinary.append(geometry, shape, to: &values)
    var size = UInt32(truncatingIfNeeded: values.count - start - 4)
    for place in start..<start + 4 {
      values[place] = UInt8(truncatingIfNeeded: size)
      size >>= 8
    }
    count += 1
  }

  override func take() -> ParquetValues {
    defer { (values, count) = ([], 0) }
    return ParquetValues(
      encoding: .plain, count: count, page: values, dictionary: nil,
      statistics: ParquetStatistics())
  }
}

/// One edge of the boxes of geometries: a number of 32 bits, rounded outward, never null.
final class EdgeColumn: ParquetColumn {
  private let isLower: Bool
  private var values: [UInt8] = []
  private var (least, greatest) = (Float.infinity, -Float.infinity)

  /// Creates an empty column of `xmin`, `ymin`, `xmax` or `ymax`.
  init(_ name: String, isLower: Bool) {
    self.isLower = isLower
    super.init(
      ParquetLeaf(path: ["bbox", name], physical: .float, logical: nil, isOptional: false))
  }

  override var byteCount: Int { values.count }

  /// Appends an edge in degrees.
  func append(_ edge: Double) {
    var value = Float(edge)
    if isLower, Double(value) > edge { value = value.nextDown }
    if !isLower, Double(value) < edge { value = value.nextUp }
    values.append(littleEndian: value.bitPattern)
    least = min(least, value)
    greatest = max(greatest, value)
  }

  override func take() -> ParquetValues {
    defer {
      values.removeAll(keepingCapacity: true)
      (least, greatest) = (.infinity, -.infinity)
    }
    // Zeros of either sign are equal, so a range includes both.
    let range = (
      [UInt8](littleEndian: (least == 0 ? -0.0 : least).bitPattern),
      [UInt8](littleEndian: (greatest == 0 ? 0.0 : greatest).bitPattern)
    )
    return ParquetValues(
      encoding: .plain, count: values.count / 4, page: values, dictionary: nil,
      statistics: ParquetStatistics(nullCount: 0, range: range))
  }
}

/// The times of the positions of lines: a list for each row, with null for an unknown time.
///
/// A position has two levels: the repetition level is 0 for the first one of a line and 1 for
/// others; the definition level is 1 for null and 2 for a time (0 would be an empty list).
final class TimesColumn: ParquetColumn {
  private var repetitions: [UInt8] = []
  private var definitions: [UInt8] = []
  private var values: [Int64] = []

  /// Creates an empty column.
  init() {
    super.init(
      ParquetLeaf(
        path: ["times", "list", "element"], physical: .integer64, logical: .time,
        isOptional: true))
  }

  override var byteCount: Int { 8 * values.count + 2 * definitions.count }

  /// Appends the measures of a line, seconds since 1970.
  func append(_ measures: [Double]) {
    if measures.isEmpty {
      repetitions.append(0)
      definitions.append(0)
    }
    for (position, measure) in measures.enumerated() {
      repetitions.append(position == 0 ? 0 : 1)
      if let milliseconds = Int64(exactly: (measure * 1_000).rounded()) {
        definitions.append(2)
        values.append(milliseconds)
      } else {
        definitions.append(1)
      }
    }
  }

  override func take() -> ParquetValues {
    defer { (repetitions, definitions, values) = ([], [], []) }
    var page: [UInt8] = []
    LevelEncoding.appendLevels(repetitions, width: 1, to: &page)
    LevelEncoding.appendLevels(definitions, width: 2, to: &page)
    DeltaEncoding.append(values, to: &page)
    var statistics = ParquetStatistics(nullCount: definitions.count - values.count)
    if let least = values.min(), let greatest = values.max() {
      statistics.range = ([UInt8](littleEndian: least), [UInt8](littleEndian: greatest))
    }
    return ParquetValues(
      encoding: .delta, count: definitions.count, page: page, dictionary: nil,
      statistics: statistics)
  }
}
