import TestSupport
import Testing

@testable import roqua_tool

/// Tables and the terminal's width.
@Suite struct TableTests {
  private static let texts = [
    "", "Fiji", "South Africa", "at sea or in no country", "日本国", "Baden-Württemberg, Germany",
  ]

  private func table(limit: Int?, seed: UInt64) -> (lines: [String], entries: [[String]]) {
    var random = SplitMix64(seed: seed)
    var table = Table([.left, .right, .point, .left, .right], limit: limit)
    table.addHeader(["country", "km²", "% of land", "dates", "regions"])
    let rows = (0..<8).map { _ in
      [
        Self.texts.randomElement(using: &random) ?? "",
        Wording.decimal(.random(in: 0...1e9, using: &random), 0),
        Wording.percentageNumber(.random(in: 0...0.1, using: &random), decimals: nil),
        ["2024-05-01", "2024-05-01 – 2025-06-02", "no dates"].randomElement(using: &random) ?? "",
        Wording.count(.random(in: 0...5_000, using: &random)),
      ]
    }
    for row in rows { table.add(row) }
    return (table.lines(), rows)
  }

  @Test(arguments: [UInt64](1...20))
  func `no line is wider than the terminal, and no number is shortened`(seed: UInt64) {
    for width in 40...110 {
      let (lines, rows) = table(limit: width, seed: seed)
      #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= width }, "\(width)")
      let words = Set(lines.flatMap { $0.split(separator: " ") })
      for row in rows {
        for entry in [row[1], row[2], row[4]] { #expect(words.contains(entry[...])) }
        for word in row[3].split(separator: " ") where row[3] != "no dates" {
          #expect(words.contains(word))
        }
      }
      #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
    }
  }

  @Test func `without a limit nothing is shortened and decimal points are aligned`() {
    let (lines, rows) = table(limit: nil, seed: 7)
    #expect(lines.count == rows.count + 1)
    #expect(!lines.contains { $0.contains("…") })
    let points = lines.dropFirst().map { line in
      line.lastIndex(of: ".").map { TextWidth.columns(of: String(line[..<$0])) }
    }
    #expect(Set(points).count == 1)
  }

  @Test func `the widest text is shortened first`() {
    var table = Table([.left, .right, .left], limit: 40)
    table.add(["Baden-Württemberg, Germany", "12,345", "passed through"])
    #expect(table.lines() == ["Baden-Württembe…  12,345  passed through"])
  }

  @Test func `a path that does not fit is on a line of its own, whole`() {
    let path = "data/samples/2024-09-14-strasbourg-kehl-and-back.gpx"
    var table = Table([.right, .left, .path], limit: 40)
    table.add(["1", "gpx", path])
    table.add(["12", "nmea", "a.nmea"])
    #expect(table.lines() == [" 1  gpx", "    " + path, "12  nmea", "    a.nmea"])
    var wide = Table([.right, .left, .path], limit: 80)
    wide.add(["1", "gpx", path])
    wide.add(["12", "nmea", "a.nmea"])
    #expect(wide.lines() == [" 1  gpx   " + path, "12  nmea  a.nmea"])
  }

  @Test func `a text with a digit that does not fit is wrapped, not shortened`() {
    var table = Table([.right, .left], limit: 40)
    table.add(["1", "data/samples/2024-09-14-strasbourg-kehl-and-back.gpx"])
    let lines = table.lines()
    #expect(lines.count == 3 && lines.allSatisfy { $0.count <= 40 })
    #expect(
      lines.dropFirst().map { $0.dropFirst(4) }.joined()
        == "data/samples/2024-09-14-strasbourg-kehl-and-back.gpx")
  }

  @Test func `a table fits whole, with shortened texts, or not at all`() {
    var table = Table([.left, .left], limit: 40)
    #expect(table.fits(whole: true) && table.fits(whole: false))
    table.add([String(repeating: "a", count: 20), "2024-05-01 – 2025"])
    #expect(table.fits(whole: true) && table.fits(whole: false))
    table.add([String(repeating: "a", count: 22), "2024-05-01"])
    #expect(!table.fits(whole: true) && table.fits(whole: false))
    #expect(table.lines().count == 2)
    table.add(["a", "2024-05-01 – 2025-05-01 – 2026-05-01"])
    #expect(!table.fits(whole: false))
    #expect(table.lines().count > 3)
  }

  @Test(
    arguments: [
      ("2024-05-01", "2024-05-01", "2024-05-01"), ("2024-05-01", "2024-05-09", "2024-05"),
      ("2024-05-01", "2024-06-01", "2024"), ("2023-12-31", "2024-01-01", "2023–2024"),
      (nil, nil, "no dates"),
    ] as [(String?, String?, String)])
  func `a span of days has at most ten characters`(first: String?, last: String?, text: String) {
    #expect(Wording.shortDays(first, last) == text && text.count <= 10)
  }

  @Test(
    arguments: [
      ("80", nil, 80), ("80", 120, 80), (nil, 120, 120), (nil, nil, nil), ("wide", 120, 120),
      ("0", nil, nil), ("20", nil, 40), ("-5", 60, 60),
    ] as [(String?, Int?, Int?)])
  func `COLUMNS takes precedence over the terminal's width`(
    named: String?, measured: Int?, width: Int?
  ) {
    #expect(TerminalWidth.columns(named: named, ofTerminal: measured) == width)
  }

  @Test(
    arguments: [
      ("☕", 2), ("⌚", 2), ("⭐", 2), ("⛔", 2), ("✅", 2), ("🀄", 2), ("🆚", 2), ("🇹🇷", 2),
      ("👣", 2), ("日", 2), ("☃", 1), ("●", 1), ("✈", 1), ("é", 1), ("a\u{301}", 1),
    ] as [(String, Int)])
  func `emoji and characters of East Asia take two columns`(text: String, columns: Int) {
    #expect(TextWidth.columns(of: text) == columns)
  }

  @Test func `a label is never shortened`() {
    var table = Table([.label, .right, .left], limit: 44)
    table.add(["largest square", "6 × 6", "cells that are all explored"])
    #expect(table.lines().first?.hasPrefix("largest square  6 × 6  cells") == true)
    #expect(table.lines().first?.hasSuffix("…") == true)
  }

  @Test func `an example of help that does not fit continues below itself`() {
    let help = """
      OVERVIEW: Show it.

      Examples:
        printf '1726308900' | roqua at
      --batch --json

      USAGE: roqua at
      """
    let lines = HangingHelp.indented(help, columns: 34).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[3...4] == ["  printf '1726308900' | roqua at", "    --batch --json"])
    #expect(HangingHelp.indented("USAGE: roqua at\n  a\nb") == "USAGE: roqua at\n  a\nb")
  }
}
