import Foundation
import Geodesy
import TestSupport
import Testing

/// The exact output of the tool: each file in `Golden` is a session of commands and their output.
@Suite struct GoldenTests {
  private let bench: Bench
  /// A folder with copies of the sample tracks.
  private static let tracks = "tracks"

  init() throws {
    bench = try Bench()
    let samples = try FileManager.default.contentsOfDirectory(atPath: PackageFolder.samples)
    for name in samples where name.hasSuffix(".gpx") || name.hasSuffix(".nmea") {
      let bytes = try bytes(of: PackageFolder.sample(name))
      try bench.folder.write(Array(bytes), to: "\(Self.tracks)/\(name)")
    }
  }

  /// Runs commands and returns the session as a terminal would show it: the commands, their output
  /// (errors after standard output), and the exit status if it is not 0.
  private func session(_ commands: [[String]]) throws -> String {
    try commands.map { arguments in
      // The width of help must not depend on the terminal that runs the tests.
      let result = try bench.roqua(arguments, environment: ["COLUMNS": "100"])
      let words = arguments.map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ")
      let status = result.status == 0 ? "" : "(exit status \(result.status))\n"
      return "$ roqua" + (words.isEmpty ? "" : " ") + words + "\n" + normal(result.out)
        + normal(result.err) + status
    }.joined(separator: "\n")
  }

  /// The output without the parts that differ between runs: times, memory, sizes and the folder.
  private func normal(_ output: String) -> String {
    output.replacing(bench.folder.path + "/", with: "/folder/")
      .replacing(/in \d+\.\d\d s, [\d,]+ points\/s, peak memory \d+ MB/) { _ in
        "in 0.01 s, 345,678 points/s, peak memory 32 MB"
      }
      .replacing(/since \d\d\d\d-\d\d-\d\d/, with: "since 2024-09-20")
      .replacing(/(sqlite[,:]) [\d.]+ [kM]B/) { "\($0.1) 172 kB" }
  }

  private func expectSession(_ name: String, _ commands: [String]...) throws {
    try expectGolden(try session(commands), name)
  }

  private func importTracks() throws {
    let result = try bench.roqua("import", Self.tracks)
    try #require(result.status == 0, "\(result.err)")
  }

  // MARK: First run

  @Test func `roqua without arguments, without a store and with one`() throws {
    try expectSession("start-without-store", [])
    try importTracks()
    try expectSession("start", [])
  }

  @Test func `the help page on file formats`() throws {
    try expectSession("help-formats", ["help", "formats"])
  }

  @Test(arguments: [
    "import", "near", "within", "where", "at", "photos", "settings", "sources", "forget", "rebuild",
    "check", "backup", "restore", "adopt", "bench", "days", "export", "sql", "achievements", "live",
    "push", "pull",
  ])
  func `the help of each command`(command: String) throws {
    try expectSession("help-\(command)", ["help", command])
  }

  @Test func `the help of zone and its subcommands`() throws {
    try expectSession(
      "help-zone", ["help", "zone"], ["help", "zone", "add"], ["help", "zone", "list"],
      ["help", "zone", "remove"])
  }

  @Test func `the help of serve and its subcommands`() throws {
    try expectSession(
      "help-serve", ["help", "serve"], ["help", "serve", "run"], ["help", "serve", "token"],
      ["help", "serve", "token", "add"])
  }

  @Test func `the help of sync and its subcommands`() throws {
    try expectSession(
      "help-sync", ["help", "sync"], ["help", "sync", "now"], ["help", "sync", "status"],
      ["help", "sync", "add"], ["help", "sync", "remove"])
  }

  @Test func `the help of lock and unlock`() throws {
    try expectSession(
      "help-lock", ["help", "lock"], ["help", "lock", "now"], ["help", "lock", "status"],
      ["help", "unlock"])
  }

  @Test func `the help of profile and its subcommands`() throws {
    try expectSession(
      "help-profile", ["help", "profile"], ["help", "profile", "list"],
      ["help", "profile", "create"], ["help", "profile", "switch"], ["help", "profile", "rename"],
      ["help", "profile", "merge"], ["help", "profile", "remove"], ["help", "profile", "recover"],
      ["help", "profile", "repair"])
  }

  @Test func `the help of the tool`() throws { try expectSession("help", ["help"]) }

  @Test func `errors for wrong usage`() throws {
    try expectSession(
      "usage-errors", ["imprt"], ["quxfrobnicate"], ["help", "coverag"], ["import"],
      ["import", "-v", "-q", "a"], ["import", "-", "-"], ["import", "--include", "marks", "a"],
      ["near"], ["near", "91", "0"], ["near", "1", "1", "--radius", "far"],
      ["near", "1", "1", "--nearest", "3", "--limit", "2"],
      ["within"], ["within", "1", "2", "3"], ["within", "2", "0", "1", "1"],
      ["within", "--country", "Germny"], ["within", "--from", "2025", "--to", "2024"],
      ["forget"], ["forget", "--near", "1", "1"], ["check", "--quick", "--repair"],
      ["adopt"], ["settings", "explorationRadius"], ["settings", "visitGapMinutes", "soon"],
      ["rebuild", "--exploration-radius", "1m"])
  }

  @Test func `commands without a store`() throws {
    try expectSession(
      "without-store", ["near", "1", "1"], ["within", "0", "0", "1", "1"], ["sources"],
      ["forget", "1"], ["rebuild"], ["check"], ["backup", "copy.sqlite"], ["settings"])
  }

  // MARK: Import

