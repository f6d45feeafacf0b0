/// Detects text with columns: a first line that names latitude and longitude, and rows with both.
enum ColumnSniffer {
  /// Bytes of a line of names at most.
  private static let longestLine = 4_096

  /// The characters of a coordinate: `48.1`, `48,1`, `1e1`, `48°6'N`.
  private static let numberBytes = Set("0123456789+-.,eE°'\" NSWnsw".utf8)

  /// Whether the first line has names of columns, two of which are latitude and longitude or one a
  /// position, and the rows after it have the same number of fields and numbers in both columns, or
  /// a point in well-known text. Rows before the first position may lack them.
  static func findsPositions(_ text: ArraySlice<UInt8>) -> Bool {
    let (line, separator) = names(text)
    // Braces occur in JSON and in programs, not in names.
    guard line.count < longestLine,
      line.allSatisfy({ ($0 >= 0x20 && $0 != 0x7B && $0 != 0x7D) || $0 == 0x09 })
    else { return false }
    return (separator.map { [$0] } ?? CSVHeader.separators).contains { separator in
      guard let header = line.withUnsafeBufferPointer({ CSVHeader($0, separator: separator) })
      else { return false }
      return findsPositions(in: text[line.endIndex...], below: header)
    }
  }

  /// The line of names, and the separator if a line before it states one (`sep=;`).
  static func names(_ text: ArraySlice<UInt8>) -> (line: ArraySlice<UInt8>, separator: UInt8?) {
    let first = text.prefix(longestLine).prefix { !isLineEnd($0) }
    guard let separator = first.withUnsafeBufferPointer(CSVHeader.separator(statedIn:)) else {
      return (first, nil)
    }
    let rest = text[first.endIndex...].drop(while: isLineEnd)
    return (rest.prefix(longestLine).prefix { !isLineEnd($0) }, separator)
  }

  private static func findsPositions(
    in text: ArraySlice<UInt8>, below header: CSVHeader
  ) -> Bool {
    var rows = text.drop(while: isLineEnd)
    // Whether a row before had a quotation mark that is not closed.
    var isUnclosed = false
    while !rows.isEmpty {
      guard var fields = takeRow(&rows, header.separator, isUnclosed: &isUnclosed) else {
        continue
      }
      // Some loggers end each row with a separator.
      if fields.count == header.count + 1, fields.last?.isEmpty == true { fields.removeLast() }
      guard fields.count == header.count else { return false }
      if let point = header.point {
        if fields[point].withUnsafeBufferPointer(isPoint) { return true }
      } else if let latitude = header.latitude, let longitude = header.longitude,
        isNumber(fields[latitude]), isNumber(fields[longitude])
      {
        return true
      }
    }
    return false
  }

  // MARK: - Rows

  /// Removes the first row from `text` and returns its fields. Separators and line ends in a quoted
  /// field belong to the field. A row whose quotation mark is not closed ends at its first line
  /// end, and nil is returned.
  ///
  /// - Parameter isUnclosed: whether there was such a row before: a quoted field with a line end is
  ///   then unclosed, too (`TextRows` says why), and the rest of the text is not read again.
  private static func takeRow(
    _ text: inout ArraySlice<UInt8>, _ separator: UInt8, isUnclosed: inout Bool
  ) -> [ArraySlice<UInt8>]? {
    var fields: [ArraySlice<UInt8>] = []
    var start = text.startIndex
    var at = start
    var isQuoted = false
    var firstEnd: Int?
    while at < text.endIndex, isQuoted || !isLineEnd(text[at]) {
      if firstEnd == nil, isLineEnd(text[at]) {
        firstEnd = at
        if isUnclosed { break }
      }
      if text[at] == 0x22, text[start] == 0x22 {
        isQuoted.toggle()
      } else if text[at] == separator, !isQuoted {
        fields.append(text[start..<at])
        start = at + 1
      }
      at += 1
    }
    if isQuoted, let firstEnd {
      isUnclosed = true
      text = text[firstEnd...].drop(while: isLineEnd)
      return nil
    }
    fields.append(text[start..<at])
    text = text[at...].drop(while: isLineEnd)
    return fields
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  private static func isNumber(_ field: ArraySlice<UInt8>) -> Bool {
    field.contains { (0x30...0x39).contains($0) } && field.allSatisfy { numberBytes.contains($0) }
  }

  private static func isPoint(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
    let isPadding: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x22 }
    return CSVCoordinate.isPoint(UnsafeBufferPointer(rebasing: field.drop(while: isPadding)))
  }
}
