/// Columns of text, each as wide as its widest entry, fitted to the terminal. Entries are aligned
/// as they are printed (``Console/safe(_:)``).
///
/// If the rows are too wide, texts are shortened with "…", the widest column first; an entry with
/// a digit never is. If that is not enough, each row continues on further, indented lines. A path
/// is never shortened or broken: it may be wider than the terminal, on a line of its own.
struct Table {
  /// How a column is set.
  enum Alignment {
    /// Text.
    case left
    /// Text that names a row, never shortened.
    case label
    /// Numbers, never shortened.
    case right
    /// Numbers aligned at the decimal point, never shortened.
    case point
    /// Paths of files, aligned as text, never shortened or broken, so that they can be copied.
    case path
  }

  private let alignments: [Alignment]
  private let limit: Int?
  private var header: [[String]] = []
  private var rows: [[String]] = []

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - alignments: one for each column.
  ///   - limit: the width of the terminal; nil for none.
  init(_ alignments: [Alignment], limit: Int? = TerminalWidth.current) {
    self.alignments = alignments
    self.limit = limit
  }

  /// Adds a line above the rows: one entry for each column. It is left out if there are no rows.
  mutating func addHeader(_ entries: [String]) { header.append(entries.map(Console.safe)) }

  /// Adds a row, one entry for each column.
  mutating func add(_ row: [String]) { rows.append(row.map(Console.safe)) }

  /// The lines, without blanks at their ends.
  func lines(indent: String = "") -> [String] {
    if rows.isEmpty { return [] }
    let all = header + aligningPoints(rows)
    let natural = naturalWidths(all)
    guard let limit else { return Self.lines(all, of: natural, alignments, indent: indent) }
    let available = limit - indent.count
    if let widths = fitted(natural, to: available, all) {
      return Self.lines(all, of: widths, alignments, indent: indent)
    }
    return wrapped(all, natural, in: available, indent: indent)
  }

  /// Whether each row fits on one line.
  ///
  /// - Parameter isWhole: true if no text may be shortened for that.
  func fits(whole isWhole: Bool) -> Bool {
    guard let limit else { return true }
    let all = header + aligningPoints(rows)
    let natural = naturalWidths(all)
    return isWhole ? Self.total(natural) <= limit : fitted(natural, to: limit, all) != nil
  }

  /// The width of the widest entry of each column.
  private func naturalWidths(_ all: [[String]]) -> [Int] {
    alignments.indices.map { column in
      all.map { TextWidth.columns(of: $0[column]) }.max() ?? 0
    }
  }

  /// The width of a row of columns of these widths, with two blanks between them.
  private static func total(_ widths: [Int]) -> Int {
    widths.reduce(0, +) + 2 * max(0, widths.count - 1)
  }

  // MARK: Fitting

