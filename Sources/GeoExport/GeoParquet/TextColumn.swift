/// A column of texts: places in a dictionary as long as there are few distinct texts, else the
/// texts themselves.
///
/// A column that once had too many distinct texts has none of its later row groups with a
/// dictionary.
final class TextColumn: AttributeColumn {
  /// The longest text that statistics contain.
  private static let longestBound = 64

  private var dictionary = TextDictionary()
  private var places: [UInt32] = []
  /// The texts in plain encoding, if they do not fit in the dictionary.
  private var plain: [UInt8] = []
  private var isPlain = false

  override var byteCount: Int { isPlain ? plain.count : dictionary.bytes.count + 4 * places.count }

  override func appendValue(_ value: ExportValue) {
    guard case .text(let text) = value else {
      preconditionFailure("a value of another kind than its column")
    }
    if !isPlain {
      if let place = dictionary.index(of: text) {
        places.append(UInt32(place))
        return
      }
      isPlain = true
      for place in places { plain += dictionary.bytes[dictionary.range(Int(place))] }
      places = []
      dictionary.removeAll()
    }
    plain.append(littleEndian: UInt32(text.utf8.count))
    plain.append(contentsOf: text.utf8)
  }

  override func take() -> ParquetValues {
    if isPlain {
      defer { plain.removeAll(keepingCapacity: true) }
      return take(.plain, range: Self.range(plain)) { $0 += plain }
    }
    defer {
      places.removeAll(keepingCapacity: true)
      dictionary.removeAll()
    }
    let width = BitPacker.width(of: UInt64(max(0, dictionary.count - 1)))
    return take(
      .dictionary, dictionary: (dictionary.bytes, dictionary.count),
      range: Self.range(dictionary.bytes)
    ) {
      $0.append(UInt8(width))
      LevelEncoding.append(places, width: width, to: &$0)
    }
  }

  /// The least and the greatest of some texts in plain encoding, as bytes compare; nil if there is
  /// none, or if one of the two is long.
  static func range(_ texts: [UInt8]) -> (least: [UInt8], greatest: [UInt8])? {
    guard !texts.isEmpty else { return nil }
    var bounds: (least: Range<Int>, greatest: Range<Int>)?
    var next = 0
    while next < texts.count {
      let count = texts[next..<next + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
      let text = next + 4..<next + 4 + count
      next = text.upperBound
      guard let (least, greatest) = bounds else {
        bounds = (text, text)
        continue
      }
      if precedes(text, least, in: texts) { bounds?.least = text }
      if precedes(greatest, text, in: texts) { bounds?.greatest = text }
    }
    guard let bounds, max(bounds.least.count, bounds.greatest.count) <= longestBound else {
      return nil
    }
    return (Array(texts[bounds.least]), Array(texts[bounds.greatest]))
  }

  private static func precedes(_ one: Range<Int>, _ other: Range<Int>, in bytes: [UInt8]) -> Bool {
    for offset in 0..<min(one.count, other.count) {
      let (first, second) = (bytes[one.lowerBound + offset], bytes[other.lowerBound + offset])
      if first != second { return first < second }
    }
    return one.count < other.count
  }
}
