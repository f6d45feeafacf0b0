/// A QR code as text for a terminal, two rows of modules in each line.
///
/// A scanner needs dark modules on light ground with a margin around them. With colors, black and
/// white are set, whatever the terminal's own are. Without, a module's ink is chosen by
/// ``isLightTerminal``: blocks are in the color of text, which is light on a dark terminal.
///
/// - Source: ISO/IEC 18004.
struct TerminalQRCode {
  /// Whether escape sequences set black and white (ECMA-48 SGR).
  var usesColor = TerminalColors.current.areOn
  /// Whether text is dark on a light ground. Only counts without colors. Most scanners read both.
  var isLightTerminal = false

  /// The light modules around a code that the standard asks for.
  static let margin = 4

  /// The code of a text in lines, each with its end; nil if the text is too long for one.
  ///
  /// - Parameter text: Capital letters, digits and "-" need fewer modules than others, so a key is
  ///   best in upper case.
  func text(for text: String) -> String? { QRCode(text).map { lines($0.modules) } }

  /// Draws modules, of which true is dark.
  func lines(_ modules: [[Bool]]) -> String {
    let blank = [Bool](repeating: false, count: modules.count + 2 * Self.margin)
    let side = [Bool](repeating: false, count: Self.margin)
    let edge = [[Bool]](repeating: blank, count: Self.margin)
    var rows = edge + modules.map { side + $0 + side } + edge
    if rows.count % 2 == 1 { rows.append(blank) }
    return stride(from: 0, to: rows.count, by: 2).map { row in
      let blocks = zip(rows[row], rows[row + 1]).map { block(upper: $0, lower: $1) }.joined()
      // Black on white, and back.
      return (usesColor ? "\u{1B}[30;107m\(blocks)\u{1B}[0m" : blocks) + "\n"
    }.joined()
  }

  /// One character for two modules.
  private func block(upper: Bool, lower: Bool) -> String {
    // The ink of a character is black with colors, else it is the terminal's color of text.
    let isInkDark = usesColor || isLightTerminal
    return switch (upper == isInkDark, lower == isInkDark) {
    case (true, true): "█"
    case (true, false): "▀"
    case (false, true): "▄"
    case (false, false): " "
    }
  }
}
