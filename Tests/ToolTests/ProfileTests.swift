import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua profile`, and what other commands do with another profile selected.
@Suite struct ProfileTests {
  private let bench: Bench
  private let track: String

  init() throws {
    bench = try Bench()
    track = try bench.folder.write(
      TrackText.gpx(from: Coordinate(48.58, 7.75), count: 9), to: "walk.gpx")
  }

  /// Runs the tool with the stores of the data folder.
  @discardableResult
  private func roqua(_ arguments: String..., status: Int32 = 0) throws -> RoquaResult {
    let result = try bench.roqua(arguments, environment: ["ROQUA_STORE": ""])
    #expect(result.status == status, "\(arguments): \(result.err)")
    return result
  }

  private func json(_ arguments: String...) throws -> JSONTree {
    let result = try bench.roqua(arguments + ["--json"], environment: ["ROQUA_STORE": ""])
    #expect(result.status == 0 && result.err == "", "\(arguments): \(result.err)")
    return try JSONTree(parsing: result.out)
  }

  private var dataFolder: String { bench.folder.file("home/data/roqua") }

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: dataFolder + "/" + name)
  }

  private func keptFixes() throws -> Int? { try json("stats").keptFixes.int }

  /// The folder of a profile below the data folder.
  private func folder(of name: String) throws -> String {
    let profile = try #require(
      try json("profile", "list").profiles.elements.first { $0.name.string == name })
    return "profiles/" + (try #require(profile.id.string))
  }

  @Test func `nothing of one profile is read with another selected`() throws {
    try roqua("import", track)
    try roqua("zone", "add", "10", "10", "--radius", "1km", "--name", "secret zone")
    try roqua("settings", "visitGapMinutes", "77")
    try roqua("serve", "token", "add", "phone")
    try roqua("profile", "create", "work", "--switch")
    // There is no store yet.
    for command in ["stats", "sources", "places", "days", "coverage", "settings"] {
      let result = try bench.roqua([command], environment: ["ROQUA_STORE": ""])
      #expect(!(result.out + result.err).contains("walk.gpx"), "\(command)")
      #expect(!result.out.contains("77"), "\(command)")
    }
    try roqua("settings", "visitGapMinutes", "31")
    #expect(try keptFixes() == 0)
    #expect(try json("sources").sources.elements.isEmpty)
    #expect(try json("zone", "list").zones.elements.isEmpty)
    #expect(try json("serve", "token", "list").tokens.elements.isEmpty)
    #expect(try json("where", "48.58", "7.75").countryCode.string == "FR")
    let near = try json("near", "48.58", "7.75", "--radius", "10km")
    #expect(near.regions.elements.isEmpty)
    // The same track is no duplicate here, and what is imported here is not there.
    let other = try bench.folder.write(
      TrackText.gpx(from: Coordinate(41, 29), count: 4), to: "other.gpx")
    try roqua("import", other)
    #expect(try json("sources").sources.elements.count == 1)
    try roqua("profile", "switch", "default")
    let sources = try json("sources").sources.elements
    #expect(sources.map { $0.path.string } == [track])
    #expect(try json("zone", "list").zones.elements.count == 1)
    #expect(try json("serve", "token", "list").tokens.elements.count == 1)
  }

  @Test func `before there are profiles, no command creates a list`() throws {
    try roqua("import", track)
    try roqua("stats")
    let list = try json("profile", "list")
    #expect(list.profiles.elements.count == 1)
    #expect(list.profiles.elements.first?.name.string == "default")
    #expect(list.profiles.elements.first?.id == .null)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: dataFolder).filter {
        !$0.hasPrefix("store.sqlite")
      } == [])
  }

  @Test func `the store that was there stays in its place, and is the first profile's`() throws {
    try roqua("import", track)
    try roqua("profile", "create", "work")
    #expect(try keptFixes() ?? 0 > 0)
    #expect(exists("store.sqlite"))
    let list = try json("profile", "list").profiles.elements
    #expect(list.map { $0.name.string } == ["default", "work"])
    #expect(list.map { $0.selected } == [.bool(true), .bool(false)])
    #expect(list[0].keptFixes.int ?? 0 > 0 && list[1].keptFixes.int == 0)
    let start = try json()
    #expect(start.profile.string == "default")
  }

  @Test func `a store that was copied from another profile is refused`() throws {
    try roqua("import", track)
    try roqua("profile", "create", "work", "--switch")
    // The first profile opens its store once, so that the store belongs to it.
    try roqua("profile", "switch", "default")
    try roqua("stats")
    try roqua("profile", "switch", "work")
    let copy = dataFolder + "/" + (try folder(of: "work")) + "/store.sqlite"
    try FileManager.default.copyItem(atPath: dataFolder + "/store.sqlite", toPath: copy)
    let before = try bytes(of: copy)
    for arguments in [["stats"], ["import", track], ["check"], ["sql", "SELECT 1"]] {
      let result = try bench.roqua(arguments, environment: ["ROQUA_STORE": ""])
      #expect(result.status == 1, "\(arguments)")
      #expect(result.err.contains("the store belongs to another profile"), "\(result.err)")
    }
    #expect(try bytes(of: copy) == before)
    // The list says so and goes on.
    let list = try json("profile", "list").profiles.elements
    #expect(list[1].error.string?.contains("another profile") == true)
    // Named by its path, it is read.
    #expect(try roqua("stats", "--store", copy).out.isEmpty == false)
  }

  @Test func `a switch keeps the data unless erasing is requested`() throws {
    try roqua("import", track)
    try roqua("profile", "create", "work")
    try roqua("profile", "switch", "work")
    #expect(exists("store.sqlite"))
    try roqua("profile", "switch", "default", "--keep")
    try roqua("profile", "switch", "work", "--erase")
    #expect(!exists("store.sqlite") && !exists("store.sqlite-wal"))
    let list = try json("profile", "list")
    #expect(list.profiles.elements.map { $0.name.string } == ["work"])
    #expect(list.erased.elements.map { $0.name.string } == ["default"])
    try roqua("profile", "recover", "default")
    try roqua("profile", "switch", "default")
    #expect(try keptFixes() ?? 0 > 0)
    try roqua("check")
    for arguments in [
      ["profile", "switch", "work", "--now"], ["profile", "switch", "work", "--keep", "--erase"],
      ["profile", "create", ""], ["profile", "create", "a\nb"], ["profile", "switch"],
      ["profile", "rename", "work", " "],
    ] {
      let result = try bench.roqua(arguments, environment: ["ROQUA_STORE": ""])
      #expect(result.status == 64, "\(arguments): \(result.err)")
    }
    for name in ["", " "] {
      let result = try bench.roqua("profile", "create", name)
      #expect(result.err.hasPrefix("Error: The name of a profile cannot be empty.\n"))
    }
  }

  @Test func `erased with --now, a profile is gone`() throws {
    try roqua("import", track)
    try roqua("profile", "create", "work", "--switch")
    try roqua("profile", "remove", "default", "--now")
    let all = FileManager.default.enumerator(atPath: dataFolder)?.compactMap { $0 as? String } ?? []
    #expect(!all.contains { $0.hasSuffix("store.sqlite") }, "\(all)")
    #expect(try roqua("profile", "recover", "default", status: 64).err.contains("default"))
  }

  @Test func `the last profile gives way to an empty one`() throws {
    try roqua("import", track)
    try roqua("profile", "remove", "default")
    try roqua("sources", status: 1)
    let list = try json("profile", "list")
    #expect(list.profiles.elements.map { $0.name.string } == ["default"])
    #expect(list.profiles.elements[0].keptFixes.int == 0)
    try roqua("profile", "recover", "default", "--name", "old")
    try roqua("profile", "switch", "old")
    #expect(try keptFixes() ?? 0 > 0)
  }

  @Test func `a profile that a recording uses can be left and not erased`() throws {
    try roqua("profile", "create", "work")
    let feeder = try PipeFeeder(
      Array(TrackText.nmea(from: Coordinate(48.58, 7.75), count: 3).utf8),
      repeating: Array("\n".utf8))
    var process = bench.process(
      ["live", "-", "--name", "Walk", "--json"], environment: ["ROQUA_STORE": ""])
    process.input = feeder.output
    let live = try process.start()
    let end = Date(timeIntervalSinceNow: 60)
    while !live.outputSoFar().contains("\"started\""), Date() < end { usleep(20_000) }
    let refused = try roqua("profile", "switch", "work", "--erase", status: 1)
    #expect(refused.err.contains("another process has it open"), "\(refused.err)")
    try roqua("profile", "switch", "work")
    #expect(
      try roqua("profile", "remove", "default", status: 1).err.contains("another process has it"))
    try roqua("sources", status: 1)
    live.send(SIGTERM)
    #expect(live.wait(seconds: 60))
    // The recording stayed in the profile in which it began.
    try roqua("profile", "switch", "default")
    #expect(try json("sources").sources.elements.map { $0.path.string } == ["Walk"])
    try roqua("profile", "switch", "work", "--erase")
    _ = feeder
  }

  @Test func `another program that has the store open keeps it from being erased`() throws {
    try roqua("import", track)
    try roqua("profile", "create", "work", "--switch")
    let store = dataFolder + "/store.sqlite"
    try bench.holding(store) {
      let refused = try roqua("profile", "remove", "default", status: 1)
      #expect(refused.err.contains("another program has"), "\(refused.err)")
    }
    try roqua("profile", "remove", "default")
  }

  @Test func `processes that create and switch at the same time lose nothing`() throws {
    try roqua("import", track)
    let names = (0..<6).map { "p\($0)" }
    let running = try names.map {
      try bench.process(["profile", "create", $0, "--switch"], environment: ["ROQUA_STORE": ""])
        .start()
    }
    for each in running {
      #expect(each.wait(seconds: 60))
      let result = try each.result()
      #expect(result.status == 0, "\(result.err)")
    }
    let list = try json("profile", "list").profiles.elements
    #expect(Set(list.compactMap { $0.name.string }) == Set(["default"] + names))
    #expect(list.count(where: { $0.selected == .bool(true) }) == 1)
  }

  @Test func `a damaged list stops every command, and a repair restores it`() throws {
    try roqua("import", track)
    try roqua("profile", "create", "work", "--switch")
    let path = dataFolder + "/profiles.json"
    let whole = try bytes(of: path)
    for count in [0, 1, whole.count / 2, whole.count - 2] {
      try whole.prefix(count).write(to: URL(fileURLWithPath: path))
      for arguments in [
        ["stats"], ["import", track], [], ["profile", "list"], ["profile", "create", "x"],
        ["sql", "SELECT 1"], ["backup", "copy.sqlite"], ["serve", "token", "list"],
      ] {
        let result = try bench.roqua(arguments, environment: ["ROQUA_STORE": ""])
        #expect(result.status == 1, "\(arguments) with \(count) bytes")
        #expect(
          result.err.contains("profiles.json: the list of profiles is damaged"), "\(result.err)")
      }
      try roqua("profile", "repair")
      let list = try json("profile", "list").profiles.elements
      #expect(list.map { $0.name.string } == ["default", "work"])
      #expect(list[1].selected == .bool(true))
    }
  }

  @Test func `a store that is given by its path is used whatever profile is selected`() throws {
    try roqua("profile", "create", "work", "--switch")
    try roqua("import", track, "--store", "other.sqlite")
    #expect(try json("sources", "--store", "other.sqlite").sources.elements.count == 1)
    #expect(try json("sources", "--store", "other.sqlite").sources.elements.count == 1)
    let note = try bench.roqua("profile", "list")
    #expect(note.status == 0)
    #expect(note.err.contains("$ROQUA_STORE is set"))
    let list = try JSONTree(parsing: try bench.roqua("profile", "list", "--json").out)
    #expect(list.storeOverride.string == bench.storePath)
    // With a path, the list of profiles does not matter.
    try bench.folder.write("{", to: "home/data/roqua/profiles.json")
    #expect(try json("sources", "--store", "other.sqlite").sources.elements.count == 1)
  }

  @Test func `JSON of all changes`() throws {
    try roqua("import", track)
    let created = try json("profile", "create", "  my work ")
    #expect(created.created.name.string == "my work" && created.selected == .bool(false))
    let id = try #require(created.created.id.string)
    let renamed = try json("profile", "rename", String(id.prefix(8)), "office")
    #expect(renamed.renamed.name.string == "office" && renamed.renamed.id.string == id)
    let switched = try json("profile", "switch", "OFFICE", "--erase")
    #expect(switched.names == ["selected", "left", "disposal"])
    #expect(switched.selected.name.string == "office" && switched.left.name.string == "default")
    #expect(switched.disposal.string == "erased")
    let again = try json("profile", "switch", "office", "--erase")
    #expect(again.left == .null && again.disposal == .null)
    let recovered = try json("profile", "recover", "default", "--name", "first")
    #expect(recovered.recovered.name.string == "first")
    let removed = try json("profile", "remove", "first", "--now")
    #expect(removed.removed.name.string == "first" && removed.disposal.string == "deleted")
    #expect(removed.selected.name.string == "office")
    #expect(try json("profile", "repair").repaired == .bool(false))
    let list = try json("profile", "list")
    #expect(list.names == ["profiles", "erased", "storeOverride"])
    #expect(
      list.profiles.elements.first?.names == [
        "id", "name", "selected", "store", "bytes", "keptFixes", "changedAt", "createdAt", "locked",
        "error",
      ])
  }

  #if os(Linux)
    @Test func `on a terminal, a switch asks what happens to the data`() throws {
      try roqua("import", track)
      try roqua("profile", "create", "work")
      #expect(try answering("maybe\ne\n", "profile", "switch", "work").contains("or erase it"))
      #expect(try json("profile", "list").erased.elements.map { $0.name.string } == ["default"])
      try roqua("profile", "recover", "default")
      _ = try answering("\n", "profile", "switch", "default")
      #expect(try json("profile", "list").profiles.elements.count == 2)
      // The end of input changes nothing.
      let output = try answering("\u{4}", "profile", "switch", "work")
      #expect(output.contains("nothing was changed"))
      #expect(try keptFixes() ?? 0 > 0)
    }

    /// Runs the tool on a terminal of util-linux's `script`, with this typed; returns all output.
    private func answering(_ typed: String, _ arguments: String...) throws -> String {
      let executable = try RoquaProcess.executable.get()
      let command = ([executable] + arguments).joined(separator: " ")
      let input = try bench.folder.write(typed, to: "typed-\(UUID().uuidString)")
      var process = bench.process(
        ["-q", "-e", "-c", command, "/dev/null"], environment: ["ROQUA_STORE": ""])
      process.wrapper = ["/usr/bin/script"]
      process.isToolLeftOut = true
      let file = try #require(FileHandle(forReadingAtPath: input))
      process.input = file
      return try process.run().out
    }
  #endif
}