  @Test func `an import with short, full and repeated output`() throws {
    try expectSession(
      "import", ["import", "--dry-run", Self.tracks], ["import", Self.tracks],
      ["import", Self.tracks])
    let other = ["--store", "other.sqlite"]
    try expectSession(
      "import-verbose", ["import", "-v", Self.tracks] + other,
      ["import", "--verbose", Self.tracks] + other)
    try expectSession(
      "import-quiet", ["import", "--quiet", Self.tracks, "--store", "quiet.sqlite"],
      ["import", "-q", Self.tracks, "nowhere.gpx", "--store", "quiet.sqlite"])
  }

  @Test func `an import of damaged, unknown and unsupported files`() throws {
    let track = TrackText.gpx(from: Coordinate(48.5, 7.9), count: 5)
    try bench.folder.write(track, to: "mixed/a.gpx")
    try bench.folder.write(track, to: "mixed/copy of a.gpx")
    try bench.folder.write(String(track.prefix(400)), to: "mixed/cut off.gpx")
    try bench.folder.write("neither", to: "mixed/broken.gpx")
    try bench.folder.write("a note", to: "mixed/notes.txt")
    let memoLanes = ZipBuilder([ZipBuilder.File("metadata.xxm", [88])]).build().bytes
    try bench.folder.write(memoLanes, to: "mixed/b.log")
    try bench.folder.write(memoLanes, to: "mixed/c.log")
    try bench.folder.write("damaged", to: "mixed/d.mldx")
    try bench.folder.write(
      "<gpx><wpt lat='41.1' lon='28.9'/><rte><rtept lat='41' lon='28'/></rte></gpx>",
      to: "mixed/marks.gpx")
    try bench.folder.write(
      "<gpx><trk><trkseg><trkpt lat='0' lon='0'/></trkseg></trk></gpx>", to: "mixed/nowhere.gpx")
    try bench.folder.write("a note", to: "only/notes.txt")
    try expectSession(
      "import-mixed", ["import", "mixed"], ["import", "mixed"], ["import", "mixed/b.log"],
      ["import", "only"], ["import", "missing.gpx"])
  }

  // MARK: Queries

  @Test func `the command at`() throws {
    try importTracks()
    try expectSession(
      "at", ["at", "2024-09-14T10:00:00Z"], ["at", "2024-09-14 12:00:10", "--time-zone", "local"],
      ["at", "2024-09-14T22:00:00Z"], ["at", "1990-01-01T00:00Z"], ["at", "2024-09-14"], ["at"],
      ["at", "2024-09-14T10:00:00Z", "--json"])
  }

  @Test func `the commands where, near and within`() throws {
    try importTracks()
    try expectSession(
      "where", ["where", "48.5676", "7.8010"], ["where", "48.5676N", "7.8010E"],
      ["where", "0", "-30"], ["where", "41.0082,28.9784"], ["where", "nowhere"])
    try expectSession(
      "near", ["near", "41.0256", "28.9742", "--radius", "300m"],
      ["near", "41.0256", "28.9742", "--limit", "2"],
      ["near", "41.0256", "28.9742", "--nearest", "1"], ["near", "0", "0"])
    try expectSession(
      "within", ["within", "41.02", "28.97", "41.03", "28.98", "--limit", "3"],
      ["within", "--country", "Fiji", "--count"], ["within", "--city", "Paris", "--count"],
      ["within", "--country", "Germany", "--from", "2024", "--limit", "2"])
  }

  // MARK: Store

  @Test func `the commands sources and settings`() throws {
    try importTracks()
    try expectSession("sources", ["sources"])
    try expectSession(
      "settings", ["settings"], ["settings", "clusteringRadiusMeters", "100", "--dry-run"],
      ["settings", "trackingDistanceMeters", "20", "--dry-run"],
      ["settings", "visitGapMinutes", "45"], ["settings", "visitGapMinutes"])
  }

  @Test func `the commands forget and rebuild`() throws {
    try importTracks()
    try expectSession(
      "forget", ["forget", "--dry-run", "1"], ["forget", "1"],
      ["forget", "--near", "41.0256", "28.9742", "--radius", "300m"],
      ["forget", "--near", "41.0256", "28.9742", "--radius", "300m"], ["forget", "99"])
    try expectSession(
      "rebuild", ["rebuild"], ["rebuild", "--exploration-radius", "200m"])
  }

  @Test func `the commands for privacy zones`() throws {
    try importTracks()
    let home = ["zone", "add", "48.5676", "7.8010", "--radius", "300m", "--name", "home"]
    try expectSession(
      "zone", ["zone", "list"], home + ["--dry-run"], home, home,
      ["zone", "add", "-33.9,18.4", "--radius", "2km"], ["zone", "list"],
      ["zone", "remove", "home"],
      ["zone", "remove", "home"], ["import", Self.tracks])
  }

  @Test func `a check and its repair`() throws {
    try importTracks()
    try expectSession("check", ["check", "--quick"], ["check"])
    try bench.forge("DELETE FROM coverage_tiles WHERE key = (SELECT min(key) FROM coverage_tiles)")
    try expectSession("check-repair", ["check"], ["check", "--repair"])
  }

  @Test func `a backup and adopting the app's data`() throws {
    try importTracks()
    try expectSession(
      "backup", ["backup", "copy.sqlite"], ["backup", "copy.sqlite"],
      ["backup", "--force", "copy.sqlite"], ["backup", "--app-format", "app.sqlite"])
    try bench.folder.write(
      #"[{"latitude":48.5,"longitude":7.7},{"latitude":"north"}]"#, to: "circles.json")
    try expectSession(
      "adopt", ["adopt", "app.sqlite", "--store", "new.sqlite"],
      ["adopt", "app.sqlite", "--store", "new.sqlite"],
      ["adopt", "--explored-circles", "circles.json", "--store", "new.sqlite"],
      ["adopt", "circles.json", "--store", "new.sqlite"])
  }
}
