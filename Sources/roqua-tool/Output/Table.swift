/// Columns of text, each as wide as its widest entry. Entries are aligned as they are printed
/// (``Console/safe(_:)``).
struct Table {
  /// How a column is set.
  enum Alignment {
    case left, right
  }

  private let alignments: [Alignment]
  private var rows: [[String]] = []

  /// A table with so many columns.
  init(_ alignments: [Alignment]) { self.alignments = alignments }

  /// Adds a row, one entry a column.
  mutating func add(_ row: [String]) { rows.append(row.map(Console.safe)) }

  /// The lines, without blanks at their ends.
  func lines(indent: String = "") -> [String] {
    let widths = alignments.indices.map { column in rows.map { Self.width($0[column]) }.max() ?? 0 }
    return rows.map { row in
      let cells = row.indices.map { column in
        let blanks = String(repeating: " ", count: widths[column] - Self.width(row[column]))
        return alignments[column] == .left ? row[column] + blanks : blanks + row[column]
      }
      let line = indent + cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Columns that a text takes on a terminal: two for the scripts of East Asia, one for the rest.
  private static func width(_ text: String) -> Int {
    text.reduce(0) { width, character in
      guard let scalar = character.unicodeScalars.first else { return width }
      switch scalar.value {
      case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F1E6...0x1FAFF, 0x20000...0x3FFFD:
        return width + 2
      default: return width + 1
      }
    }
  }
}
