import TestSupport
import Testing

@testable import roqua_tool

@Suite struct TerminalQRCodeTests {
  /// Modules that are no code: what is drawn is read back, half block by half block.
  @Test(arguments: Seeds.sample(20), [0, 1, 2])
  func `every module is drawn, with its margin`(seed: UInt64, kind: Int) throws {
    var random = SplitMix64(seed: seed)
    let width = Int.random(in: 1...40, using: &random)
    let modules = (0..<width).map { _ in (0..<width).map { _ in Bool.random(using: &random) } }
    let drawing = TerminalQRCode(usesColor: kind == 0, isLightTerminal: kind == 1)
    var lines = drawing.lines(modules).split(separator: "\n").map(String.init)
    if kind == 0 {
      let (start, end) = ("\u{1B}[30;107m", "\u{1B}[0m")
      #expect(lines.allSatisfy { $0.hasPrefix(start) && $0.hasSuffix(end) })
      lines = lines.map { String($0.dropFirst(start.count).dropLast(end.count)) }
    }
    let ink: [Character: (Bool, Bool)] = [
      "█": (true, true), "▀": (true, false), "▄": (false, true), " ": (false, false),
    ]
    var rows: [[Bool]] = []
    for line in lines {
      let pairs = try line.map { try #require(ink[$0]) }
      // Ink is dark with colors and on a light terminal.
      rows.append(pairs.map { $0.0 == (kind < 2) })
      rows.append(pairs.map { $0.1 == (kind < 2) })
    }
    #expect(rows.count >= width + 8 && rows.allSatisfy { $0.count == width + 8 })
    for (row, modulesOfRow) in rows.enumerated() {
      for (column, isDark) in modulesOfRow.enumerated() {
        let isInside = (4..<(4 + width)).contains(row) && (4..<(4 + width)).contains(column)
        #expect(isDark == (isInside && modules[row - 4][column - 4]))
      }
    }
  }

  @Test func `a key fits on a screen of 80 columns and 24 lines`() throws {
    let text = try #require(TerminalQRCode(usesColor: false).text(for: Self.key))
    let lines = text.split(separator: "\n")
    #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 80 })
  }

  static let key = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX"

  @Test func `texts up to the longest have a code, and longer ones none`() {
    let letters = [(20, 21), (38, 25), (61, 29), (90, 33), (122, 37), (154, 41)]
    for (count, size) in letters {
      // The capacities of level M that the standard lists, in versions 1 to 6.
      #expect(QRCode(String(repeating: "A", count: count))?.modules.count == size)
      #expect(QRCode(String(repeating: "A", count: count + 1))?.modules.count != size)
    }
    for (count, size) in [(14, 21), (26, 25), (42, 29), (62, 33), (84, 37), (106, 41)] {
      #expect(QRCode(String(repeating: "a", count: count))?.modules.count == size)
      #expect(QRCode(String(repeating: "a", count: count + 1))?.modules.count != size)
    }
    #expect(QRCode(String(repeating: "A", count: 155)) == nil)
    #expect(QRCode(String(repeating: "a", count: 107)) == nil)
  }

  /// Each block of codewords, read from the modules again, is zero at the roots of the code: the
  /// property by which readers find errors.
  @Test(arguments: ["A", "explored", key, String(repeating: "z", count: 100)])
  func `the codewords of a code have no error`(text: String) throws {
    let modules = try #require(QRCode(text)?.modules)
    let size = modules.count
    let version = (size - 17) / 4
    // The mask is in row 8, columns 2 to 4, changed by the pattern 10101 of level M.
    let mask = [(2, 4), (3, 2), (4, 1)].reduce(0) { $0 + (modules[8][$1.0] ? $1.1 : 0) } ^ 0b101
    func isFunction(_ row: Int, _ column: Int) -> Bool {
      let isFinder =
        (row < 9 && (column < 9 || column > size - 9)) || (row > size - 9 && column < 9)
      let center = size - 7
      let isAlignment = version > 1 && abs(row - center) < 3 && abs(column - center) < 3
      return isFinder || isAlignment || row == 6 || column == 6
    }
    var bits: [Bool] = []
    var isUpward = true
    for right in [Int](stride(from: size - 1, to: 6, by: -2)) + [5, 3, 1] {
      for step in 0..<size {
        let row = isUpward ? size - 1 - step : step
        for column in [right, right - 1] where !isFunction(row, column) {
          bits.append(modules[row][column] != QRCodeGrid.isMasked(mask, row, column))
        }
      }
      isUpward.toggle()
    }
    let codewords = stride(from: 0, through: bits.count - 8, by: 8).map { start in
      bits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    let corrections = [10, 16, 26, 18, 24, 16]
    let blocks = [1, 1, 1, 2, 2, 4][version - 1]
    #expect(codewords.count == [26, 44, 70, 100, 134, 172][version - 1])
    for block in 0..<blocks {
      let words = stride(from: block, to: codewords.count, by: blocks).map { codewords[$0] }
      var root: UInt8 = 1
      for _ in 0..<corrections[version - 1] {
        #expect(words.reduce(0) { QRCode.product($0, root) ^ $1 } == 0)
        root = QRCode.product(root, 2)
      }
    }
  }
}
