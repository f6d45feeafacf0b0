import Foundation
import TestSupport
import Testing

/// The README's tour shows the tool's exact output, except for times and memory.
@Suite struct ReadmeTourTests {
  /// The console blocks of the README: commands after `$ `, and the lines that follow each.
  private static func tour() throws -> [(command: String, lines: [Substring])] {
    let readme = try String(contentsOfFile: PackageFolder.path + "/README.md", encoding: .utf8)
    var tour: [(command: String, lines: [Substring])] = []
    var fence: Substring?  // the line that opened the current block
    for line in readme.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        fence = fence == nil ? line : nil
      } else if fence == "```", line.hasPrefix("$ roqua ") {
        tour.append((String(line.dropFirst(8)), []))
      } else if fence == "```", !tour.isEmpty {
        tour[tour.count - 1].lines.append(line)
      }
    }
    return tour
  }

  @Test func `each command of the tour prints what the README shows`() throws {
    let bench = try Bench()
    let tour = try Self.tour()
    #expect(tour.count >= 5)
    for (command, lines) in tour {
      var process = bench.process(command.split(separator: " ").map(String.init))
      process.folder = PackageFolder.path
      let result = try process.run()
      #expect(result.status == 0, "\(command): \(result.err)")
      let shown = lines.joined(separator: "\n").trimmingCharacters(in: .newlines)
      let printed = result.out.trimmingCharacters(in: .newlines)
        .replacing(/in \d+\.\d\d s, .*/, with: "in 0.01 s, …")
      #expect(shown == printed, "\(command)")
    }
  }
}