  /// Widths that fit, with the widest texts shortened; nil if they cannot.
  private func fitted(_ natural: [Int], to available: Int, _ all: [[String]]) -> [Int]? {
    var widths = natural
    var excess = Self.total(widths) - available
    if excess <= 0 { return widths }
    let floors = alignments.indices.map { column in floor(ofColumn: column, natural[column], all) }
    while excess > 0 {
      let shrinkable = widths.indices.filter { widths[$0] > floors[$0] }
      guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { return nil }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  /// The width below which texts are not shortened.
  private static let shortestText = 8

  /// The least width of a column: its header and every entry with a digit stay whole.
  private func floor(ofColumn column: Int, _ natural: Int, _ all: [[String]]) -> Int {
    guard alignments[column] == .left else { return natural }
    let whole = all.enumerated().filter { index, row in
      index < header.count || Self.hasDigit(row[column])
    }
    let least = whole.map { TextWidth.columns(of: $0.element[column]) }.max() ?? 0
    return max(least, min(natural, Self.shortestText))
  }

  private static func hasDigit(_ text: String) -> Bool {
    text.utf8.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  // MARK: Wrapping

  /// The indentation of the further lines of a row.
  private static let continuation = "    "

  /// Each row on several lines, each with as many columns as fit.
  private func wrapped(
    _ all: [[String]], _ natural: [Int], in available: Int, indent: String
  ) -> [String] {
    let cap = available - Self.continuation.count
    var groups: [Range<Int>] = []
    for column in alignments.indices {
      if let last = groups.last, natural[last.upperBound - 1] <= cap, natural[column] <= cap,
        Self.total(Array(natural[last.lowerBound...column]))
          <= (groups.count == 1 ? available : cap)
      {
        groups[groups.count - 1] = last.lowerBound..<column + 1
      } else {
        groups.append(column..<column + 1)
      }
    }
    // The lines of the header stay together, group by group.
    let rows = [Array(all.prefix(header.count))] + all.dropFirst(header.count).map { [$0] }
    return rows.enumerated().flatMap { place, rows in
      groups.enumerated().flatMap { index, columns -> [String] in
        rows.flatMap { piece($0, of: columns, isFirst: index == 0, isHeader: place == 0) }
      }
    }
    func piece(
      _ row: [String], of columns: Range<Int>, isFirst: Bool, isHeader: Bool
    ) -> [String] {
      let indent = isFirst ? indent : indent + Self.continuation
      let entries = Array(row[columns])
      if !isFirst || isHeader, entries.allSatisfy(\.isEmpty) { return [] }
      if columns.count == 1, natural[columns.lowerBound] > cap {
        if alignments[columns.lowerBound] == .path { return [indent + entries[0]] }
        return TextWidth.pieces(of: entries[0], columns: cap).map { indent + $0 }
      }
      return Self.lines(
        [entries], of: Array(natural[columns]), Array(alignments[columns]), indent: indent)
    }
  }

  // MARK: Setting

  private static func lines(
    _ rows: [[String]], of widths: [Int], _ alignments: [Alignment], indent: String
  ) -> [String] {
    rows.map { row in
      let cells = row.indices.map { column in
        let text = TextWidth.shortened(row[column], columns: widths[column])
        let blanks = String(
          repeating: " ", count: max(0, widths[column] - TextWidth.columns(of: text)))
        return [.left, .label, .path].contains(alignments[column]) ? text + blanks : blanks + text
      }
      var line = indent + cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// The rows with blanks behind the numbers of columns that are aligned at the point.
  private func aligningPoints(_ rows: [[String]]) -> [[String]] {
    var rows = rows
    for column in alignments.indices where alignments[column] == .point {
      let longest = rows.map { Self.digitsFromPoint($0[column]) }.max() ?? 0
      for index in rows.indices where !rows[index][column].isEmpty {
        let missing = longest - Self.digitsFromPoint(rows[index][column])
        rows[index][column] += String(repeating: " ", count: missing)
      }
    }
    return rows
  }

  /// The number of characters from the decimal point to the end.
  private static func digitsFromPoint(_ text: String) -> Int {
    text.lastIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) } ?? 0
  }
}

/// The columns that texts take on a terminal: two for each emoji and each character of the
/// scripts of East Asia, one for the rest.
enum TextWidth {
  static func columns(of text: String) -> Int {
    let bytes = text.utf8
    if bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) { return bytes.count }
    return text.reduce(0) { $0 + columns(of: $1) }
  }

  /// A text of at most `limit` columns, with "…" in place of what is left out.
  static func shortened(_ text: String, columns limit: Int) -> String {
    guard columns(of: text) > limit else { return text }
    var (start, width) = ("", 1)
    for character in text {
      width += columns(of: character)
      if width > limit { break }
      start.append(character)
    }
    return start + "…"
  }

  /// A text in pieces of at most `limit` columns.
  static func pieces(of text: String, columns limit: Int) -> [String] {
    var (pieces, width) = ([""], 0)
    for character in text {
      width += columns(of: character)
      if width > limit {
        pieces.append("")
        width = columns(of: character)
      }
      pieces[pieces.count - 1].append(character)
    }
    return pieces
  }

  private static func columns(of character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F1E6...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return emoji.contains { $0.contains(scalar.value) } ? 2 : 1
    }
  }

  /// The characters before the flags that are shown as emoji: Emoji_Presentation in Unicode's
  /// emoji-data.txt.
  private static let emoji: [ClosedRange<UInt32>] = [
    0x231A...0x231B, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3, 0x25FD...0x25FE,
    0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693, 0x26A1...0x26A1,
    0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4,
    0x26EA...0x26EA, 0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD,
    0x2705...0x2705, 0x270A...0x270B, 0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E,
    0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797, 0x27B0...0x27B0, 0x27BF...0x27BF,
    0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55, 0x1F004...0x1F004, 0x1F0CF...0x1F0CF,
    0x1F18E...0x1F18E, 0x1F191...0x1F19A,
  ]
}
