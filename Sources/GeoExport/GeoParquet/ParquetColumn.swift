/// The values of one column in the row group that is being filled.
class ParquetColumn {
  /// What the column is.
  final let leaf: ParquetLeaf

  /// Creates an empty column.
  init(_ leaf: ParquetLeaf) { self.leaf = leaf }

  /// The number of bytes that the values take, roughly.
  var byteCount: Int { 0 }

  /// The values in their encoding; empties the column.
  func take() -> ParquetValues { preconditionFailure("an abstract column") }
}

/// A column of the layer: its values may be null.
class AttributeColumn: ParquetColumn {
  /// For each row, 1 if it has a value and 0 if it is null.
  private var levels: [UInt8] = []
  private(set) final var nullCount = 0

  /// Creates the column of a field.
  static func make(_ field: ExportField) -> AttributeColumn {
    switch field.kind {
    case .text: TextColumn(leaf(field, .bytes, .text))
    case .integer: IntegerColumn(leaf(field, .integer64))
    case .real: RealColumn(leaf(field, .double))
    case .boolean: BooleanColumn(leaf(field, .boolean))
    case .time: IntegerColumn(leaf(field, .integer64, .time))
    }
  }

  private static func leaf(
    _ field: ExportField, _ physical: ParquetLeaf.Physical, _ logical: ParquetLeaf.Logical? = nil
  ) -> ParquetLeaf {
    ParquetLeaf(path: [field.name], physical: physical, logical: logical, isOptional: true)
  }

  /// Appends a value of the column's kind, or null.
  final func append(_ value: ExportValue) {
    if value == .null {
      levels.append(0)
      nullCount += 1
    } else {
      levels.append(1)
      appendValue(value)
    }
  }

  /// Appends a value that is not null.
  func appendValue(_ value: ExportValue) { preconditionFailure("an abstract column") }

  /// A page of the levels and the values, without levels and values for the next row group.
  final func take(
    _ encoding: ParquetEncoding, dictionary: (page: [UInt8], count: Int)? = nil,
    range: (least: [UInt8], greatest: [UInt8])?, values: (inout [UInt8]) -> Void
  ) -> ParquetValues {
    var page: [UInt8] = []
    LevelEncoding.appendLevels(levels, width: 1, to: &page)
    values(&page)
    defer {
      levels.removeAll(keepingCapacity: true)
      nullCount = 0
    }
    return ParquetValues(
      encoding: encoding, count: levels.count, page: page, dictionary: dictionary,
      statistics: ParquetStatistics(nullCount: nullCount, range: range))
  }
}

/// A column of integers or times, which are encoded as differences: rows come in the order of
/// places or of times.
final class IntegerColumn: AttributeColumn {
  private var values: [Int64] = []

  override var byteCount: Int { 8 * values.count }

  override func appendValue(_ value: ExportValue) {
    switch value {
    case .integer(let value), .time(let value): values.append(value)
    default: preconditionFailure("a value of another kind than its column")
    }
  }

  override func take() -> ParquetValues {
    var range: (least: [UInt8], greatest: [UInt8])?
    if let least = values.min(), let greatest = values.max() {
      range = ([UInt8](littleEndian: least), [UInt8](littleEndian: greatest))
    }
    defer { values.removeAll(keepingCapacity: true) }
    return take(.delta, range: range) { DeltaEncoding.append(values, to: &$0) }
  }
}

/// A column of numbers.
final class RealColumn: AttributeColumn {
  private var values: [UInt8] = []
  private var (least, greatest) = (Double.infinity, -Double.infinity)

  override var byteCount: Int { values.count }

  override func appendValue(_ value: ExportValue) {
    guard case .real(let value) = value else {
      preconditionFailure("a value of another kind than its column")
    }
    values.append(littleEndian: value)
    least = min(least, value)
    greatest = max(greatest, value)
  }

  override func take() -> ParquetValues {
    var range: (least: [UInt8], greatest: [UInt8])?
    if least <= greatest {
      // Zeros of either sign are equal, so a range includes both.
      range = (
        [UInt8](littleEndian: (least == 0 ? -0.0 : least).bitPattern),
        [UInt8](littleEndian: (greatest == 0 ? 0.0 : greatest).bitPattern)
      )
    }
    defer {
      values.removeAll(keepingCapacity: true)
      (least, greatest) = (.infinity, -.infinity)
    }
    return take(.plain, range: range) { $0 += values }
  }
}

/// A column of true and false, a bit each.
final class BooleanColumn: AttributeColumn {
  private var bits: [UInt8] = []
  private var packer = BitPacker()
  private var (hasFalse, hasTrue) = (false, false)

  override var byteCount: Int { bits.count }

  override func appendValue(_ value: ExportValue) {
    guard case .boolean(let value) = value else {
      preconditionFailure("a value of another kind than its column")
    }
    packer.append(value ? 1 : 0, width: 1, to: &bits)
    if value { hasTrue = true } else { hasFalse = true }
  }

  override func take() -> ParquetValues {
    packer.finish(to: &bits)
    let range: (least: [UInt8], greatest: [UInt8])? =
      hasFalse || hasTrue ? ([hasFalse ? 0 : 1], [hasTrue ? 1 : 0]) : nil
    defer {
      bits.removeAll(keepingCapacity: true)
      (hasFalse, hasTrue) = (false, false)
    }
    return take(.plain, range: range) { $0 += bits }
  }
}

extension [UInt8] {
  /// The bytes of an integer, the lowest first.
  init(littleEndian value: some FixedWidthInteger) {
    self.init()
    append(littleEndian: value)
  }
}
