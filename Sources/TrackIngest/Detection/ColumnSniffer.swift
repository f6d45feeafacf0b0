/// Detects text with columns: a first line that names latitude and longitude, and rows with both.
enum ColumnSniffer {
  /// Bytes of a line of names at most.
  private static let longestLine = 4_096

  private static let separators = Array(",;\t|".utf8)

  /// The characters of a coordinate: `48.1`, `48,1`, `1e1`, `48°6'N`.
  private static let numberBytes = Set("0123456789+-.,eE°'\" NSWnsw".utf8)

  private static let shortLongitudes: Set<Substring> = ["lon", "lng", "long"]

  /// Whether the first line has names of columns, two of which are latitude and longitude, and the
  /// rows after it have the same number of fields and numbers in both columns. Rows before the
  /// first position may lack the numbers.
  static func findsPositions(_ text: ArraySlice<UInt8>) -> Bool {
    let line = text.prefix(longestLine).prefix { !isLineEnd($0) }
    // Braces occur in JSON and in programs, not in names.
    guard line.count < longestLine,
      line.allSatisfy({ ($0 >= 0x20 && $0 != 0x7B && $0 != 0x7D) || $0 == 0x09 })
    else { return false }
    return separators.contains { separator in
      findsPositions(in: text[line.endIndex...], below: line, separatedBy: separator)
    }
  }

  private static func findsPositions(
    in text: ArraySlice<UInt8>, below line: ArraySlice<UInt8>, separatedBy separator: UInt8
  ) -> Bool {
    var first = line
    var rows = text.drop(while: isLineEnd)
    var header = takeRow(&first, separator)
    if header.last?.isEmpty == true { header.removeLast() }
    guard header.allSatisfy(hasMatchedParentheses) else { return false }
    let columns = header.map(axis)
    let latitudes = columns.indices.filter { columns[$0] == .latitude }
    let longitudes = columns.indices.filter { columns[$0] == .longitude }
    guard !latitudes.isEmpty, !longitudes.isEmpty else { return false }
    while !rows.isEmpty {
      var fields = takeRow(&rows, separator)
      // Some loggers end each row with a separator.
      if fields.count == columns.count + 1, fields.last?.isEmpty == true { fields.removeLast() }
      guard fields.count == columns.count else { return false }
      if latitudes.contains(where: { isNumber(fields[$0]) }),
        longitudes.contains(where: { isNumber(fields[$0]) })
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

  // MARK: - Names

  private enum Axis { case latitude, longitude }

  /// Whether the parentheses in a field match, as in `latitude (deg)`; those in the fields of
  /// `f(lat, lon)` do not.
  private static func hasMatchedParentheses(_ field: ArraySlice<UInt8>) -> Bool {
    var depth = 0
    for byte in field {
      if byte == 0x28 { depth += 1 }
      if byte == 0x29 { depth -= 1 }
      if depth < 0 { return false }
    }
    return depth == 0
  }

  /// What a column contains by its name: `lat`, `Latitude (deg)`, `location-lat`,
  /// `start_latitude`. Nil for other names, for a name of both (`lat/lon`), and for the end of a
  /// sentence.
  private static func axis(_ field: ArraySlice<UInt8>) -> Axis? {
    let name = String(decoding: field, as: UTF8.self).lowercased().prefix { $0 != "(" }
    guard let last = name.last, !".:!?".contains(last), !name.contains("=") else { return nil }
    let words = name.split { !$0.isLetter }
    let isLatitude = words.contains { $0 == "lat" || $0.hasPrefix("latitude") }
    let isLongitude = words.contains { shortLongitudes.contains($0) || $0.hasPrefix("longitude") }
    if isLatitude == isLongitude { return nil }
    return isLatitude ? .latitude : .longitude
  }
}
