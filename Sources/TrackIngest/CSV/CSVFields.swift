/// The fields of one row, only valid while the row is.
struct CSVFields {
  // Sound: the caller of `split` keeps the bytes alive while fields are read, and the ranges lie in
  // them.
  private var text = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private var ranges: [Range<Int>] = []

  /// The number of fields, at most ``CSVLimits/columns`` + 1.
  var count: Int { ranges.count }

  /// Whether all fields are empty.
  var isBlank: Bool { ranges.allSatisfy { self[$0].isEmpty } }

  /// A row without fields.
  init() {}

  /// Splits a row. A separator in a quoted field belongs to the field.
  mutating func split(_ row: UnsafeBufferPointer<UInt8>, at separator: UInt8) {
    text = row
    ranges.removeAll(keepingCapacity: true)
    var start = 0
    var isQuoted = false
    var isFieldStart = true
    for index in row.indices {
      let byte = row[index]
      if byte == 0x22 {
        if isQuoted {
          isQuoted = false
          isFieldStart = true
        } else if isFieldStart {
          isQuoted = true
        }
      } else if !isQuoted {
        isFieldStart = byte == separator
        if isFieldStart {
          ranges.append(start..<index)
          start = index + 1
          if ranges.count > CSVLimits.columns { return }
        }
      }
    }
    ranges.append(start..<row.count)
  }

  /// Removes a last field that is empty: some programs end each row with a separator.
  mutating func dropEmptyEnd() {
    if let last = ranges.last, self[last].isEmpty { ranges.removeLast() }
  }

  /// A field without blanks, control characters and quotation marks around it; empty if the row has
  /// no such field.
  subscript(column: Int) -> UnsafeBufferPointer<UInt8> {
    column < ranges.count ? self[ranges[column]] : UnsafeBufferPointer(start: nil, count: 0)
  }

  private subscript(range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, text[start] <= 0x22, text[start] != 0x21 { start += 1 }
    while end > start, text[end - 1] <= 0x22, text[end - 1] != 0x21 { end -= 1 }
    return UnsafeBufferPointer(rebasing: text[start..<end])
  }
}
