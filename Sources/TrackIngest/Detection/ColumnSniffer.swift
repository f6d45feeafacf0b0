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
    let line = text.prefix(longestLine).prefix { !isLineEnd($0) }
    // Braces occur in JSON and in programs, not in names.
    guard line.count < longestLine,
      line.allSatisfy({ ($0 >= 0x20 && $0 != 0x7B && $0 != 0x7D) || $0 == 0x09 })
    else { return false }
    return CSVHeader.separators.contains { separator in
      guard let header = line.withUnsafeBufferPointer({ CSVHeader($0, separator: separator) })
      else { return false }
      return findsPositions(in: text[line.endIndex...], below: header)
    }
  }

  private static func findsPositions(
    in text: ArraySlice<UInt8>, below header: CSVHeader
  ) -> Bool {
    var rows = text.drop(while: isLineEnd)
    while !rows.isEmpty {
      var fields = takeRow(&rows, header.separator)
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
  /// field belong to the field.
  private static func takeRow(
    _ text: inout ArraySlice<UInt8>, _ separator: UInt8
  ) -> [ArraySlice<UInt8>] {
    var fields: [ArraySlice<UInt8>] = []
    var start = text.startIndex
    var at = start
    var isQuoted = false
    while at < text.endIndex, isQuoted || !isLineEnd(text[at]) {
      if text[at] == 0x22, text[start] == 0x22 {
        isQuoted.toggle()
      } else if text[at] == separator, !isQuoted {
        fields.append(text[start..<at])
        start = at + 1
      }
      at += 1
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
