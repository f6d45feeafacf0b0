/// The lines of a data file that are neither empty nor comments.
struct DataLines {
  /// The name of the file.
  let file: String
  /// The lines with their numbers, from 1.
  let lines: [(number: Int, text: Substring)]

  /// Splits a text. Lines that begin with `#` are comments.
  init(_ text: String, file: String) {
    self.file = file
    lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
      .map { ($0 + 1, $1) }.filter { !$1.hasPrefix("#") && !$1.allSatisfy(\.isWhitespace) }
  }

  /// The rows of a table with these columns, each with the number of its line.
  ///
  /// - Throws: ``CatalogError`` if the header differs, or a row has another number of columns.
  func rows(columns: [String]) throws(CatalogError) -> [(line: Int, fields: [String])] {
    guard let header = lines.first, header.text.split(separator: ",").map(String.init) == columns
    else {
      throw error(lines.first?.number, "the header is not \(columns.joined(separator: ","))")
    }
    var rows: [(line: Int, fields: [String])] = []
    for (number, text) in lines.dropFirst() {
      let fields = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == columns.count else {
        throw error(number, "\(fields.count) columns instead of \(columns.count)")
      }
      rows.append((number, fields))
    }
    return rows
  }

  func error(_ line: Int?, _ reason: String) -> CatalogError {
    CatalogError(file: file, line: line, reason: reason)
  }
}
