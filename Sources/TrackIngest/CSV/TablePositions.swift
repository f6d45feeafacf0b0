import Geodesy

/// Reads a table row by row with the position of each, and leaves the rows as they are. It finds
/// the columns as an import does (`docs/formats/csv.md`).
///
/// - Memory: one row of at most ``longestRow`` bytes.
package struct TablePositions {
  /// A row, valid only during the call.
  package struct Row {
    /// What a row is.
    package enum Content: Hashable, Sendable {
      /// The names of the columns.
      case names
      /// A row with a position.
      case position(Coordinate)
      /// A row whose position is empty, or an empty line.
      case noPosition
      /// A row that has no valid position, with the reason in a sentence.
      case unusable(String)
      /// A row that is not whole, with the reason in a sentence: it is too long, or the table ends
      /// in a quoted field. Nothing can be added behind it.
      case incomplete(String)
    }

    /// Its bytes in UTF-8, without the line end; only the first ones of a row that is too long.
    package let text: UnsafeBufferPointer<UInt8>
    /// The line on which it begins, counted from 1.
    package let line: Int
    /// The number of its fields.
    package let fieldCount: Int
    /// The number of columns of the table, and the character that separates them.
    package let columnCount: Int
    package let separator: UInt8
    /// What it is.
    package let content: Content

    /// The texts of its fields, without the quotation marks around them.
    package var names: [String] {
      var fields = CSVFields()
      fields.split(text, at: separator)
      return (0..<fields.count).map { String(decoding: fields[$0], as: UTF8.self) }
    }
  }

  /// The longest row that is read, in bytes: long enough for most shapes in a field.
  package static let longestRow = 1 << 22

  private var rows = TextRows(longestRow: longestRow)
  private let columns: TableColumns?
  private var header: CSVHeader?
  private var fields = CSVFields()
  private var sawFirstRow = false
  /// Why the text is no table of positions, in a sentence; nil as far as it is one.
  package private(set) var refusal: String?

  /// Creates a reader at the start of a table.
  ///
  /// - Parameter columns: the columns that the user states; nil to find all by their names.
  package init(columns: TableColumns? = nil) { self.columns = columns }

  /// Reads the next bytes, and calls `body` with each row that ends in them.
  ///
  /// - Complexity: O(bytes).
  package mutating func read(_ bytes: UnsafeRawBufferPointer, _ body: (Row) -> Void) {
    var rows = TextRows(longestRow: Self.longestRow)
    swap(&rows, &self.rows)
    rows.read(bytes) { rows, row in
      take(row, body)
      rows.separator = header?.separator
    }
    swap(&rows, &self.rows)
  }

  /// Ends the table, and calls `body` with a last row that has no line end.
  package mutating func finish(_ body: (Row) -> Void) {
    var rows = TextRows(longestRow: Self.longestRow)
    swap(&rows, &self.rows)
    rows.finish { _, row in take(row, body) }
    swap(&rows, &self.rows)
    if !sawFirstRow { refusal = "It contains no row." }
  }

  private mutating func take(_ row: TextRows.Row, _ body: (Row) -> Void) {
    if header == nil {
      guard !sawFirstRow, row.text.contains(where: { $0 > 0x20 }) else { return }
      sawFirstRow = true
      if !row.isTooLong { header = CSVHeader.read(row.text, stated: columns) }
      if let header, header.latitude != nil, header.latitude == header.longitude {
        self.header = nil
        refusal = "Latitude and longitude are in the same column."
        return
      }
      guard let header else {
        refusal =
          columns.map { "Its first row has \($0.lack(in: row.text))." }
          ?? "Its first row does not name columns of latitude and longitude."
        return
      }
      if !header.isPosition {
        if let name = header.repeatedName(in: row.text, stated: columns) {
          self.header = nil
          refusal =
            "Its first row has several columns named \(name); state the right one by its number."
          return
        }
        return pass(row, .names, header, body)
      }
    }
    guard let header, refusal == nil else { return }
    pass(row, nil, header, body)
  }

  private mutating func pass(
    _ row: TextRows.Row, _ content: Row.Content?, _ header: CSVHeader, _ body: (Row) -> Void
  ) {
    fields.split(row.text, at: header.separator)
    body(
      Row(
        text: row.text, line: row.line, fieldCount: fields.count, columnCount: header.count,
        separator: header.separator, content: content ?? self.content(row, header)))
  }

  private func content(_ row: TextRows.Row, _ header: CSVHeader) -> Row.Content {
    if row.isTooLong {
      return .incomplete("The row is longer than \(Self.longestRow) bytes and is left out.")
    }
    if row.isUnclosed { return .incomplete("A quotation mark is not closed.") }
    if fields.count > CSVLimits.columns {
      return .incomplete("The row has more than \(CSVLimits.columns) columns.")
    }
    if fields.isBlank || header.lacksPosition(in: fields) { return .noPosition }
    if let coordinate = header.coordinate(in: fields) { return .position(coordinate) }
    return .unusable("A coordinate is missing, not a number or out of range.")
  }
}
