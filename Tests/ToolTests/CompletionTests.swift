import Foundation
import Geodesy
import TestSupport
import Testing

/// Completion with the Tab key: the tests ask the tool in the same way as the shells do.
/// scripts/test-install presses Tab in real shells.
@Suite struct CompletionTests {
  private let bench: Bench

  init() throws { bench = try Bench() }

  /// Candidates for the value of an option, or for an argument, on a command line that ends with
  /// the word to complete.
  private func candidates(
    _ argument: String, words: [String], shell: String = "fish"
  ) throws -> [String] {
    let result = try bench.roqua(
      [
        "---completion", words[1], "--", argument, "\(words.count - 1)",
        "\(words.last?.count ?? 0)",
      ]
        + words, environment: ["SAP_SHELL": shell])
    #expect(result.status == 0, "\(result.err)")
    #expect(result.err == "")
    return result.out.split(separator: "\n").map(String.init)
  }

  private func sources(_ words: String..., shell: String = "fish") throws -> [String] {
    try candidates("positional@0", words: ["roqua", "forget"] + words, shell: shell)
  }

  @Test func `every country code is offered, with its English name in zsh`()
    throws
  {
    let words = ["roqua", "within", "--country", ""]
    let fish = try candidates("--country", words: words)
    #expect(fish.count > 240)
    #expect(fish.contains("DE"))
    #expect(try candidates("--country", words: words, shell: "bash").contains("'DE'"))
    #expect(try candidates("--country", words: words, shell: "zsh").contains("DE:Germany"))
    #expect(!bench.hasStore)
  }

  @Test func `the store's sources are offered by path, or by id after a digit`()
    throws
  {
    try bench.importSamples()
    let paths = try bench.json("sources").sources.elements.compactMap { $0.path.string }
    #expect(paths.count == 2)
    #expect(try sources("") == paths)
    #expect(try sources(String(paths[1].dropLast(4))) == [paths[1]])
    #expect(try sources("2") == ["2"])
    #expect(try sources("2", shell: "zsh").first == "2:\(paths[1])")
    #expect(try sources("no such path").isEmpty)
  }

  @Test func `sources are offered from the store that the command line names`() throws {
    let track = try bench.folder.write(
      TrackText.gpx(from: Coordinate(48, 8), count: 9), to: "a.gpx")
    #expect(try bench.roqua("import", track, "--store", "other store").status == 0)
    #expect(try sources("").isEmpty)
    #expect(try sources("--store", "other store", "") == [track])
    #expect(try sources("--store", #"other\ store"#, "") == [track])
    #expect(try sources("--store='other store'", "") == [track])
    #expect(try sources("--store", "=", #""other store""#, "") == [track])
    #expect(!bench.hasStore)
  }

  @Test
  func `without a readable store nothing is offered and nothing is created`()
    throws
  {
    #expect(try sources("").isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder.path).isEmpty)
    try bench.folder.write("no store", to: "home/store.sqlite")
    #expect(try sources("").isEmpty)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: bench.folder.file("home"))
        == ["store.sqlite"])
  }

  /// The name of a file in an archive is untrusted text, and bash expands the candidates.
  @Test func `a path that contains shell syntax is offered as plain text`() throws {
    let name = "$(touch touched) `touch touched` it's.gpx"
    let path = try bench.folder.write(TrackText.gpx(from: Coordinate(48, 8), count: 9), to: name)
    let broken = try bench.folder.write(
      TrackText.gpx(from: Coordinate(49, 8), count: 9), to: "two\nlines.gpx")
    #expect(try bench.roqua("import", path, broken).status == 0)
    #expect(try sources("") == [path], "a path with a line break is not offered")
    let quoted = "'" + path.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
    #expect(try sources("", shell: "bash") == [quoted])
    var shell = bench.process(["-c", "compgen -W \"$0\" -- \"$1\"", quoted, "/"])
    shell.wrapper = ["/bin/bash"]
    shell.isToolLeftOut = true
    #expect(try shell.run().out == path + "\n")
    #expect(!FileManager.default.fileExists(atPath: bench.folder.file("touched")))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `the completion scripts name settings, sources, countries and files`(shell: String) throws {
    let script = try bench.roqua("--generate-completion-script", shell)
    #expect(script.status == 0 && script.err == "")
    for word in [
      "visitGapMinutes", "percentageDecimals", "routes,waypoints",
      "---completion forget -- positional@0", "---completion within -- --country",
    ] {
      #expect(script.out.contains(word), "\(word)")
    }
    #expect(!bench.hasStore)
  }
}
