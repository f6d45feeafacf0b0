import Foundation
import Geodesy
import TestSupport
import Testing

@testable import roqua_tool

/// Text from a file, a database or an argument never controls the terminal.
@Suite struct TerminalTests {
  /// ESC, C1, BEL, CR, a change of direction, a line break followed by what looks like output of
  /// the tool, an invisible space, a line separator, and a tag beyond the first 65 536 characters.
  private static let hostile =
    "\u{1B}[31m\u{9B}1m\u{7}\r\u{202E}\nroqua: fake\u{200B}\u{2028}\u{E0041}"

  /// Characters that control a terminal, except line ends.
  private func obeyed(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
      [.control, .format, .lineSeparator, .paragraphSeparator].contains(
        scalar.properties.generalCategory)
        && scalar != "\n"
    }
  }

  /// A store with samples in it, and files for every command.
  private func commands() throws -> EveryCommand {
    let bench = try Bench()
    try bench.importSamples()
    // A file name can have up to 255 bytes.
    let commands = EveryCommand(bench: bench, name: Self.hostile)
    try commands.writeFiles()
    _ = try bench.roqua("adopt", "--explored-circles", "circles \(Self.hostile)")
    return commands
  }

  private func expectHarmless(_ commands: EveryCommand) throws {
    for run in try commands.runs() {
      let result = try commands.bench.roqua(run.arguments, input: run.input)
      let words = "roqua \(run.arguments.map(\.debugDescription).joined(separator: " "))"
      #expect(!result.wasKilled, "\(words)")
      // The columns of this output are separated by tabs.
      let out =
        [["where", "--batch"], ["at", "--batch"]].contains(run.arguments)
        ? result.out.replacing("\t", with: " ") : result.out
      #expect(obeyed(out) == [] && obeyed(result.err) == [], "\(words)")
      // The argument parser breaks lines where a quoted argument does.
      guard result.status != 64 else { continue }
      let lines = (result.out + "\n" + result.err).split(separator: "\n")
      #expect(!lines.contains { $0.hasPrefix("roqua: fake") }, "\(words)")
    }
  }

  /// Appends the hostile text to all columns of type TEXT. Unique values stay unique.
  private func forge(_ bench: Bench, except skipped: Set<String>) throws {
    let text = "char(\(Self.hostile.unicodeScalars.map { "\($0.value)" }.joined(separator: ", ")))"
    try bench.forge("INSERT INTO erasure VALUES (1, '2024-05-01T10:00:00Z')")
    let columns = try bench.column(
      """
      SELECT 'UPDATE "' || t.name || '" SET "' || c.name || '" = coalesce("' || c.name
        || '", '''') || '
      FROM sqlite_schema t, pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND c.type = 'TEXT'
        AND c.name <> 'report'
      """)
    #expect(columns.count > 20)
    for update in columns where !skipped.contains(where: { update.contains("SET \"\($0)\"") }) {
      try bench.forge("PRAGMA foreign_keys = OFF; \(update) \(text)")
    }
    try bench.forge(
      "UPDATE sources SET report = json_set(report, '$.path', \(text), '$.' || json_quote('x'), 1)")
  }

  @Test func `no command prints names from a store unescaped`() throws {
    let commands = try commands()
    try forge(
      commands.bench,
      except: [
        "timestamp_start", "timestamp_end", "first_time", "last_time", "imported_at", "geohash",
      ])
    let sources = try commands.bench.roqua("sources")
    #expect(
      sources.status == 0
        && sources.out.contains(#"\u{1b}[31m\u{9b}1m\u{7}\u{d}\u{202e}\u{a}roqua: fake"#))
    let json = try commands.bench.json("sources")
    for source in json.sources.elements {
      // JSON reads back as the same text.
      for text in [source.format.string, source.sha256.string] {
        #expect(
          text?.unicodeScalars.suffix(Self.hostile.unicodeScalars.count).elementsEqual(
            Self.hostile.unicodeScalars) == true)
      }
    }
    let near = try commands.bench.roqua("near", "48.58", "7.75", "--radius", "30km")
    #expect(near.out.contains(#"\u{202e}"#))
    try expectHarmless(commands)
  }

  @Test func `no command prints any text from a store unescaped`() throws {
    let commands = try commands()
    try forge(commands.bench, except: [])
    let name = "\"\u{1B}[31m\u{9B}1m\u{7}\r\u{202E}\nroqua: fake\""
    try commands.bench.forge(
      """
      CREATE TABLE \(name) (x); CREATE INDEX \(name.dropLast()) i" ON repeat_visits (visits);
      CREATE UNIQUE INDEX \(name.dropLast()) u" ON sources (path, id);
      CREATE TRIGGER \(name.dropLast()) t" AFTER INSERT ON sources BEGIN DELETE FROM erasure; END;
      DROP VIEW days; CREATE VIEW days AS SELECT 1 AS \(name);
      """)
    #expect(try commands.bench.roqua("check").out.contains(#"the trigger \u{1b}[31m"#))
    try expectHarmless(commands)
  }

  @Test func `every entry point escapes exactly once`() {
    let safe = Console.safe(Self.hostile)
    #expect(obeyed(safe) == [] && !safe.contains("\n"))
    #expect(safe.hasPrefix(#"\u{1b}[31m"#) && safe.hasSuffix(#"\u{e0041}"#))
    #expect(Console.safe(safe) == safe)
    #expect(Console.safe("äöü ☃ 日本 👣 é 🇹🇷 a\u{301}") == "äöü ☃ 日本 👣 é 🇹🇷 a\u{301}")
    var table = Table([.left, .left])
    table.add(["\u{1B}", "b"])
    table.add(["a", "b"])
    #expect(table.lines() == [#"\u{1b}  b"#, "a       b"])
  }

  @Test(arguments: ["هنگ\u{200C}کنگ", "ශ්\u{200D}රී ලංකා", "👩\u{200D}🚀"])
  func `names and emoji keep their joiners`(text: String) {
    #expect(Console.safe(text) == text)
    #expect(Console.safe(text + "\u{200F}") == text + #"\u{200f}"#)
  }

  @Test(arguments: [Int.min, .min + 1, -1_000, -1, 0, 999, 1_000, .max])
  func `a number of any size can be formatted`(value: Int) {
    let words = Wording.count(value)
    #expect(words.replacing(",", with: "") == "\(value)")
    #expect(words.components(separatedBy: ",").dropFirst().allSatisfy { $0.count == 3 })
    #expect(!Wording.bytes(value).isEmpty && !Wording.count(value, "file").isEmpty)
    let time = Timestamp(millisecondsSince1970: Int64(value))
    #expect(!Wording.days(time, time).isEmpty)
  }

  @Test(
    arguments: [
      0, -0.0, -1, 999.7, 1e300, -1e300, .infinity, -.infinity, .nan, .leastNonzeroMagnitude,
    ] as [Double])
  func `a measure of any size can be formatted`(value: Double) {
    for words in [
      Wording.decimal(value, 2), Wording.distance(value), Wording.area(value),
      Wording.duration(value),
      Wording.percentage(value, decimals: 5),
    ] {
      #expect(!words.isEmpty)
    }
    #expect(Wording.distance(999.4) == "999 m" && Wording.duration(119 * 60 + 59) == "119 min")
  }
}
