import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua profile merge`, and what is asked about a profile that was not synced.
@Suite struct ProfileMergeTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.folder.write(
      TrackText.gpx(from: Coordinate(48.58, 7.75), count: 9), to: "walk.gpx")
    try bench.folder.write(
      TrackText.gpx(from: Coordinate(41.01, 28.97), count: 7), to: "other.gpx")
    try FileManager.default.createDirectory(
      atPath: bench.folder.file("shared"), withIntermediateDirectories: true)
  }

  @discardableResult
  private func roqua(_ arguments: String..., status: Int32 = 0) throws -> RoquaResult {
    let result = try bench.roqua(arguments, environment: ["ROQUA_STORE": ""])
    #expect(result.status == status, "\(arguments): \(result.err)")
    return result
  }

  private func keptFixes() throws -> Int? {
    try JSONTree(parsing: roqua("stats", "--json").out).keptFixes.int
  }

  @Test func `the sources of another profile are added, and nothing is removed`() throws {
    try roqua("import", "walk.gpx")
    try roqua("profile", "create", "guests", "--switch")
    try roqua("import", "walk.gpx", "other.gpx")
    try roqua("profile", "switch", "default", "--keep")
    let dry = try roqua("profile", "merge", "guests", "--dry-run").out
    #expect(dry.hasPrefix("Would add 1 source with 7 kept fixes of guests to default.\n"))
    #expect(try keptFixes() == 9)
    let merged = try roqua("profile", "merge", "guests").out
    #expect(
      merged == "Added 1 source with 7 kept fixes of guests to default.\n"
        + "  1 source there already\n")
    #expect(try keptFixes() == 16)
    #expect(try roqua("check").err == "")
    #expect(
      try roqua("profile", "merge", "guests").out == "default has everything of guests.\n")
    let json = try JSONTree(
      parsing: roqua("profile", "merge", "default", "--into", "guests", "--json").out)
    #expect(json.sourcesAdded.int == 0 && json.sourcesKnown.int == 2)
    #expect(json.into.name.string == "guests")
    // The same places as if the files were imported here.
    let there = try roqua("places", "--by", "city", "--all").out
    try roqua("profile", "switch", "guests", "--keep")
    #expect(try keptFixes() == 16)
    #expect(try roqua("places", "--by", "city", "--all").out == there)
  }

  @Test func `a profile is not merged into itself, and one that is missing is named`() throws {
    try roqua("import", "walk.gpx")
    try roqua("profile", "create", "work")
    #expect(try roqua("profile", "merge", "default", status: 1).err.contains("into itself"))
    #expect(try roqua("profile", "merge", "nobody", status: 64).err.contains("nobody"))
    // An empty profile has nothing to add.
    #expect(try roqua("profile", "merge", "work").out == "default has everything of work.\n")
    #expect(try keptFixes() == 9)
  }

  @Test func `a profile that is not synced is not deleted at once`() throws {
    try roqua("profile", "create", "work", "--switch")
    try roqua("import", "walk.gpx")
    // Without a sync folder nothing is asked.
    #expect(try roqua("profile", "switch", "default").err == "")
    try roqua("profile", "switch", "work")
    try roqua("sync", "shared")
    #expect(try roqua("profile", "switch", "default").err == "")
    try roqua("profile", "switch", "work")
    try roqua("import", "other.gpx")
    #expect(
      try roqua("profile", "switch", "default").err
        == "roqua: 1 source of work is in no sync folder yet\n")
    let refused = try roqua("profile", "remove", "work", "--now", status: 1)
    #expect(refused.err.contains("1 source of work would be lost; run roqua sync first"))
    // A folder that is away, such as on a stick, keeps nobody from anything.
    let away = bench.folder.file("away")
    try FileManager.default.moveItem(atPath: bench.folder.file("shared"), toPath: away)
    try roqua("profile", "switch", "work")
    #expect(try roqua("profile", "switch", "default").err.contains("it is unknown whether all"))
    try FileManager.default.moveItem(atPath: away, toPath: bench.folder.file("shared"))
    try roqua("profile", "switch", "work")
    try roqua("sync")
    #expect(try roqua("profile", "switch", "default").err == "")
    #expect(try roqua("profile", "remove", "work", "--now").err == "")
  }

  #if os(Linux)
    @Test func `on a terminal, syncing first is offered`() throws {
      try roqua("profile", "create", "work", "--switch")
      try roqua("import", "walk.gpx")
      try roqua("sync", "shared")
      try roqua("import", "other.gpx")
      let executable = try RoquaProcess.executable.get()
      let input = try bench.folder.write("y\ne\n", to: "typed")
      var process = bench.process(
        ["-q", "-e", "-c", "\(executable) profile switch default", "/dev/null"],
        environment: ["ROQUA_STORE": ""])
      process.wrapper = ["/usr/bin/script"]
      process.isToolLeftOut = true
      let file = try #require(FileHandle(forReadingAtPath: input))
      process.input = file
      let output = try process.run().out
      #expect(output.contains("Sync 1 source of work first") && output.contains("Sent 1 file."))
      #expect(output.contains("Erased work."))
      let sources = try FileManager.default.contentsOfDirectory(
        atPath: bench.folder.file("shared/sources"))
      #expect(sources.count == 2)
    }
  #endif
}
